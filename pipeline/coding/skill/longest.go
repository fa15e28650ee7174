package skill

import "slices"

// match finds the skills that the current sentence names, and sets s.hits. If several patterns
// match at a word, it takes the longest.
func (r *Register) match(text []byte, s *MatchBuffers) {
	s.hits = s.hits[:0]
	tokens := s.tokens
	for i := 0; i < len(tokens); {
		if r.phrases.step(0, tokens[i].word) == 0 { // true for most words
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

// matchUnstopped adds matches for skills inside a stop phrase, which is at tokens[from:to]. stop is
// the index of its pattern. A stop phrase hides only certain skills. For example, "NoSQL database"
// hides the skill "database", but not NoSQL.
func (r *Register) matchUnstopped(text []byte, s *MatchBuffers, stop int32, from, to int) {
	for i := from; i < to; {
		p, end := r.longestOf(text, s, i, to, r.stopIndex[stop])
		if p < 0 {
			i++
			continue
		}
		s.hits = append(s.hits, hit{pattern: p, start: i, end: end})
		i = end
	}
}

// longestAt returns the index of the longest pattern that matches at token i, and the index of the
// token after the match. p is -1 if no pattern matches.
func (r *Register) longestAt(text []byte, s *MatchBuffers, i int) (p int32, end int) {
	return r.longestOf(text, s, i, len(s.tokens), nil)
}

// longestOf returns the longest pattern that matches within tokens[i:to], starting at token i, and
// the index of the token after the match. It ignores patterns of the skills in excludedSkills. If
// excludedSkills is not nil, it also ignores stop phrases. p is -1 if no pattern matches.
func (r *Register) longestOf(text []byte, s *MatchBuffers, i, to int, excludedSkills []int32) (p int32, end int) {
	tokens := s.tokens[:to]
	var nodes [maxPatternWords + maxFillers]uint32 // nodes at which a pattern may end, by token from i on
	var at [maxPatternWords]int                    // indices of the tokens of the pattern's words, except the last
	node := uint32(0)
	depth := 0
	skipped := 0
	last := i
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
			if excludedSkills != nil && (of < 0 || slices.Contains(excludedSkills, of)) {
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

// holds reports whether a pattern whose words have matched also meets its other conditions, such as
// capital letters. lastIndex is the index of the token of the pattern's last word. indices has the
// indices of the tokens of its other words.
func (r *Register) holds(text []byte, s *MatchBuffers, indices *[maxPatternWords]int, lastIndex int, p *pattern) bool {
	if p.title && int(s.tokens[lastIndex].start) >= s.title {
		return false
	}
	for k, raw := range p.raw {
		t := s.tokens[lastIndex]
		if k < int(p.size)-1 {
			t = s.tokens[indices[k]]
		}
		if raw != "" && string(text[t.start:t.end]) != raw {
			return false
		}
	}
	// A weak stop phrase applies exactly where a weak pattern would not.
	return !p.weak || r.hasRequired(s, indices[0], lastIndex+1, p.contextSkill) == (p.skill >= 0)
}

// hasRequired reports whether a context word of the skill is in the title or near
// s.tokens[from:to]. For example, "NVQ level 3" is a care skill if the title is "care assistant".
func (r *Register) hasRequired(s *MatchBuffers, from, to int, skill int32) bool {
	tokens := s.tokens
	for k := max(0, from-requiredReach); k < min(len(tokens), to+requiredReach); k++ {
		if k >= from && k < to || tokens[k].word == 0 {
			continue
		}
		if slices.Contains(r.contextWords[skill], tokens[k].word) {
			return true
		}
	}
	return slices.ContainsFunc(s.named, func(word uint32) bool { return slices.Contains(r.contextWords[skill], word) })
}
