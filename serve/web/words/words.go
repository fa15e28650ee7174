// Package words provides the display names of codes, such as "Apprenticeship starts" for
// apprenticeship_starts. The codes are values of the API and of this program, in named lists such
// as "metric". Each line of the file words.tsv has the name of a list, a code, and its display
// name.
package words

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/serve/api"
)

// text is the content of words.tsv. Each line has the name of a list, a code and its display name.
//
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

// List returns the codes of the list called list, such as "metric", with their display names. The
// codes are in the order of words.tsv.
func List(list string) []api.Named { return append([]api.Named{}, lists()[list]...) }

// DisplayName returns the display name of the code value in the list called list, such as "metric".
// It returns "" if the list does not have the code.
func DisplayName(list, value string) string {
	for _, n := range lists()[list] {
		if n.Value == value {
			return n.Name
		}
	}
	return ""
}

// FormatNumber formats a number with commas between thousands, such as "18,000". The minus sign is
// U+2212.
func FormatNumber(n int64) string {
	return strings.ReplaceAll(message.NewPrinter(language.BritishEnglish).Sprintf("%d", n), "-", "−")
}

// CodeToText returns a code as readable text, such as "Employer boards" for employer_boards.
func CodeToText(word string) string {
	word = strings.ReplaceAll(word, "_", " ")
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
