package skill

import (
	"slices"
	"strings"
)

// levelOf returns the level that the sentence states for a matched skill. The level may be in the
// match ("fluent English"), after it ("Excel (advanced)") or before it ("strong knowledge of SQL").
// It returns LevelUnknown for a licence, or if there is no level.
func (r *Register) levelOf(text []byte, s *MatchBuffers, h *hit) Level {
	if r.skills[r.patterns[h.pattern].skill].IsLicence() {
		return LevelUnknown
	}
	if l := r.levelWithin(s.tokens, h); l != 0 {
		return l
	}
	if l := r.levelBehind(text, s.tokens, h.end); l != 0 {
		return l
	}
	return r.levelInFront(text, s, h)
}

// levelWithin returns the level stated by the matched words themselves, as in "excellent
// communication". Some level words also have another meaning ("advanced nurse practitioner"). These
// count only for office skills and languages. levelWithin returns LevelUnknown if there is no
// level.
func (r *Register) levelWithin(tokens []token, h *hit) Level {
	p := &r.patterns[h.pattern]
	kind := r.skills[p.skill].Kind
	for i := h.start; i < h.end; i++ {
		c := r.cues.of(tokens[i].word)
		if c.level == 0 || !hasWord(p.text, r.words.words[tokens[i].word-1]) {
			continue
		}
		first := i == h.start && (c.marks&isQuality != 0 || kind == office && c.marks&isLoose == 0)
		if first && i > 0 && r.cues.is(tokens[i-1].word, isMakes) {
			return LevelUnknown
		}
		if first || kind == language && c.marks&isNamed == 0 {
			return c.level
		}
	}
	return LevelUnknown
}

// hasWord reports whether text contains word as a whole word. Single spaces separate the words.
func hasWord(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at, from = from+at, from+at+len(word)
		startsWord := at == 0 || text[at-1] == ' '
		endsWord := from == len(text) || text[from] == ' '
		if startsWord && endsWord {
			return true
		}
	}
}

// levelInFront returns the level stated before a matched skill. Words such as "knowledge of" and
// other skills may be in between, as in "strong Python and SQL". It returns LevelUnknown if there
// is no level.
func (r *Register) levelInFront(text []byte, s *MatchBuffers, h *hit) Level {
	tokens := s.tokens
	head := false
	listed := false
	for i := h.start - 1; i >= max(0, h.start-reachLevel); i-- {
		if tokens[i+1].gap&^gapComma != 0 && tokens[i+1].gap&(gapStop|gapOpen|gapPause|gapColon|gapBullet) != 0 {
			return LevelUnknown
		}
		word := tokens[i].word
		joined := tokens[i+1].gap&gapComma != 0
		if r.cues.is(word, isJoins) {
			joined, i = true, i-1
		}
		if joined {
			if head || i < 0 || r.cues.is(tokens[i].word, isHead) {
				return LevelUnknown
			}
			if !s.isHit(i) && !r.cues.is(tokens[i].word, isPhrase|isFiller) {
				return LevelUnknown
			}
			i, listed = s.startOfHit(i), true
			if c := r.cues.of(tokens[i].word); c.marks&isQuality != 0 &&
				(i == 0 || !r.cues.is(tokens[i-1].word, isMakes)) {
				return c.level // "excellent communication and organisational skills"
			}
			continue
		}
		if r.cues.is(word, isClose) && i < h.start-1 {
			return LevelUnknown
		}
		if l, stop := r.levelAt(text, tokens, i, head); l != 0 || stop {
			made := i > 0 && !head && r.cues.is(tokens[i-1].word, isMakes)
			ofFirstOnly := listed && l < LevelWorking && !head // "basic printing, Excel"
			if made || ofFirstOnly {
				return LevelUnknown
			}
			return l
		}
		switch {
		case r.cues.is(word, isHead):
			head = true
		case r.cues.is(word, isPhrase|isFiller):
		case s.isHit(i): // "strong customer service and sales experience"
			i = s.startOfHit(i)
		default:
			return LevelUnknown
		}
	}
	return LevelUnknown
}

// startOfHit returns the first token of the match that contains token i. If there is no such match,
// it returns i.
func (s *MatchBuffers) startOfHit(i int) int {
	for _, h := range s.hits {
		if i >= h.start && i < h.end {
			return h.start
		}
	}
	return i
}

// isHit reports whether token i is part of a match in the current sentence.
func (s *MatchBuffers) isHit(i int) bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return i >= h.start && i < h.end })
}

// levelAt returns the level stated at token i, as a level word or as years of experience. head is
// true if a word such as "knowledge" follows. Some level words count only before such a word. stop
// is true if the search for a level must end here.
func (r *Register) levelAt(text []byte, tokens []token, i int, head bool) (level Level, stop bool) {
	switch c := r.cues.of(tokens[i].word); {
	case c.level != 0 && c.marks&isLoose != 0 && !head:
		return LevelUnknown, false
	case c.level == LevelEntry && i > 0 && tokens[i].gap == 0:
		if before := r.cues.of(tokens[i-1].word); before.level != 0 {
			return before.level, true
		} else if before.marks&isNotice != 0 {
			return LevelUnknown, true
		}
		return LevelEntry, true
	case c.level != 0:
		return c.level, true
	case c.marks&isYears == 0:
		return LevelUnknown, false
	}
	years, found := 0, false
	for k := i - 1; k >= max(0, i-3); k-- {
		if n, ok := r.numberAt(text, tokens[k]); ok {
			years, found = n, true // "3-5 years": the first number is the minimum
		} else if found {
			break
		}
	}
	if !found {
		return LevelUnknown, false
	}
	return levelOfYears(years), true
}

// numberAt returns the value of a token that is a number from 0 to 99 in digits, or a number word
// such as "two". It returns false for any other token.
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

// levelBehind returns the level stated after a matched skill, as in "Excel (advanced)". i is the
// index of the first token after the skill. It returns LevelUnknown if there is no level.
func (r *Register) levelBehind(text []byte, tokens []token, i int) Level {
	if i >= len(tokens) {
		return LevelUnknown
	}
	setOff := tokens[i].gap&(gapOpen|gapColon|gapPause) != 0
	for k := i; k < min(len(tokens), i+4); k++ {
		if k > i && tokens[k].gap != 0 && tokens[k].gap != gapColon {
			return LevelUnknown
		}
		l, _ := r.levelAt(text, tokens, k, true)
		if l == 0 {
			continue
		}
		scaled := k+1 < len(tokens) && r.cues.is(tokens[k+1].word, isScale)
		endsPart := k+1 == len(tokens) || tokens[k+1].gap != 0
		if scaled || setOff && endsPart {
			return l
		}
		return LevelUnknown
	}
	return LevelUnknown
}
