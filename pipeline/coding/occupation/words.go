package occupation

import (
	_ "embed" // for the lists of words
	"strings"
)

// wordsTSV has lists of words in job titles, such as words for seniority. Each row has the name of
// a list and some of its words.
//
//go:embed words.tsv
var wordsTSV string

// lists maps the name of each word list in words.tsv to its words. The words are separated by
// spaces or bars.
var lists = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(wordsTSV) {
		if name, words, ok := strings.Cut(line, "\t"); ok {
			m[name] += words
		}
	}
	return m
}()

// These are word lists for reading job titles. They never change.
var (
	// spellings maps a spelling or short form of a word to its usual form, such as "mgr" to
	// "manager".
	spellings = rewrites("spellings", 1)
	// pairs maps two words to the one word that replaces them, such as "help desk" to "helpdesk".
	pairs = rewrites("pairs", 2)
	// expansions maps an abbreviation to the words that it stands for.
	expansions = rewrites("expansions", 1)

	// seniority has words such as "senior", which do not change the occupation.
	seniority = set(lists["seniority"])
	// terms has words for contract, hours, mode of work and gender, and filler words.
	terms = set(lists["terms"])
	// places has names of places that adverts add to a job title.
	places = set(lists["places"])

	// roles has nouns for people who do a job, such as "nurse". The last role in a title is its
	// head noun. The words before it only qualify it.
	roles = set(lists["roles"])

	// weak has words that are job titles, but are too vague inside a longer title. A "coordinator"
	// does office work, but a "clinical trials coordinator" does not.
	weak = set(lists["weak"])

	// wide has words such as "operations". A title of such a word and a word in weakAfterWide is
	// too vague inside a longer title. An "operations manager" works in storage, but a "community
	// operations manager" does not.
	wide = set(lists["wide"])
	// weakAfterWide has words such as "manager" that are too vague after a word of wide.
	weakAfterWide = set(lists["weakAfterWide"])

	// grades has words for the head of a whole department, such as "director".
	grades = set(lists["grades"])
	// linking has words without a meaning of their own, such as "of".
	linking = set(lists["linking"])
	// links has words such as "based" in "Driver based in Hull". The words after it do not name the
	// occupation.
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

// rewrites reads a list of replacements from words.tsv. Rows are separated by "|". The first
// wordCount words of a row are replaced by its other words.
func rewrites(list string, wordCount int) map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(lists[list], "|") {
		if f := strings.Fields(row); len(f) > wordCount {
			m[strings.Join(f[:wordCount], " ")] = strings.Join(f[wordCount:], " ")
		}
	}
	return m
}
