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
	spellings = spellingTable(lists["spellings"]) // one word for another, after lowering the case
	pairs     = pairTable(lists["pairs"])         // two words that are one

	// expansions: one word for several.
	expansions = map[string][]string{"ml": {"machine", "learning"}, "swe": {"software", "engineer"},
		"hrbp": {"hr", "business", "partner"}, "lnd": {"learning", "and", "development"}}

	seniority = set(lists["seniority"]) // does not change the occupation, before or after the title
	terms     = set(lists["terms"])     // of contract, hours, mode of work, marks of gender and filler
	places    = set(lists["places"])    // that adverts add to a title

	// roles are the nouns that say what a person is; the last one of a title
	// is its head, the rest only says which kind.
	roles = set(lists["roles"])

	// weak titles are right as a whole title but say too little when other words stand beside them
	// ("coordinator" alone is office work, a "clinical trials coordinator" is not).
	weak = set(lists["weak"])

	// wide first words make a title of two words as weak ("operations
	// manager" is storage, a "community operations manager" is not).
	wide          = set(lists["wide"])
	weakAfterWide = set(lists["weakAfterWide"])

	grades  = set(lists["grades"])  // the words for the head of a whole function
	linking = set(lists["linking"]) // tell nothing by themselves
	links   = set(lists["links"])   // end the part that says the occupation: "Driver based in Hull"
)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[single(w)] = true
		m[w] = true
	}
	return m
}

func spellingTable(list string) map[string]string {
	m := map[string]string{}
	for _, row := range strings.Split(list, "|") {
		if f := strings.Fields(row); len(f) == 2 {
			m[f[0]] = f[1]
		}
	}
	return m
}

func pairTable(list string) map[string]map[string]string {
	m := map[string]map[string]string{}
	for _, row := range strings.Split(list, "|") {
		f := strings.Fields(row)
		if len(f) != 3 {
			continue
		}
		if m[f[0]] == nil {
			m[f[0]] = map[string]string{}
		}
		m[f[0]][f[1]] = f[2]
	}
	return m
}
