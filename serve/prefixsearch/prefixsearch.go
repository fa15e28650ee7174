// Package prefixsearch matches names by the first letters of their words. Each word of a search
// must be a prefix of a word of the name. Letter case, accents and apostrophes are ignored. The
// signs # and + count as letters, so that C, C# and C++ are different words.
package prefixsearch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Name is a name prepared for a search. It holds the words of the name in lower case, without
// accents, each after a space.
type Name string

// NewName returns a Name with the words of all texts. A search can find it by any of these words. The
// packages of the batch side normalise names with other rules, which decide whether two names are the
// same, for example without legal forms. A search has no such rules.
func NewName(texts ...string) Name {
	var name []byte
	for _, text := range texts {
		between := true // between two words, or before the first
		for _, r := range norm.NFD.String(strings.ToLower(text)) {
			switch {
			case isLetter(r):
				if between {
					name = append(name, ' ')
				}
				between = false
				name = utf8.AppendRune(name, r)
			case !doesNotCount(r):
				between = true
			}
		}
	}
	return Name(name)
}

func isLetter(r rune) bool {
	switch {
	case r >= utf8.RuneSelf:
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '#', r == '+':
		return true
	}
	return false
}

func doesNotCount(r rune) bool {
	return r == '\'' || r == '’' || unicode.Is(unicode.Mn, r)
}

// Search holds the words that a user searches for, in lower case and without accents, each after a
// space.
type Search []string

// ParseSearch converts the text that a user typed to a Search. A Search without words matches every
// name.
func ParseSearch(text string) Search {
	search := Search(strings.Fields(string(NewName(text))))
	for i := range search {
		search[i] = " " + search[i]
	}
	return search
}

// Matches reports whether every word of the search is the beginning of a word of the name.
func (s Search) Matches(n Name) bool {
	return !slices.ContainsFunc(s, func(word string) bool { return !strings.Contains(string(n), word) })
}
