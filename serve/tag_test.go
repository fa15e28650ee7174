package serve

import (
	"net/http"
	"testing"
)

// TestMatchesETag: a page or an answer is unchanged for its own tag, alone or in a list, weak or
// strong, and not for a tag that only contains it.
func TestMatchesETag(t *testing.T) {
	const tag = `W/"abc"`
	for match, want := range map[string]bool{tag: true, `"abc"`: true, `"x", W/"abc"`: true, "*": true, "": false,
		`"x"`: false, `W/"abcd"`: false, `"W/"abc"x"`: false} {
		r := &http.Request{Header: http.Header{"If-None-Match": {match}}}
		if got := MatchesETag(r, tag); got != want {
			t.Errorf("If-None-Match: %s: %t, want %t", match, got, want)
		}
	}
}
