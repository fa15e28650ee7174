package skill

import "slices"

// FoundSkill is a skill that an advert requires, with the required level and the matched wording.
type FoundSkill struct {
	Skill string // slug of the skill
	Index int    // index of the skill in the list of skills, as Register.FindIndexByLabel returns it
	// highest level that the advert states for the skill; LevelUnknown if it states none
	Level     Level
	MatchedBy string // first wording of the skill that matched, in lower case
}

// MatchBuffers holds memory that AppendRequiredSkills reuses between adverts. The zero value is
// ready to use. Only one goroutine may use it at a time.
type MatchBuffers struct {
	text   []byte
	title  int      // length of the title at the start of text, in bytes
	named  []uint32 // vocabulary numbers of the words of the title
	tokens []token
	hits   []hit
	cues   []cue
	found  []requiredSkill
	// skills found before the first heading; they count only if no heading follows
	intro []requiredSkill
	part  part
}

// requiredSkill is a matched pattern of a skill that the advert requires, and the required level.
type requiredSkill struct {
	pattern int32 // index of the pattern in Register.patterns
	level   Level
}

// part is the type of an advert's section. It shows whether the section may have requirements.
type part uint8

const (
	partIntro  part = iota // text before the first recognised heading
	partAsking             // text under a heading such as "Requirements"
	partOff                // text under a heading such as "Benefits": no requirements
)

// hit is a match of a skill's wording in the current sentence.
type hit struct {
	pattern    int32 // index of the pattern in Register.patterns
	start, end int   // indices of the first token of the match and of the token after it
	dropped    bool  // true if the match does not count
}

// AppendRequiredSkills appends the skills that an advert requires to dst, sorted by slug and
// without duplicates. advert is plain text. It needs its line breaks, which separate headings and
// list items. s is memory that is reused between calls.
func (r *Register) AppendRequiredSkills(dst []FoundSkill, s *MatchBuffers, title, advert string) []FoundSkill {
	s.tokens = s.tokens[:0]
	s.found = s.found[:0]
	s.intro = s.intro[:0]
	s.named = s.named[:0]
	s.part = partIntro
	text := s.join(title, advert)
	rd := reader{reg: r, text: text}
	opening := gap(0)
	for ok := true; ok; {
		var t token
		begin := rd.pos == 0
		if t, ok = rd.next(); begin {
			t.gap |= gapLine // the first words of the text also start a line
		}
		if (t.gap&gapStop != 0 || len(s.tokens) == longestSentence) && len(s.tokens) > 0 {
			r.sentence(text, s, opening, t.gap)
			s.tokens = s.tokens[:0]
		}
		if len(s.tokens) == 0 {
			opening = t.gap
		}
		if ok {
			s.tokens = append(s.tokens, t)
		}
	}
	s.found = append(s.found, s.intro...)
	return r.collect(dst, s.found)
}

// join stores the title and the text of an advert in s.text, with a line break between them. It
// returns s.text.
func (s *MatchBuffers) join(title, text string) []byte {
	const most = 1<<32 - 1
	s.title = len(title)
	s.text = append(append(append(s.text[:0], title...), '\n'), text...)
	return s.text[:min(len(s.text), most)]
}

// collect appends the skills found in an advert to dst, sorted by slug. It appends each skill once,
// with its highest level.
func (r *Register) collect(dst []FoundSkill, skills []requiredSkill) []FoundSkill {
	slices.SortStableFunc(skills,
		func(a, b requiredSkill) int { return int(r.patterns[a.pattern].skill - r.patterns[b.pattern].skill) })
	before := len(dst)
	for _, a := range skills {
		p := &r.patterns[a.pattern]
		if n := len(dst); n > before && dst[n-1].Index == int(p.skill) {
			dst[n-1].Level = max(dst[n-1].Level, a.level)
			continue
		}
		dst = append(dst, FoundSkill{Skill: r.Slug(int(p.skill)), Index: int(p.skill), Level: a.level, MatchedBy: p.text})
	}
	return dst
}

// longestSentence is the largest number of words in a sentence. A longer sentence is cut there, to
// limit the time for text without full stops.
const longestSentence = 1000

// headingWords is the largest number of words in a line that is recognised as a heading.
const headingWords = 9

// sentence adds the skills that the current sentence requires to the results in s. opening and
// closing are the separators before and after the sentence.
func (r *Register) sentence(text []byte, s *MatchBuffers, opening, closing gap) {
	kind, titled := cueNone, int(s.tokens[0].start) < s.title
	isWholeLine := opening&(gapLine|gapBullet) == gapLine && closing&gapLine != 0
	if isWholeLine && !titled && len(s.tokens) <= headingWords {
		kind = r.heading(text, s.tokens)
	}
	switch {
	case kind == cueOff, kind == cueNone && s.part == partOff && r.cues.marksOf(s.tokens)&isDemand == 0:
		s.part = partOff
		return
	case kind == cueOn:
		s.part = partAsking
	}
	for i := 0; titled && i < len(s.tokens); i++ {
		s.named = append(s.named, s.tokens[i].word)
	}
	r.match(text, s)
	r.addShared(text, s)
	listed := r.addKeyWords(text, s)
	if len(s.hits) == 0 {
		if kind == cueOn { // a requirement is not a heading: "Driving licence essential"
			s.intro = s.intro[:0]
		}
		return
	}
	r.addPosts(text, s)
	r.addToo(s)
	r.findCues(s)
	marks := r.cues.marksOf(s.tokens)
	r.dropDenied(s)
	r.dropOthers(s, marks)
	// A sentence that does not address or describe the applicant, and lists no tasks, may only
	// describe the employer.
	list := &s.found
	if s.part == partIntro && !titled && marks&(isAddress|isPresent) == isPresent {
		list = &s.intro
	}
	for i := range s.hits {
		h := &s.hits[i]
		if h.dropped {
			continue
		}
		mayBeOthersJob := !titled && !listed && r.skills[r.patterns[h.pattern].skill].Kind != transferable
		if mayBeOthersJob && !r.cues.fills(s.tokens, h.start, h.end) {
			continue
		}
		*list = append(*list, requiredSkill{h.pattern, r.levelOf(text, s, h)})
	}
}

// heading returns the effect of a line that is a section heading. It returns cueOn if the section
// may have requirements, and cueOff if not. For other lines it returns cueNone.
func (r *Register) heading(text []byte, tokens []token) cueKind {
	for _, t := range tokens {
		if c := text[t.start]; '0' <= c && c <= '9' {
			return cueNone
		}
	}
	for i := range tokens {
		kind, length := r.cues.headings.longest(tokens[i:])
		if i == 0 && cueKind(kind) == cueNoHeading && length > 0 {
			return cueNone
		}
		if cueKind(kind) == cueBare {
			if length == len(tokens) {
				return cueOn
			}
			continue
		}
		atEdge := i == 0 || i+length == len(tokens)
		if length > 0 && (cueKind(kind) == cueOn || atEdge) {
			return cueKind(kind)
		}
	}
	return cueNone
}

// maxFillers is the largest number of filler words inside one matched wording. "our" is a filler
// word.
const maxFillers = 4

// requiredReach is the largest distance, in words, between a weak wording and its context word. A
// weak wording, such as "go", counts only near a context word.
const requiredReach = 20
