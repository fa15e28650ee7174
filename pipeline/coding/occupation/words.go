package occupation

import (
	_ "embed" // for the lists of words
	"strings"
)

//go:embed words.tsv
var wordsTSV string

// lists maps the name of each word list in words.tsv to its words, separated by spaces or bars.
var lists = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(wordsTSV) {
		if name, words, ok := strings.Cut(line, "\t"); ok {
			m[name] += words
		}
	}
	return m
}()

// The word tables for reading job titles. They are never changed.
var (
	// maps a word in lower case to the word that replaces it, such as another spelling
	spellings  = rewrites("spellings", 1)
	pairs      = rewrites("pairs", 2)      // maps two words to the one word that replaces them
	expansions = rewrites("expansions", 1) // maps an abbreviation to the words that it stands for

	// words that do not change the occupation, such as "senior"; they are before or after the job
	// title
	seniority = set(lists["seniority"])
	// words in titles for contract, hours, mode of work and gender, and filler words
	terms  = set(lists["terms"])
	places = set(lists["places"]) // names of places that adverts add to a job title

	// roles are nouns for people who do a job, such as "nurse". The last such noun in a title is
	// the head noun; the words before it only qualify it.
	roles = set(lists["roles"])

	// weak has words that are job titles, but are too vague inside a longer title. A "coordinator"
	// does office work, but a "clinical trials coordinator" does not.
	weak = set(lists["weak"])

	// wide has words such as "operations". A two-word title that begins with a wide word and ends
	// with a weakAfterWide word counts only as a whole title. An "operations manager" works in
	// storage, but a "community operations manager" does not.
	wide          = set(lists["wide"])
	weakAfterWide = set(lists["weakAfterWide"])

	grades  = set(lists["grades"])  // words for the head of a whole function, such as "director"
	linking = set(lists["linking"]) // words in titles without meaning of their own, such as "of"
	// words after which the rest of a title does not name the occupation: "based" in "Driver based
	// in Hull"
	links = set(lists["links"])
)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[singular(w)] = true
		m[w] = true
	}
	return m
}

// rewrites returns a map with replacements for words, from a list in words.tsv. Rows of the list
// are separated by "|". The first words of a row, as many as wordCount, are replaced by the other
// words of the row.
func rewrites(list string, wordCount int) map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(lists[list], "|") {
		if f := strings.Fields(row); len(f) > wordCount {
			m[strings.Join(f[:wordCount], " ")] = strings.Join(f[wordCount:], " ")
		}
	}
	return m
}
