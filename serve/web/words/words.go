// Package words provides the display names of codes, such as "Apprenticeship starts" for
// apprenticeship_starts. The codes are values of the API and of the program. The file words.tsv has
// one line for each: the list of the code, the code, and its display name.
package words

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/serve/api"
)

//go:embed words.tsv
var text string

var lists = sync.OnceValue(func() map[string][]api.Named {
	all := map[string][]api.Named{}
	for line := range strings.Lines(text) {
		list, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		value, name, _ := strings.Cut(rest, "\t")
		all[list] = append(all[list], api.Named{Value: value, Name: name})
	}
	return all
})

// List returns the values of a list, in their order.
func List(list string) []api.Named { return append([]api.Named{}, lists()[list]...) }

// In returns the name of a value in a list; empty if it is not in the list.
func In(list, value string) string {
	for _, n := range lists()[list] {
		if n.Value == value {
			return n.Name
		}
	}
	return ""
}

// Number formats a number with commas between thousands, and a minus sign (U+2212).
func Number(n int64) string {
	return strings.Replace(message.NewPrinter(language.BritishEnglish).Sprintf("%d", n), "-", "−", 1)
}

// Sentence returns a stored value as readable text: "employer_boards" becomes "Employer boards".
func Sentence(word string) string {
	word = strings.ReplaceAll(word, "_", " ")
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
