package occupation

import (
	_ "embed" // for the lists of words
	"strings"
)

//go:embed words.tsv
var wordsTSV string

// lists maps the name of each list in words.tsv to its words, separated by spaces or bars.
var lists = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(wordsTSV) {
		if name, words, ok := strings.Cut(line, "\t"); ok {
			m[name] += words
		}
	}
	return m
}()

// The word tables are read only.
var (
	spellings  = rewrites("spellings", 1)  // one word for another, in lower case
	pairs      = rewrites("pairs", 2)      // one word for two
	expansions = rewrites("expansions", 1) // several words for one

	seniority = set(lists["seniority"]) // does not change the occupation, before or after the title
	terms     = set(lists["terms"])     // terms of contract, hours, mode of work, marks of gender, and filler words
	places    = set(lists["places"])    // places that adverts add to a title

	// roles are nouns for people, such as "nurse". The last role in a title is its head noun, which
	// the words before it only qualify.
	roles = set(lists["roles"])

	// weak has titles that are too vague as part of a longer one. "Coordinator" alone is office work,
	// but a "clinical trials coordinator" is not.
	weak = set(lists["weak"])

	// wide has words such as "operations". A title of two words that begins with one of them is not
	// looked for inside a longer title. An "operations manager" works in storage, a "community
	// operations manager" does not.
	wide          = set(lists["wide"])
	weakAfterWide = set(lists["weakAfterWide"])

	grades  = set(lists["grades"])  // words for the head of a whole function
	linking = set(lists["linking"]) // words without meaning of their own
	links   = set(lists["links"])   // words after which the rest does not name the occupation: "Driver based in Hull"
)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[singular(w)] = true
		m[w] = true
	}
	return m
}

// rewrites returns the replacement for the first words of each row of a list. Rows have columns
// separated by "|".
func rewrites(list string, first int) map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(lists[list], "|") {
		if f := strings.Fields(row); len(f) > first {
			m[strings.Join(f[:first], " ")] = strings.Join(f[first:], " ")
		}
	}
	return m
}
