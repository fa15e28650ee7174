package web

import (
	"slices"
	"strings"

	"labour/serve/prefixsearch"
)

// uncoveredSubject is a subject that this service does not cover, such as pay. It has a link to a
// publisher that does.
type uncoveredSubject struct {
	words []string // words of a search that mean this subject
	Text  string
	Who   link
}

// notCovered lists subjects that visitors search for but this service does not cover.
var notCovered = []uncoveredSubject{
	{[]string{"pay", "paid", "salary", "salarie", "wage", "earn", "earning", "income"},
		"Pay is not covered here. Earnings by occupation and place are published by the Office for National Statistics:",
		link{"Earnings and working hours",
			"https://www.ons.gov.uk/employmentandlabourmarket/peopleinwork/earningsandworkinghours"}},
	{[]string{"course", "college", "provider", "class", "lesson", "address"},
		"Courses with their providers and addresses are not covered here. The National Careers Service lists them:",
		link{"Find a course", "https://nationalcareers.service.gov.uk/find-a-course"}},
	{[]string{"unemployment", "unemployed", "claimant", "benefit"},
		"Unemployment and benefits are not covered here. Nomis has them for every place:",
		link{"Nomis", "https://www.nomisweb.co.uk/"}},
	{[]string{"job", "vacancy", "vacancie"},
		"A list of jobs to apply for is not given here; the page of an occupation shows a few. The Department for Work " +
			"and Pensions has:",
		link{"Find a job", "https://findajob.dwp.gov.uk/"}},
}

// absentOf returns the subjects that a visitor searches for but this service does not cover.
func absentOf(asked string) (list []uncoveredSubject) {
	words := stems(asked)
	for _, e := range notCovered {
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(e.words, word) }) {
			list = append(list, e)
		}
	}
	return list
}

// ignoredWords are words that a search ignores, such as articles and question words.
var ignoredWords = strings.Fields("a an the of in on at for to and or do does is are can could i my me you we it how " +
	"much many " +
	"what which where who when there with about need get")

// essential returns the search without articles and question words, and without words about
// subjects that this service does not cover. For example, "how much does a nurse earn" becomes
// "nurse". The search page uses the result if no name matches the search as typed.
func (s search) essential() search {
	kept := slices.DeleteFunc(strings.Fields(s.text), func(word string) bool {
		folded := strings.TrimSpace(string(prefixsearch.NewName(word)))
		return slices.Contains(ignoredWords, folded) || len(absentOf(word)) > 0
	})
	return searchOf(strings.Join(kept, " "))
}
