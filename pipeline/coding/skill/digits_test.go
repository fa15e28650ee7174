package skill

import (
	"strings"
	"testing"
)

// TestLinesWithDigitsAreNoHeadings: a skill below one is still under the heading before it.
func TestLinesWithDigitsAreNoHeadings(t *testing.T) {
	r := load(t)
	for line, want := range map[string]string{"Requirements:": "welding-fabrication", "0 requirements:": "",
		"9 requirements:": "", "5 requirements:": ""} {
		if got := strings.Join(slugs(r.Recognise("Our benefits:\nCounselling\n"+line+"\nWelding")), " "); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}
