package occupation

import (
	_ "embed" // the lists of words are part of the program
	"strings"
)

//go:embed words.tsv
var wordsTSV string

// lists are the lists of words.tsv.
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
	spellings  = rewrites("spellings", 1)  // one word for another, after lowering the case
	pairs      = rewrites("pairs", 2)      // two words that are one
	expansions = rewrites("expansions", 1) // one word for several

	seniority = set(lists["seniority"]) // does not change the occupation, before or after the title
	terms     = set(lists["terms"])     // of contract, hours, mode of work, marks of gender and filler
	places    = set(lists["places"])    // that adverts add to a title

	// roles are the nouns for what a person is; the last one of a title is its head, the rest only
	// names the kind.
	roles = set(lists["roles"])

	// weak titles are right as a whole title but too vague as part of a longer one ("coordinator"
	// alone is office work, a "clinical trials coordinator" is not).
	weak = set(lists["weak"])

	// wide first words make a title of two words as weak ("operations
	// manager" is storage, a "community operations manager" is not).
	wide          = set(lists["wide"])
	weakAfterWide = set(lists["weakAfterWide"])

	grades  = set(lists["grades"])  // the words for the head of a whole function
	linking = set(lists["linking"]) // mean nothing by themselves
	links   = set(lists["links"])   // end the part that names the occupation: "Driver based in Hull"
)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[singular(w)] = true
		m[w] = true
	}
	return m
}

// rewrites reads a list of rows with "|" between their columns: the replacement of each row's first
// words.
func rewrites(list string, first int) map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(lists[list], "|") {
		if f := strings.Fields(row); len(f) > first {
			m[strings.Join(f[:first], " ")] = strings.Join(f[first:], " ")
		}
	}
	return m
}
