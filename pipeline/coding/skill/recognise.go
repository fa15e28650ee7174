package skill

import "slices"

// Found is a skill that a text asks for.
type Found struct {
	Skill     string // slug
	Number    int    // of the skill, as Register.Number
	Level     Level  // the highest level stated for it, Unknown if none is
	MatchedBy string // the register's wording that was met first, normalised
}

// Scratch holds the buffers of RecogniseInto. The zero value is ready; one
// Scratch serves one goroutine at a time.
type Scratch struct {
	text   []byte
	title  int      // bytes of the text that are the title
	named  []uint32 // words of the title
	tokens []token
	hits   []hit
	cues   []cue
	found  []askedSkill
	intro  []askedSkill // hits in the introduction, which count only if no heading follows
	part   part
}

// askedSkill is a hit that counts: the advert asks for the skill.
type askedSkill struct {
	pattern int32
	level   Level
}

// part is a part of an advert, such as its title or its benefits.
type part uint8

const (
	partIntro  part = iota // before the first heading
	partAsking             // under a heading that may ask, or an unknown one
	partOff                // under a heading that asks nothing
)

// hit is a match within the current sentence.
type hit struct {
	pattern    int32
	start, end int // tokens
	dropped    bool
}

// RecogniseInto lists the skills that a plain text asks for, sorted by slug, each once. HTML has to
// be stripped before; line breaks should be kept, because headings and list items are read from
// them. It appends to dst and allocates nothing once dst and s have grown. Texts of 4 GiB and more
// are cut.
func (r *Register) RecogniseInto(dst []Found, s *Scratch, title, advert string) []Found {
	s.tokens, s.found, s.intro, s.named, s.part = s.tokens[:0], s.found[:0], s.intro[:0], s.named[:0], partIntro
	text := s.join(title, advert)
	rd := reader{reg: r, text: text}
	opening := gap(0)
	for ok := true; ok; {
		var t token
		begin := rd.pos == 0
		if t, ok = rd.next(); begin {
			t.gap |= gapLine // the text's first words start a line too
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

// join puts the title above the text.
func (s *Scratch) join(title, text string) []byte {
	const most = 1<<32 - 1
	s.title = len(title)
	s.text = append(append(append(s.text[:0], title...), '\n'), text...)
	return s.text[:min(len(s.text), most)]
}

// collect appends the skills that were found, sorted by slug: each skill once, with the highest
// level stated.
func (r *Register) collect(dst []Found, found []askedSkill) []Found {
	slices.SortStableFunc(found,
		func(a, b askedSkill) int { return int(r.patterns[a.pattern].skill - r.patterns[b.pattern].skill) })
	before := len(dst)
	for _, a := range found {
		p := &r.patterns[a.pattern]
		if n := len(dst); n > before && dst[n-1].Number == int(p.skill) {
			dst[n-1].Level = max(dst[n-1].Level, a.level)
			continue
		}
		dst = append(dst, Found{Skill: r.Slug(int(p.skill)), Number: int(p.skill), Level: a.level, MatchedBy: p.text})
	}
	return dst
}

// longestSentence is the number of words after which a sentence is cut, so that a text without full
// stops cannot make the work grow with its square. No sentence of a real advert comes near it.
const longestSentence = 1000

// headingWords is the length up to which a line on its own can be a heading.
const headingWords = 9

// sentence decides which hits of the sentence in s.tokens count. opening and closing are the
// separators before and after it.
func (r *Register) sentence(text []byte, s *Scratch, opening, closing gap) {
	kind, titled := cueNone, int(s.tokens[0].start) < s.title
	if !titled && opening&(gapLine|gapBullet) == gapLine && closing&gapLine != 0 && len(s.tokens) <= headingWords {
		kind = r.heading(text, s.tokens)
	}
	switch {
	case kind == cueOff, kind == cueNone && s.part == partOff && r.cues.said(s.tokens)&isDemand == 0:
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
		if kind == cueOn { // one that asks itself is no heading: "Driving licence essential"
			s.intro = s.intro[:0]
		}
		return
	}
	r.addPosts(text, s)
	r.addToo(s)
	r.findCues(s)
	said := r.cues.said(s.tokens)
	r.dropDenied(s)
	r.dropOthers(s, said)
	// A sentence that does not speak to or of the applicant, nor lists tasks, may only present the employer.
	list := &s.found
	if s.part == partIntro && !titled && said&(isAddress|isPresent) == isPresent {
		list = &s.intro
	}
	for i := range s.hits {
		h := &s.hits[i]
		if h.dropped || !titled && !listed && r.skills[r.patterns[h.pattern].skill].Kind != transferable &&
			!r.cues.fills(s.tokens, h.start, h.end) {
			continue
		}
		*list = append(*list, askedSkill{h.pattern, r.levelOf(text, s, h)})
	}
}

// heading returns cueOff or cueOn if the line is such a heading, else cueNone. A line with a number
// is no heading: "Salary: £24,000".
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
		if length > 0 && (cueKind(kind) == cueOn || i == 0 || i+length == len(tokens)) {
			return cueKind(kind)
		}
	}
	return cueNone
}

// match fills s.hits: from left to right, at each word the longest pattern that matches there. A
// stop phrase hides its words only from the skills that have it.
func (r *Register) match(text []byte, s *Scratch) {
	s.hits = s.hits[:0]
	tokens := s.tokens
	for i := 0; i < len(tokens); {
		if r.phrases.step(0, tokens[i].word) == 0 { // as for most words
			i++
			continue
		}
		p, end := r.longestAt(text, s, i)
		if p < 0 {
			i++
			continue
		}
		if r.patterns[p].skill >= 0 {
			s.hits = append(s.hits, hit{pattern: p, start: i, end: end})
		} else {
			r.matchUnstopped(text, s, p, i, end)
		}
		i = end
	}
}

// matchUnstopped adds the hits, within a stop phrase, of the skills that do not have that phrase:
// "NoSQL database" is a stop phrase of the office skill "database", and still a hit for NoSQL.
func (r *Register) matchUnstopped(text []byte, s *Scratch, stop int32, from, to int) {
	for i := from; i < to; {
		p, end := r.longestOf(text, s, i, to, r.stopped[stop])
		if p < 0 {
			i++
			continue
		}
		s.hits = append(s.hits, hit{pattern: p, start: i, end: end})
		i = end
	}
}

// maxFillers is how many fillers may be within one wording.
const maxFillers = 4

// longestAt returns the pattern that matches at token i and ends last, and the token after its own
// words; -1 if there is none.
func (r *Register) longestAt(text []byte, s *Scratch, i int) (p int32, end int) {
	return r.longestOf(text, s, i, len(s.tokens), nil)
}

// longestOf is longestAt for patterns that end before token to, without the wordings of some
// skills. If there are such skills, stop phrases are ignored.
func (r *Register) longestOf(text []byte, s *Scratch, i, to int, without []int32) (p int32, end int) {
	tokens := s.tokens[:to]
	var nodes [maxPatternWords + maxFillers]uint32 // where a pattern may end, by the token from i on
	var at [maxPatternWords]int                    // the tokens of its words but the last
	node, depth, skipped, last := uint32(0), 0, 0, i
	for ; last < len(tokens) && depth < maxPatternWords && tokens[last].word != 0; last++ {
		next := r.phrases.step(node, tokens[last].word)
		nodes[last-i] = next
		if last > i && r.cues.is(tokens[last].word, isFiller) {
			if skipped++; skipped > maxFillers {
				break
			}
			continue
		}
		if next == 0 {
			break
		}
		node, at[depth] = next, last
		depth++
	}
	for last--; last >= i; last-- {
		for _, p := range r.phrases.ends[nodes[last-i]] {
			of := r.patterns[p].skill
			if without != nil && (of < 0 || slices.Contains(without, of)) {
				continue
			}
			if r.holds(text, s, &at, last, &r.patterns[p]) {
				if take := r.patterns[p].take; take < r.patterns[p].size {
					return p, at[take-1] + 1
				}
				return p, last + 1
			}
		}
	}
	return -1, i
}

// holds checks the conditions of a pattern besides its words, which are at the tokens at to last.
func (r *Register) holds(text []byte, s *Scratch, at *[maxPatternWords]int, last int, p *pattern) bool {
	if p.title && int(s.tokens[last].start) >= s.title {
		return false
	}
	for k, raw := range p.raw {
		t := s.tokens[last]
		if k < int(p.size)-1 {
			t = s.tokens[at[k]]
		}
		if raw != "" && string(text[t.start:t.end]) != raw {
			return false
		}
	}
	// A weak stop phrase holds exactly where a weak pattern would not.
	return !p.weak || r.hasRequired(s, at[0], last+1, p.near) == (p.skill >= 0)
}

// requiredReach is how many words to either side of a weak pattern a required word may be.
const requiredReach = 20

// hasRequired looks for a required word of the skill near s.tokens[from:to], in the same sentence,
// and in the title: "NVQ level 3" of a care assistant is one in care, that of an electrician is
// not.
func (r *Register) hasRequired(s *Scratch, from, to int, skill int32) bool {
	tokens := s.tokens
	for k := max(0, from-requiredReach); k < min(len(tokens), to+requiredReach); k++ {
		if k >= from && k < to || tokens[k].word == 0 {
			continue
		}
		if slices.Contains(r.required[skill], tokens[k].word) {
			return true
		}
	}
	return slices.ContainsFunc(s.named, func(word uint32) bool { return slices.Contains(r.required[skill], word) })
}
