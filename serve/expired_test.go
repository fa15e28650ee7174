package serve

import (
	"net/http"
	"strings"
	"testing"

	"labour/serve/api"
)

// TestTheWayBackFromAnExpiredCursor: the rows of a list may be unchanged although the snapshot of a cursor is
// gone. The first page then keeps its tag, so a client that sends If-None-Match gets its own copy with the same
// cursor. The message says how to get another one, and that way works.
func TestTheWayBackFromAnExpiredCursor(t *testing.T) {
	s := newService(t, nil)
	const first = "/v1/labour/skills-unmet?limit=1"
	tag := s.get(t, first).header.Get("ETag")
	cursor := *envelopeOf(t, s.get(t, first)).Meta.NextCursor
	delete(s.live.kept, "2026-11-20.1")
	s.live.kept["2026-11-22.1"], s.live.current = newFakeSnapshot("2026-11-22.1"), "2026-11-22.1"
	s.live.kept["2026-11-22.1"].digest = "2026-11-20.1"
	r := newRequest(s, first)
	r.Header.Set("If-None-Match", tag)
	if w := record(s, r); w.Code != http.StatusNotModified {
		t.Errorf("the unchanged first page has status %d", w.Code)
	}
	e := errorOf(t, s.get(t, first+"&cursor="+cursor))
	advice := "Start again from the first page, without cursor and without If-None-Match"
	if e.Code != "cursor_expired" || !strings.Contains(e.Message, advice) {
		t.Errorf("the old cursor gets %s: %s", e.Code, e.Message)
	}
	fresh := *envelopeOf(t, s.get(t, first)).Meta.NextCursor
	if res := s.get(t, first+"&cursor="+fresh); fresh == cursor || res.status != http.StatusOK {
		t.Errorf("the new cursor has status %d", res.status)
	}
	if p := apiErrorOf(&call{}, api.ErrSnapshotWithdrawn); !strings.Contains(p.message, advice) {
		t.Errorf("of withdrawn data: %s", p.message)
	}
}
