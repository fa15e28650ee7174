package signin_test

import (
	"errors"
	"strings"
	"testing"

	"labour/serve/partners/signin"
)

// An address is compared in lower case, and has at most 254 characters.
func TestWhatIsAnAddress(t *testing.T) {
	longest := "a@" + strings.Repeat("b", 63) + "." + strings.Repeat("c", 63) + "." + strings.Repeat("d", 63) + "." +
		strings.Repeat("e", 60)
	for text, want := range map[string]string{
		" Ann@Example.org\n": "ann@example.org", "a+b@example.org": "a+b@example.org", longest: longest,
		longest + "e": "", "Ann <ann@example.org>": "", "<ann@example.org>": "", "ann": "", "": "", "ann@": "",
	} {
		got, err := signin.ParseAddress(text)
		if got != want || errors.Is(err, signin.ErrInvalidAddress) != (want == "") {
			t.Errorf("%q is the address %q, %v, want %q", text, got, err, want)
		}
	}
}
