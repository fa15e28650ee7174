package occupation

import "slices"

const (
	// shortestMisspelt is the smallest length, in bytes, of a word that may replace a misspelt one.
	shortestMisspelt = 7
	// minTitlesWithWord is the smallest number of known job titles in which a word must occur, so
	// that the word may replace a misspelt one.
	minTitlesWithWord = 5
)

// spelling corrects misspelt words in job titles.
type spelling struct {
	titles map[string]int      // number of known job titles that contain each word
	less   map[string][]string // correct words, by misspellings that lack one letter
}

func newSpelling(titles []phrase) *spelling {
	s := &spelling{titles: map[string]int{}, less: map[string][]string{}}
	for _, t := range titles {
		for _, w := range t.words {
			if s.titles[w]++; s.titles[w] == minTitlesWithWord && len(w) >= shortestMisspelt {
				for i := range w {
					if left := removeLetter(w, i); i == 0 || left != removeLetter(w, i-1) {
						s.less[left] = append(s.less[left], w)
					}
				}
			}
		}
	}
	return s
}

func removeLetter(w string, i int) string { return w[:i] + w[i+1:] }

// correct replaces misspelt words of a job title in the slice words.
func (s *spelling) correct(words segment) {
	for i, w := range words {
		if len(w) < shortestMisspelt-1 {
			continue
		}
		if !s.isKnown(w) {
			words[i] = s.suggestion(w)
		}
	}
}

// isKnown reports whether a word is in a known job title, or is another word that titles have: of
// seniority, of the terms of work or of a place.
func (s *spelling) isKnown(w string) bool {
	isOtherWord := seniority[w] || terms[w] || places[w]
	return s.titles[w] != 0 || isOtherWord
}

// suggestion returns the common word that w probably misspells. w may have one wrong, missing or
// extra letter, or two neighbouring letters may be swapped. suggestion returns w if no common word
// fits, or if more than one does.
func (s *spelling) suggestion(w string) string {
	found := slices.Clone(s.less[w])
	for i := range w {
		left := removeLetter(w, i)
		if s.titles[left] >= minTitlesWithWord && len(left) >= shortestMisspelt {
			found = append(found, left)
		}
		for _, other := range s.less[left] {
			if isNear(w, other) {
				found = append(found, other)
			}
		}
	}
	if slices.Sort(found); len(slices.Compact(found)) == 1 {
		return found[0]
	}
	return w
}

// isNear reports whether two words of equal length differ in at most one letter, or only in the
// order of two neighbouring letters.
func isNear(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a)-1 && a[i] == b[i] {
		i++
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
