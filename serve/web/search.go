package web

import (
	"strings"
	"unicode"
)

// holds says whether every word of the search begins a word of the name, in any
// letter case, as the interface searches names. An empty search holds for all.
func holds(name, search string) bool {
	words := wordsOf(name)
	for _, asked := range wordsOf(search) {
		found := false
		for _, w := range words {
			found = found || strings.HasPrefix(w, asked)
		}
		if !found {
			return false
		}
	}
	return true
}

// wordsOf are the words of a text in small letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '#' && r != '+' })
}
