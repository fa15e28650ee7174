package skill

import "slices"

// addPosts adds a match for the last word of a job title if that word is a job title itself. For
// example, "community nurse" also matches "nurse".
func (r *Register) addPosts(text []byte, s *MatchBuffers) {
	for _, h := range s.hits {
		head := h.end - 1
		if head == h.start || r.patterns[h.pattern].whole || !r.cues.is(s.tokens[head].word, isRole) {
			continue
		}
		if p, end := r.longestAt(text, s, head); p >= 0 && end == h.end && r.patterns[p].skill >= 0 {
			s.hits = append(s.hits, hit{pattern: p, start: head, end: end})
		}
	}
}

// addToo adds matches for skills that another skill's wording also requires. For example, "sole
// trader accounts" also requires accounting.
func (r *Register) addToo(s *MatchBuffers) {
	for _, h := range s.hits {
		for _, p := range r.extraPatterns[h.pattern] {
			too := &r.patterns[p]
			isOutsideTitle := too.title && int(s.tokens[h.start].start) >= s.title
			if isOutsideTitle || too.weak && !r.hasRequired(s, h.start, h.end, too.contextSkill) {
				continue
			}
			s.hits = append(s.hits, hit{pattern: p, start: h.start, end: h.end})
		}
	}
}

// addShared adds a match for a wording that shares a word with another one. For example, "clinical
// and research skills" also requires clinical skills.
func (r *Register) addShared(text []byte, s *MatchBuffers) {
	for k := 1; k+1 < len(s.tokens); k++ {
		switch {
		case s.tokens[k].word != r.cues.and:
		case k+2 < len(s.tokens) && r.cues.is(s.tokens[k+2].word, isShared) && !s.covers(k-1):
			r.addPair(text, s, k-1, k+2, k-1)
		case !s.covers(k+1) && slices.ContainsFunc(s.hits, func(h hit) bool { return h.start == k-2 && h.end == k }):
			r.addPair(text, s, k-2, k+1, k+1)
		}
	}
}

// addPair adds a match if two words form a wording of a skill, although other words are between
// them. first and last are the indices of their tokens. position is the index of the token at which
// the match is recorded.
func (r *Register) addPair(text []byte, s *MatchBuffers, first, last, position int) {
	node := r.phrases.step(0, s.tokens[first].word)
	if node != 0 {
		node = r.phrases.step(node, s.tokens[last].word)
	}
	for _, p := range r.phrases.ends[node] {
		if r.patterns[p].skill >= 0 && r.holds(text, s, &[maxPatternWords]int{first}, last, &r.patterns[p]) {
			s.hits = append(s.hits, hit{pattern: p, start: position, end: position + 1})
			return
		}
	}
}

// covers reports whether token i belongs to a match in the current sentence.
func (s *MatchBuffers) covers(i int) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.start <= i && i < h.end })
}

// addKeyWords adds matches for the skills in a list of key words ("Keywords: nursing, dementia").
// It reports whether the sentence is such a list.
func (r *Register) addKeyWords(text []byte, s *MatchBuffers) bool {
	_, from := r.cues.keyWords.longest(s.tokens)
	if from == 0 || from == len(s.tokens) || s.tokens[from].gap&(gapColon|gapPause) == 0 {
		return false
	}
	for begin := from; begin < len(s.tokens); {
		end := begin + 1
		for end < len(s.tokens) && s.tokens[end].gap&(gapComma|gapPause|gapColon) == 0 {
			end++
		}
		if !s.covers(begin) && !s.covers(end-1) {
			r.addNamed(text, s, begin, end)
		}
		begin = end
	}
	return true
}

// addNamed adds a match if the words s.tokens[begin:end] are the name, slug or label of a skill.
func (r *Register) addNamed(text []byte, s *MatchBuffers, begin, end int) {
	name := foldWord(string(text[s.tokens[begin].start:s.tokens[begin].end]))
	for _, t := range s.tokens[begin+1 : end] {
		name += " " + foldWord(string(text[t.start:t.end]))
	}
	if p, known := r.patternIndex[name]; known {
		s.hits = append(s.hits, hit{pattern: p, start: begin, end: end})
	}
}
