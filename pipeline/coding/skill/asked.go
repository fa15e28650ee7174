package skill

import "slices"

// cue is a cue phrase within the sentence at hand.
type cue struct {
	kind       cueKind
	start, end int // tokens
}

// How far cues reach, in words.
const (
	reachNegation = 14 // "no experience of", "not needed"
	reachNo       = 2  // "no", "not"
	reachOwn      = 40 // "we use", "we are"
	reachPost     = 6  // "reporting to"
	reachLevel    = 10 // "strong", "5+ years"
)

// findCues fills s.cues with the cue phrases of the sentence, in order. None reaches over a comma:
// "excels in service, has strong skills" says nothing of what the service has.
func (r *Register) findCues(s *Scratch) {
	s.cues = s.cues[:0]
	for i, end := 0, 0; i < len(s.tokens); {
		if i >= end {
			for end = i + 1; end < len(s.tokens) && s.tokens[end].gap&(gapComma|gapPause|gapOpen) == 0; end++ {
			}
		}
		payload, length := r.cues.phrases.longest(s.tokens[i:end])
		if length == 0 {
			i++
			continue
		}
		s.cues = append(s.cues, cue{kind: cueKind(payload), start: i, end: i + length})
		if cueKind(payload) == cuePresents {
			length = 1 // its last word may begin another: "sites are run by"
		}
		i += length
	}
}

// dropDenied marks the hits of the sentence that are negated or taught on the job.
func (r *Register) dropDenied(s *Scratch) {
	wanted := slices.ContainsFunc(s.cues, func(c cue) bool { return c.kind == cueWanted })
	for i, c := range s.cues {
		switch c.kind {
		case cueNotAfter, cueTaughtAfter:
			r.dropAfter(s, i, reachNegation)
		case cueNoBefore:
			s.dropBetween(c.end, c.end+reachNo) // "no cooking"
			if !wanted {
				s.dropUntil(i, cueNeed)
			}
		case cueTrainIn:
			s.dropUntil(i, cueGiven)
		case cueNotBefore, cueExcludedBefore, cueExcludedAround:
			if c.kind != cueNotBefore || !wanted {
				s.dropBefore(i, reachNegation)
			}
			if c.kind == cueExcludedAround || c.start == 0 { // "Not needed: a driving licence"
				r.dropAfter(s, i, reachPost)
			}
		}
	}
}

// dropOthers marks the hits of the sentence that are the employer's own, or a colleague's. said are the
// marks of its words.
func (r *Register) dropOthers(s *Scratch, said mark) {
	for i, c := range s.cues {
		switch {
		case c.kind == cueColleague:
			r.dropAfter(s, i, reachPost)
		case c.kind == cueOwn, c.kind == cueOpening && c.start == 0, c.kind == cuePresents && said&isAddress == 0:
			r.dropAfter(s, i, reachOwn)
		}
	}
}

// dropUntil drops the hits between cue i and the next cue of the closing kind,
// if that comes within reach and in the same clause.
func (s *Scratch) dropUntil(i int, closing cueKind) {
	from := s.cues[i].end
	for _, c := range s.cues[i+1:] {
		switch {
		case c.kind == cueBreak || c.start-from > reachNegation:
			return
		case c.kind == closing:
			s.dropBetween(from, c.start)
			return
		}
	}
}

// dropAfter drops the hits behind cue i, up to the end of its clause.
func (r *Register) dropAfter(s *Scratch, i, reach int) {
	from := s.cues[i].end
	to := min(len(s.tokens), from+reach)
	start := from
	if k := s.cues[i].kind; k == cueOwn || k == cueOpening || k == cuePresents || k == cueNotAfter {
		start = s.cues[i].start // "we work closely with" is all the employer's, "not need to drive" no driving
	}
	for _, c := range s.cues[i+1:] {
		if c.kind == cueBreak && c.start < to {
			to = c.start
		}
	}
	pause := gapPause
	if s.cues[i].kind == cueColleague {
		pause |= gapComma // "reporting to the head chef, you drive"
	}
	for k := from + 1; k < to; k++ {
		if s.tokens[k].gap&pause != 0 && s.tokens[k].word != r.cues.and {
			to = k
		}
	}
	s.dropBetween(start, to)
}

// dropBefore drops the hits in front of cue i, back to the start of its clause.
func (s *Scratch) dropBefore(i, reach int) {
	to := s.cues[i].start
	from := max(0, to-reach)
	for _, c := range s.cues[:i] {
		if (c.kind == cueBreak || c.kind == cueNeed || c.kind == cueNotBefore) && c.end > from && c.end < to {
			from = c.end
		}
	}
	for k := to; k > from; k-- {
		if k < to && s.tokens[k].gap&(gapPause|gapOpen) != 0 {
			from = k
		}
	}
	s.dropBetween(from, to)
}

// dropBetween drops the hits that start within the tokens [from, to).
func (s *Scratch) dropBetween(from, to int) {
	for i := range s.hits {
		if h := &s.hits[i]; h.start >= from && h.start < to {
			h.dropped = true
		}
	}
}

// levelOf reads the level that the sentence states for a hit: from the match
// itself ("fluent english"), else from the nearest wording before it, else from
// one straight behind it ("Excel (advanced)", "French to a good level").
func (r *Register) levelOf(text []byte, s *Scratch, h *hit) Level {
	if r.skills[r.patterns[h.pattern].skill].Kind == licence {
		return Unknown
	}
	for i := h.start; i < h.end; i++ {
		if l := r.cues.of(s.tokens[i].word).level; l != 0 {
			return l
		}
	}
	if l := r.levelBehind(text, s.tokens, h.end); l != 0 {
		return l
	}
	for i := h.start - 1; i >= max(0, h.start-reachLevel); i-- {
		if l := r.levelAt(text, s.tokens, i); l != 0 {
			return l
		}
		if s.tokens[i+1].gap&gapPause != 0 {
			break
		}
	}
	return Unknown
}

// levelAt is the level that token i states, alone or as years of experience.
func (r *Register) levelAt(text []byte, tokens []token, i int) Level {
	if l := r.cues.of(tokens[i].word).level; l != 0 {
		return l
	}
	if !r.cues.is(tokens[i].word, isYears) {
		return Unknown
	}
	years, found := 0, false
	for k := i - 1; k >= max(0, i-3); k-- {
		if n, ok := r.numberAt(text, tokens[k]); ok {
			years, found = n, true // "3-5 years": the first number is the least asked
		} else if found {
			break
		}
	}
	if !found {
		return Unknown
	}
	return levelOfYears(years)
}

// numberAt reads a whole number under 100, in digits or as a word up to ten.
func (r *Register) numberAt(text []byte, t token) (int, bool) {
	if n := r.cues.of(t.word).number; n > 0 {
		return int(n) - 1, true
	}
	n, digits := 0, text[t.start:t.end]
	for i := 0; i < len(digits); i++ {
		if digits[i] < '0' || digits[i] > '9' || i >= 2 {
			return 0, false
		}
		n = 10*n + int(digits[i]-'0')
	}
	return n, len(digits) > 0
}

// levelBehind reads a level that follows a match ending before token i: set off
// by a bracket, colon or dash, or followed by "level".
func (r *Register) levelBehind(text []byte, tokens []token, i int) Level {
	if i >= len(tokens) {
		return Unknown
	}
	setOff := tokens[i].gap&(gapOpen|gapColon|gapPause) != 0
	for k := i; k < min(len(tokens), i+4); k++ {
		if k > i && tokens[k].gap != 0 && tokens[k].gap != gapColon {
			return Unknown
		}
		l := r.levelAt(text, tokens, k)
		if l == 0 {
			continue
		}
		scaled := k+1 < len(tokens) && r.cues.is(tokens[k+1].word, isScale)
		if scaled || setOff && (k+1 == len(tokens) || tokens[k+1].gap != 0) {
			return l
		}
		return Unknown
	}
	return Unknown
}
