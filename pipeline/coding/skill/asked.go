package skill

import "slices"

// cue is a phrase of the current sentence that affects whether the skills near it count as
// required, such as "no experience of".
type cue struct {
	kind       cueKind
	start, end int // indices of the first token of the phrase and of the token after it
}

// The largest distance, in words, between a phrase such as "no experience of" and a skill that the
// phrase affects.
const (
	// largest distance from a negation, such as "no experience of" or "not needed", to a skill that
	// it negates
	reachNegation = 14
	reachNo       = 2  // how many words "no" or "not" reaches to the skill that it negates
	reachOwn      = 40 // how many words a phrase about the employer, such as "we use", reaches
	reachPost     = 6  // how many words "reporting to" reaches to the job title of a colleague
	// largest distance from a level, such as "strong" or "5+ years", to the skill that it belongs
	// to
	reachLevel = 10
)

// findCues fills s.cues with the phrases of the sentence that affect nearby skills, such as "no
// experience of", in order.
func (r *Register) findCues(s *MatchBuffers) {
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
			length = 1 // its last word may begin another cue: "sites are run by"
		}
		i += length
	}
}

// dropDenied marks as dropped the matches of skills that the sentence calls not needed, taught on
// the job, supplied or not part of the job.
func (r *Register) dropDenied(s *MatchBuffers) {
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

// dropOthers marks as dropped the matches that describe the employer or a colleague. marks has the
// combined flags of all words of the sentence.
func (r *Register) dropOthers(s *MatchBuffers, marks mark) {
	for i, c := range s.cues {
		switch {
		case c.kind == cueColleague:
			r.dropAfter(s, i, reachPost)
		case c.kind == cueOwn, c.kind == cueOpening && c.start == 0, c.kind == cuePresents && marks&isAddress == 0:
			r.dropAfter(s, i, reachOwn)
		}
	}
}

// dropUntil marks as dropped the matches between phrase i of s.cues and the next phrase of the kind
// closing. It does nothing if the clause has no such phrase nearby.
func (s *MatchBuffers) dropUntil(i int, closing cueKind) {
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

// dropAfter marks as dropped the matches after phrase i of s.cues. It stops at the end of the
// clause, and at the latest after the number of words in reach. For some kinds of phrase, it also
// drops the matches inside the phrase.
func (r *Register) dropAfter(s *MatchBuffers, i, reach int) {
	from := s.cues[i].end
	to := min(len(s.tokens), from+reach)
	start := from
	switch s.cues[i].kind {
	case cueOwn, cueOpening, cuePresents, cueNotAfter:
		start = s.cues[i].start // "we work closely with" describes the employer, "not need to drive" excludes driving
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

// dropBefore marks as dropped the matches before phrase i of s.cues. It goes back to the start of
// the clause, but not further than the number of words in reach.
func (s *MatchBuffers) dropBefore(i, reach int) {
	to := s.cues[i].start
	from := max(0, to-reach)
	for _, c := range s.cues[:i] {
		endsClause := c.kind == cueBreak || c.kind == cueNeed || c.kind == cueNotBefore
		if endsClause && c.end > from && c.end < to {
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

// dropBetween marks as dropped the matches that start within tokens[from:to].
func (s *MatchBuffers) dropBetween(from, to int) {
	for i := range s.hits {
		if h := &s.hits[i]; h.start >= from && h.start < to {
			h.dropped = true
		}
	}
}
