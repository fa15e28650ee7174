package web

import (
	"regexp"
	"slices"
	"strings"

	"labour/serve/prefixsearch"
)

// match states how well a text matches a search. Lower values are better.
type match int

// Degrees of how well a text matches a search, the best first.
const (
	// exact means that the search is the whole name.
	exact match = iota
	// wording means that the search is a whole wording (a phrase in adverts).
	wording
	// wholeWord means that each word of the search is a word of the name.
	wholeWord
	// beginning means that each word of the search is the start of a word of the name.
	beginning
	// partMatch means that the search is part of a wording (a phrase in adverts) or of the text of
	// a document.
	partMatch
	// none means that the text lacks one of the words of the search.
	none
)

// search holds a visitor's search: the text that was typed, and its words in lower case and without
// a plural s.
type search struct {
	prefixsearch.Search
	text  string
	words []string
}

func searchOf(asked string) search {
	s := search{text: asked, words: stems(asked)}
	for _, word := range s.words {
		s.Search = append(s.Search, " "+word)
	}
	return s
}

// stems returns the words of a text in lower case, without a plural s.
func stems(text string) []string {
	list := strings.Fields(string(prefixsearch.NewName(text)))
	for i, word := range list {
		if len(word) > 3 && !strings.HasSuffix(word, "ss") {
			list[i] = strings.TrimSuffix(word, "s")
		}
	}
	return list
}

// in returns how well a name matches the search.
func (s search) in(name string) match {
	if !s.Matches(prefixsearch.NewName(name)) || name == "" {
		return none
	}
	of := stems(name)
	switch {
	case slices.Equal(of, s.words):
		return exact
	case !slices.ContainsFunc(s.words, func(word string) bool { return !slices.Contains(of, word) }):
		return wholeWord
	}
	return beginning
}

// inWordings returns the wording (a phrase in adverts) that matches the search best, in readable
// form, and how well it matches. list has wordings separated by "|". If none matches, the result is
// "" and the constant none.
func (s search) inWordings(list string) (bestText string, best match) {
	best = none
	for text := range strings.SplitSeq(list, "|") {
		if !s.Matches(prefixsearch.NewName(text)) {
			continue
		}
		text = s.chooseAlternatives(text)
		m := partMatch
		if s.in(text) == exact {
			m = wording
		}
		if m < best {
			bestText, best = text, m
		}
	}
	return bestText, best
}

// alternatives matches a choice of words in a wording, such as {service,care} in the wording
// "customer {service,care}".
var alternatives = regexp.MustCompile(`\{[^}]*\}`)

// chooseAlternatives replaces each pair of braces in a wording by one of its alternatives. It
// chooses the first one that matches a word of the search, or else the first one. For example,
// "manag{e,ing} projects" becomes "manage projects".
func (s search) chooseAlternatives(wording string) string {
	return alternatives.ReplaceAllStringFunc(wording, func(list string) string {
		each := strings.Split(strings.Trim(list, "{}"), ",")
		for _, one := range each {
			about := func(word string) bool { return prefixsearch.Search{word}.Matches(prefixsearch.NewName(one)) }
			if slices.ContainsFunc(s.Search, about) {
				return one
			}
		}
		return each[0]
	})
}
