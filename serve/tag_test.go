package serve

import (
	"net/http"
	"testing"

	"labour/serve/partners/access"
)

// TestTagsFollowTheCursors: a snapshot with the same tables as the one before gives a list without pages
// the same tag, and a list with cursors another one, since its first page leads on into the snapshot.
func TestTagsFollowTheCursors(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	later := newFakeSnapshot("2026-11-20.2")
	s.live.kept[later.id] = later
	tags := func(path string) (before, after string) {
		for i, id := range []string{"2026-11-20.1", later.id} {
			s.live.current = id
			s.live.now().digest, s.live.now().open = "one", map[string]bool{"demand": true}
			tag := s.get(t, path).header.Get("Etag")
			if i == 0 {
				before = tag
			}
			after = tag
		}
		return before, after
	}
	for path, want := range map[string]bool{"/v1/labour/skills-unmet": true, "/v1/labour/evidence": true,
		"/v1/jobs": true, "/v1/labour/demand": true, "/v1/labour/regions": false, "/v1/labour/course-demand": false,
		"/v1/pathways": false} {
		if before, after := tags(path); before == "" || (before != after) != want {
			t.Errorf("%s has the tags %q and %q, want that they differ: %t", path, before, after, want)
		}
	}
}

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
