package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/serve/web/words"
)

// spellings maps each known word, in lower case, to the number of times that it occurs. Known words
// occur in names or in wordings (phrases in adverts).
type spellings map[string]int

// mostCorrected is the largest number of words in a search whose spelling is corrected. The limit
// saves CPU time.
const mostCorrected = 6

// spellingsOf returns the words of all names that a search can find, and of the wordings of skills
// (phrases in adverts).
func spellingsOf(s api.Snapshot) spellings {
	known := spellings{}
	for _, list := range []api.Vocabulary{api.Skills, api.Occupations, api.Places, api.Sectors} {
		for _, n := range s.NamedValues(list) {
			known.add(n.Name, n.Wordings)
		}
	}
	for _, name := range subjects() {
		known.add(name)
	}
	return known
}

func (known spellings) add(texts ...string) {
	for _, word := range strings.Fields(string(prefixsearch.NewName(texts...))) {
		known[word]++
	}
}

// correct replaces each unknown word of a text by the most similar known word. It returns "" if all
// words are known or if an unknown word has no similar one. It also returns "" if the text has more
// than mostCorrected words.
func (known spellings) correct(text string) string {
	words := strings.Fields(string(prefixsearch.NewName(text)))
	if len(words) > mostCorrected {
		return ""
	}
	changed := false
	for i, word := range words {
		if known.has(word) || slices.Contains(ignoredWords, word) {
			continue
		}
		near := known.nearest(word)
		if near == "" {
			return ""
		}
		words[i], changed = near, true
	}
	if !changed {
		return ""
	}
	return strings.Join(words, " ")
}

// has reports whether a word is known, in the singular or the plural.
func (known spellings) has(word string) bool {
	return known[word] > 0 || known[word+"s"] > 0 || known[strings.TrimSuffix(word, "s")] > 0
}

// nearest returns the known word that is most similar to word, and the most frequent of equally
// similar ones. A word of four or five letters may differ in one letter, and a longer word in two.
// nearest returns "" if no known word is that similar.
func (known spellings) nearest(word string) string {
	limit := 0
	switch letters := len([]rune(word)); {
	case letters > 5:
		limit = 2
	case letters > 3:
		limit = 1
	}
	best, distance := "", limit+1
	for candidate, count := range known {
		if d := len(candidate) - len(word); d > limit || d < -limit {
			continue
		}
		d := levenshtein.ComputeDistance(word, candidate)
		order := cmp.Or(cmp.Compare(d, distance), cmp.Compare(known[best], count), cmp.Compare(candidate, best))
		if d <= limit && order < 0 {
			best, distance = candidate, d
		}
	}
	return best
}

// subjects returns the names of all training subjects, sorted.
func subjects() (names []string) {
	for _, n := range words.List("taught") {
		names = append(names, strings.Split(n.Name, "|")...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
