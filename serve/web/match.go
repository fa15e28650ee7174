package web

import (
	"regexp"
	"slices"
	"strings"

	"labour/serve/prefixsearch"
)

// match is the quality of a match of a text with the words of a search, the best first.
type match int

// Kinds of a match between a search text and a name, the best first.
const (
	exact     match = iota // all words of the name, and no others
	wording                // all words of a wording, and no others
	wholeWord              // whole words of the name
	beginning              // prefixes of words of the name
	within                 // words of a wording, or of the text of a document
	none                   // not all words match
)

// search holds a search as it was typed, and its words without a plural s.
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
	list := strings.Fields(string(prefixsearch.NameOf(text)))
	for i, word := range list {
		if len(word) > 3 && !strings.HasSuffix(word, "ss") {
			list[i] = strings.TrimSuffix(word, "s")
		}
	}
	return list
}

// in returns how well a name matches the words of the search.
func (s search) in(name string) match {
	if !s.Matches(prefixsearch.NameOf(name)) || name == "" {
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

// inWordings returns the wording with the best match, in readable form, and the match.
func (s search) inWordings(list string) (readable string, best match) {
	best = none
	for text := range strings.SplitSeq(list, "|") {
		if !s.Matches(prefixsearch.NameOf(text)) {
			continue
		}
		text = s.chosen(text)
		m := within
		if s.in(text) == exact {
			m = wording
		}
		if m < best {
			readable, best = text, m
		}
	}
	return readable, best
}

// alternatives matches the choices within a wording: "customer {service,care}".
var alternatives = regexp.MustCompile(`\{[^}]*\}`)

// chosen returns a wording with the alternatives that match the search, or else the first ones:
// "manag{e,ing} projects" becomes "manage projects".
func (s search) chosen(wording string) string {
	return alternatives.ReplaceAllStringFunc(wording, func(list string) string {
		each := strings.Split(strings.Trim(list, "{}"), ",")
		for _, one := range each {
			about := func(word string) bool { return prefixsearch.Search{word}.Matches(prefixsearch.NameOf(one)) }
			if slices.ContainsFunc(s.Search, about) {
				return one
			}
		}
		return each[0]
	})
}
