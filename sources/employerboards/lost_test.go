package employerboards

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"labour/sources"
)

// byAddress opens a body that is the address of its object. It calls nothing else.
type byAddress struct{ sources.Fetcher }

func (byAddress) Open(o sources.ArchivedObject) (sources.Body, error) {
	return io.NopCloser(strings.NewReader(o.URL)), nil
}

// TestListThatLostWhatItHad holds when a new list of a board is refused since its adverts all lack what
// those of the last list had, or none of them can be read.
func TestListThatLostWhatItHad(t *testing.T) {
	rows := func(n int, format string) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(format, i))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	const (
		whole = `{"id":"p%d","text":"Job","createdAt":1793982000000,"categories":{"location":"Leeds"},` +
			`"descriptionPlain":"Words"}`
		noPlace  = `{"id":"p%d","text":"Job","createdAt":1793982000000,"descriptionPlain":"Words"}`
		noDay    = `{"id":"p%d","text":"Job","categories":{"location":"Leeds"},"descriptionPlain":"Words"}`
		noText   = `{"id":"p%d","text":"Job","createdAt":1793982000000,"categories":{"location":"Leeds"}}`
		untitled = `{"id":"p%d"}`
	)
	s := connector(t, Config{Boards: []Board{{Vendor: "lever", Token: "b", Employer: "B"}}})
	board := Board{Vendor: "lever", Token: "b", Employer: "B"}
	for _, c := range []struct{ name, before, now, want string }{
		{"as before", rows(3, whole), rows(4, whole), ""},
		{"no place", rows(3, whole), rows(3, noPlace), "a place"},
		{"no day", rows(3, whole), rows(3, noDay), "a day of publication"},
		{"no text", rows(3, whole), rows(3, noText), "a text"},
		{"no place before either", rows(3, noPlace), rows(3, noPlace) + " ", ""},
		{"none can be read", rows(3, whole), rows(3, untitled), "none of its 3 adverts can be read"},
		{"too few now", rows(3, whole), rows(2, untitled), ""},
		{"too few before", rows(2, whole), rows(3, untitled), ""},
		{"no list before", "", rows(3, untitled), ""},
	} {
		object := func(text string) []sources.ArchivedObject {
			if text == "" {
				return nil
			}
			return []sources.ArchivedObject{{Name: "lever/b/0", URL: text, SHA256: text}}
		}
		err := s.checkFormat(byAddress{}, board, object(c.now), object(c.before))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
