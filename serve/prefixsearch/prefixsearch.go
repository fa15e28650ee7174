// Package prefixsearch finds names by the beginnings of their words, in any letter case and with or
// without accents. Every word of the search must match the beginning of a word of the name.
// Apostrophes are ignored, so that king's and kings are the same word. The signs # and + count as
// letters, so that C, C# and C++ are three words.
package prefixsearch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Name is a name prepared for search: its words in lower case without accents, each with a
// space before it.
type Name string

// NameOf makes one name of several texts.
func NameOf(texts ...string) Name {
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
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '#' || r == '+'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func doesNotCount(r rune) bool {
	return r == '\'' || r == '’' || r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r)
}

// Search holds the words to search for, each with a space before it.
type Search []string

// ParseSearch returns the search for a text that a person typed. A search without words matches every name.
func ParseSearch(text string) Search {
	search := Search(strings.Fields(string(NameOf(text))))
	for i := range search {
		search[i] = " " + search[i]
	}
	return search
}

// Matches reports whether each word of the search begins a word of the name.
func (s Search) Matches(n Name) bool {
	return !slices.ContainsFunc(s, func(word string) bool { return !strings.Contains(string(n), word) })
}
