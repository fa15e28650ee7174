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

// longestCompared is the number of bytes after which TruncateText cuts a text from a client. The
// text is then compared with known values or shown in an error message.
const longestCompared = 64

// nearest returns up to n values that are similar to a query. It calls MostSimilarValues for values
// that have no display names.
func nearest(query string, values []string, n int) []string {
	named := make([]api.Named, len(values))
	for i, k := range values {
		named[i].Value = k
	}
	return MostSimilarValues(query, named, n)
}

// MostSimilarValues returns up to n values that are similar to a query, the most similar first.
// Values that match all words of the query come first, then values that match some of its words.
// The last ones differ from the query by a few letters. A word of the query matches if it has at
// least three bytes and a word of the value, or of its display name, begins with it. Package web
// corrects the spelling of searches in another way, because it knows how often each word occurs.
func MostSimilarValues(query string, values []api.Named, n int) []string {
	type candidate struct {
		value           string
		class, distance int
	}
	query = strings.ToLower(TruncateText(query))
	wanted := wordsOf(query)
	var near []candidate
	for _, k := range values {
		value := strings.ToLower(k.Value)
		c := candidate{k.Value, 2, levenshtein.ComputeDistance(query, value)}
		switch matching := countPrefixes(wanted, append(wordsOf(value), wordsOf(strings.ToLower(k.Name))...)); {
		case len(wanted) > 0 && matching == len(wanted):
			c.class = 0
		case matching > 0:
			c.class = 1
		case c.distance > max(1, len(query)/3):
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

// wordsOf splits a text into words. A word is a run of letters and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// countPrefixes returns how many of the words in wanted are the beginning of a word in words. Words
// in wanted with one or two bytes do not count.
func countPrefixes(wanted, words []string) (n int) {
	for _, w := range wanted {
		if len(w) > 2 && slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, w) }) {
			n++
		}
	}
	return n
}

// TruncateText cuts a text from a client to at most 64 bytes, or up to three bytes more to keep the
// last character whole. It removes invalid UTF-8.
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
