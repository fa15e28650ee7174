package web

import (
	"strings"
	"testing"
)

// Of several spellings the nearest counts, then the one in more names; short words have none.
func TestNearestSpelling(t *testing.T) {
	known := spellings{"plumber": 1, "plumbers": 4, "lumber": 1, "bar": 9, "cafes": 2, "cares": 2}
	for word, want := range map[string]string{"plumbre": "plumbers", "plumer": "plumber", "plumbets": "plumbers",
		"bat": "", "cates": "cafes", "xylophone": ""} {
		if got := known.nearest(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := known.correct(strings.Repeat("plumer ", mostCorrected+1)); got != "" {
		t.Errorf("of a long text: %q", got)
	}
	for word, want := range map[string]bool{"lumber": true, "lumbers": true, "cafe": true, "cafes": true, "cafesx": false,
		"ba": false} {
		if got := known.has(word); got != want {
			t.Errorf("%q is known: %v, want %v", word, got, want)
		}
	}
	if got := known.correct("Plumer bar"); got != "plumber bar" {
		t.Errorf("%q", got)
	}
}
