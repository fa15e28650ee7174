package occupation

import (
	"testing"

	"pgregory.net/rapid"
)

// oneMistake says by its sentence whether a word is another with one letter too few, too
// many or wrong, or with two neighbours that changed places.
func oneMistake(w, other string) bool {
	made := map[string]bool{}
	for i := 0; i <= len(other); i++ {
		for _, letter := range "abc" {
			made[other[:i]+string(letter)+other[i:]] = true
			if i < len(other) {
				made[other[:i]+string(letter)+other[i+1:]] = true
			}
		}
		if i < len(other) {
			made[other[:i]+other[i+1:]] = true
		}
		if i+1 < len(other) {
			made[other[:i]+string([]byte{other[i+1], other[i]})+other[i+2:]] = true
		}
	}
	return made[w]
}

func TestMisspeltAgainstBruteForce(t *testing.T) {
	word := rapid.StringMatching(`[abc]{6,9}`)
	rapid.Check(t, func(t *rapid.T) {
		var titles []phrase
		for _, w := range rapid.SliceOfNDistinct(word, 0, 20, rapid.ID).Draw(t, "words") {
			for range minTitlesWithWord - rapid.IntRange(0, 1).Draw(t, "fewer") {
				titles = append(titles, phrase{words: []string{w}})
			}
		}
		s := newSpelling(titles)
		w := word.Draw(t, "word")
		if len(titles) > 0 && rapid.Bool().Draw(t, "near") {
			known := rapid.SampledFrom(titles).Draw(t, "known").words[0]
			w = removeLetter(known, rapid.IntRange(0, len(known)-1).Draw(t, "left out"))
		}
		if s.titles[w] > 0 {
			return
		}
		want, candidates := w, 0
		for other, n := range s.titles {
			if n >= minTitlesWithWord && len(other) >= shortestMisspelt && oneMistake(w, other) {
				want, candidates = other, candidates+1
			}
		}
		if candidates > 1 {
			want = w
		}
		if got := s.suggestion(w); got != want {
			t.Fatalf("%q is taken for %q, want %q", w, got, want)
		}
	})
}

func TestMisspeltTitles(t *testing.T) {
	reg := load(t)
	for wrong, soc := range map[string]string{
		"Advanced Nurse Practitiner": "2234", "Recruitment Consulltant": "3571", "Warehuose Operative": "9252",
		"Accountent": "2421", "Adminstrator": "4159",
	} {
		if got := reg.CodeTitle(wrong); got.SOC != soc {
			t.Errorf("CodeTitle(%q) = %+v, want %s", wrong, got, soc)
		}
	}
}
