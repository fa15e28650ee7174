package skill

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// oracle finds matches the slow way: every pattern at every word, longest
// first, on plain strings, without trie, hashes or token numbers.
type oracle struct {
	reg      *Register
	order    []int      // pattern indices, longest first, else in register order
	words    [][]string // by pattern
	required [][]string
}

func newOracle(r *Register) *oracle {
	o := &oracle{reg: r}
	for i := range r.patterns {
		o.words = append(o.words, strings.Fields(r.patterns[i].text))
		// those follow from another pattern, or need a title
		if !r.patterns[i].isExtra && !r.patterns[i].title && !r.patterns[i].label {
			o.order = append(o.order, i)
		}
	}
	slices.SortStableFunc(o.order, func(a, b int) int { return int(r.patterns[b].size) - int(r.patterns[a].size) })
	word := map[uint32]string{}
	for i, w := range r.words.words {
		word[uint32(i+1)] = w
	}
	for _, ids := range r.contextWords {
		var words []string
		for _, id := range ids {
			words = append(words, word[id])
		}
		o.required = append(o.required, words)
	}
	return o
}

// span finds the words of a pattern from word i on, with at most maxFillers fillers
// between them: end is the word after its last, own the word after those that it takes.
func (o *oracle) span(p *pattern, words, raw, folded []string, i int) (own, end int, ok bool) {
	at, skipped := i, 0
	for k, want := range words {
		for k > 0 && at < len(raw) && fillers[folded[at]] && (k < len(words)-1 || folded[at] != want) {
			at, skipped = at+1, skipped+1
		}
		if at >= len(raw) || folded[at] != want || rawAt(*p, k) != "" && raw[at] != rawAt(*p, k) {
			return 0, 0, false
		}
		if at++; k == int(p.take)-1 {
			own = at
		}
	}
	return own, at, skipped <= maxFillers
}

// scan gives pattern and first word of every match of one sentence.
func (o *oracle) scan(raw []string) (out [][2]int) {
	folded := make([]string, len(raw))
	for i, w := range raw {
		folded[i] = foldWord(w)
	}
	for i := 0; i < len(raw); {
		best, next, farthest := -1, i+1, i
		for _, k := range o.order {
			if own, end, ok := o.holds(k, raw, folded, i); ok && end > farthest {
				best, next, farthest = k, own, end
			}
		}
		switch {
		case best >= 0 && o.reg.patterns[best].skill >= 0:
			out = append(out, [2]int{best, i})
		case best >= 0:
			out = append(out, o.unstopped(raw, folded, i, next, o.reg.stopIndex[int32(best)])...)
		}
		i = next
	}
	return out
}

// unstopped scans the words of a stop phrase for the skills that do not have it.
func (o *oracle) unstopped(raw, folded []string, from, to int, without []int32) (out [][2]int) {
	for i := from; i < to; {
		best, next, farthest := -1, i+1, i
		for _, k := range o.order {
			if of := o.reg.patterns[k].skill; of < 0 || slices.Contains(without, of) {
				continue
			}
			if own, end, ok := o.holds(k, raw, folded, i); ok && end > farthest && end <= to {
				best, next, farthest = k, own, end
			}
		}
		if best >= 0 {
			out = append(out, [2]int{best, i})
		}
		i = next
	}
	return out
}

// rawAt is the word that must stand letter for letter at k, or "".
func rawAt(p pattern, k int) string {
	if p.raw == nil {
		return ""
	}
	return p.raw[k]
}

func (o *oracle) holds(number int, raw, folded []string, i int) (own, end int, ok bool) {
	p := &o.reg.patterns[number]
	if own, end, ok = o.span(p, o.words[number], raw, folded, i); !ok || !p.weak {
		return own, end, ok
	}
	near := false
	for k := max(0, i-requiredReach); k < min(len(raw), end+requiredReach); k++ {
		near = near || (k < i || k >= end) && slices.Contains(o.required[p.contextSkill], folded[k])
	}
	return own, end, near == (p.skill >= 0)
}

// TestMatchAgainstOracle compares the trie with the oracle on sentences made of
// register wordings, their parts, and noise, in changing case and accents.
func TestMatchAgainstOracle(t *testing.T) {
	r := load(t)
	o := newOracle(r)
	noise := []string{"the", "our", "strong", "of", "a", "and", "with", "team", "xyz", "C", "R", "Go", "Excel", "react",
		"to", "żółw", "c++"}
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		for range rapid.IntRange(1, 8).Draw(t, "parts") {
			if rapid.Bool().Draw(t, "noise") {
				words = append(words, rapid.SampledFrom(noise).Draw(t, "word"))
				continue
			}
			p := rapid.SampledFrom(r.patterns).Draw(t, "pattern")
			n := rapid.IntRange(1, int(p.size)).Draw(t, "words")
			for k := range n {
				words = append(words, disguise(t, strings.Fields(p.text)[k], rawAt(p, k)))
			}
		}
		text := strings.Join(words, " ")
		s := &MatchBuffers{}
		s.tokens = readAll(r, text)
		r.match([]byte(text), s)
		var got [][2]int
		for _, h := range s.hits {
			got = append(got, [2]int{int(h.pattern), h.start})
		}
		if want := o.scan(words); !slices.Equal(got, want) {
			t.Fatalf("%q: got %v, want %v", text, got, want)
		}
	})
}

// disguise writes a pattern's word as it may stand in a text.
func disguise(t *rapid.T, word, raw string) string {
	switch rapid.IntRange(0, 4).Draw(t, "disguise") {
	case 0:
		return strings.ToUpper(word)
	case 1:
		return strings.NewReplacer("e", "é", "a", "a\u0301").Replace(word)
	case 2:
		runes := []rune(word)
		runes[0] = unicode.ToUpper(runes[0])
		return string(runes)
	}
	if raw != "" {
		return raw
	}
	return word
}

// readAll reads every token of a text.
func readAll(r *Register, text string) (out []token) {
	rd := reader{reg: r, text: []byte(text)}
	for {
		t, ok := rd.next()
		if !ok {
			return out
		}
		out = append(out, t)
	}
}

// TestEveryPatternIsFound: no wording of the register is dead. A wording that
// another rule hides when it stands alone would never count.
func TestEveryPatternIsFound(t *testing.T) {
	r := load(t)
	for i := range r.patterns {
		p := &r.patterns[i]
		words := strings.Fields(p.text)
		for k, raw := range p.raw {
			if raw != "" {
				words[k] = raw
			}
		}
		text := strings.Join(words, " ")
		tokens := readAll(r, text)
		if len(tokens) != len(words) {
			t.Errorf("pattern %q is read as %d words, want %d", text, len(tokens), len(words))
			continue
		}
		if p.weak || p.isExtra || p.title || p.label {
			continue // needs its required words, which TestPitfalls has, another pattern, a title or a list
		}
		if got, _ := r.longestAt([]byte(text), &MatchBuffers{tokens: tokens}, 0); got < 0 || r.patterns[got].text != p.text {
			t.Errorf("pattern %q is not found in its own words (%d)", text, got)
		}
	}
}
