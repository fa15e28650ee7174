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

// longestCompared limits the work of a comparison, and the length of a caller's text in a message.
const longestCompared = 64

// nearest returns at most n known values that are similar to an unknown one: first values that
// contain all its words or words that begin with them, then values with one such word, then values
// that differ by a few letters. It returns no other values.
func nearest(wrong string, known []string, n int) []string {
	named := make([]api.Named, len(known))
	for i, k := range known {
		named[i].Value = k
	}
	return Nearest(wrong, named, n)
}

// Nearest returns at most n known values that are similar to an unknown one, the most similar
// first. It compares words and prefixes of words, also in names, and then letters. Unlike
// snapshots.Nearest, which names the best of a few in any case, it may return none.
func Nearest(wrong string, known []api.Named, n int) []string {
	type candidate struct {
		value           string
		class, distance int
	}
	wrong = strings.ToLower(Clip(wrong))
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

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// begun counts the wanted words of at least three letters that are a prefix of a word.
func begun(wanted, words []string) (n int) {
	for _, w := range wanted {
		if len(w) > 2 && slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, w) }) {
			n++
		}
	}
	return n
}

// Clip shortens a caller's text for a message, between characters and without invalid
// UTF-8.
func Clip(s string) string {
	s = strings.ToValidUTF8(s, "")
	for i := range s {
		if i >= longestCompared {
			return s[:i]
		}
	}
	return s
}

func quote(value string) string { return strconv.Quote(Clip(value)) }
