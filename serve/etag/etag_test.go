package etag

import (
	"net/http"
	"testing"
)

// TestMatches: a page or an answer is unchanged for its own tag, alone or in a list, weak or
// strong, and not for a tag that only contains it.
func TestMatches(t *testing.T) {
	const tag = `W/"abc"`
	for match, want := range map[string]bool{tag: true, `"abc"`: true, `"x", W/"abc"`: true, "*": true, "": false,
		`"x"`: false, `W/"abcd"`: false, `"W/"abc"x"`: false} {
		r := &http.Request{Header: http.Header{"If-None-Match": {match}}}
		if got := Matches(r, tag); got != want {
			t.Errorf("If-None-Match: %s: %t, want %t", match, got, want)
		}
	}
}

// TestOf: a tag is weak, the same for the same text, and another for another text.
func TestOf(t *testing.T) {
	if tag, want := Of([]byte("a")), `W/"ca978112ca1bbdcafac231b3"`; tag != want {
		t.Errorf("%s, want %s", tag, want)
	}
	if Of([]byte("a")) == Of([]byte("b")) {
		t.Error("two texts have one tag")
	}
}
