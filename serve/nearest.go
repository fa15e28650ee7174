package serve

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"

	"labour/serve/api"
)

// longestCompared is the largest number of bytes of a client's text that are compared with known
// values or shown in a message.
const longestCompared = 64

// nearest returns at most n known values that are similar to a wrong value, like MostSimilarValues, where
// the values have no names.
func nearest(wrong string, known []string, n int) []string {
	named := make([]api.Named, len(known))
	for i, k := range known {
		named[i].Value = k
	}
	return MostSimilarValues(wrong, named, n)
}

// MostSimilarValues returns at most n known values that are similar to wrong, the most similar first.
// Values with all of its words come before those with some, and these before values that differ by
// a few letters. A word also matches the beginning of a word.
func MostSimilarValues(wrong string, known []api.Named, n int) []string {
	type candidate struct {
		value           string
		class, distance int
	}
	wrong = strings.ToLower(TruncateText(wrong))
	wanted := wordsOf(wrong)
	var near []candidate
	for _, k := range known {
		value := strings.ToLower(k.Value)
		c := candidate{k.Value, 2, levenshtein.ComputeDistance(wrong, value)}
		switch matching := begun(wanted, append(wordsOf(value), wordsOf(strings.ToLower(k.Name))...)); {
		case len(wanted) > 0 && matching == len(wanted):
			c.class = 0
		case matching > 0:
			c.class = 1
		case c.distance > max(1, len(wrong)/3):
			continue
		}
		near = append(near, c)
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.distance, b.distance), cmp.Compare(a.value, b.value))
	})
	out := make([]string, 0, n)
	for _, c := range near[:min(n, len(near))] {
		out = append(out, c.value)
	}
	return out
}

// wordsOf splits a text into its words, which are runs of letters and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// begun returns how many of the wanted words with three or more letters are the beginning of one of
// the words.
func begun(wanted, words []string) (n int) {
	for _, w := range wanted {
		if len(w) > 2 && slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, w) }) {
			n++
		}
	}
	return n
}

// TruncateText returns at most the first longestCompared bytes of a text, as valid UTF-8 that ends after
// a whole character.
func TruncateText(s string) string {
	s = strings.ToValidUTF8(s, "")
	for i := range s {
		if i >= longestCompared {
			return s[:i]
		}
	}
	return s
}

func quote(value string) string { return strconv.Quote(TruncateText(value)) }
