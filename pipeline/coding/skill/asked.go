package skill

import "slices"

// cue is a phrase in the current sentence that shows whether skills near it are required. An
// example is "no experience of".
type cue struct {
	kind       cueKind
	start, end int // indices of the first token of the phrase and of the token after it
}

// The largest distances, in words, from a phrase to a skill that it affects.
const (
	// reachNegation is the largest distance, in words, from a negation to a skill that it negates.
	// Examples of negations are "no experience of" and "not needed".
	reachNegation = 14
	// reachNo is the largest distance, in words, from "no" or "not" to the skill that it negates.
	reachNo = 2
	// reachOwn is the largest distance, in words, from a phrase about the employer, such as "we
	// use", to a skill that describes the employer.
	reachOwn = 40
	// reachPost is the largest distance, in words, from a phrase such as "reporting to" to the job
	// title of a colleague.
	reachPost = 6
	// reachLevel is the largest distance, in words, from a level to the skill that it describes.
	// Examples of levels are "strong" and "5+ years".
	reachLevel = 10
)

// findCues sets s.cues to the phrases of the sentence that affect nearby skills, in order. An
// example is "no experience of".
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

// dropDenied marks matches of skills that the sentence excludes, so that they do not count. These
// skills are not needed, taught on the job or not part of the job.
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

// dropOthers marks matches that describe the employer or a colleague, so that they do not count.
// marks are the combined flags of all words in the sentence.
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

// dropUntil marks the matches between phrase i of s.cues and the next phrase of the kind closing as
// not required. It marks nothing if the clause has no such phrase within reachNegation words.
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

// dropAfter marks the matches after phrase i of s.cues as not required. It stops at the end of the
// clause, or after reach words. For some effects, it also marks matches inside the phrase.
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

// dropBefore marks the matches before phrase i of s.cues as not required. It goes back to the start
// of the clause, but by at most reach words.
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

// dropBetween marks the matches that start within tokens[from:to] as not required.
func (s *MatchBuffers) dropBetween(from, to int) {
	for i := range s.hits {
		if h := &s.hits[i]; h.start >= from && h.start < to {
			h.dropped = true
		}
	}
}
