package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"labour/serve/api"
)

// paged is a service whose snapshot was superseded and shut after it gave a cursor.
func paged(t *testing.T, change func(*Options)) (s *service, cursor string) {
	t.Helper()
	s = newService(t, change)
	cursor = *envelopeOf(t, s.get(t, "/v1/labour/skills-unmet?limit=2")).Meta.NextCursor
	s.live.kept = map[string]*fakeSnapshot{"2026-11-21.1": newFakeSnapshot("2026-11-21.1")}
	s.live.current = "2026-11-21.1"
	return s, cursor
}

// TestCursorsReopenWithAKeyOnly: mounting a snapshot costs seconds, and pages are read
// by anybody.
func TestCursorsReopenWithAKeyOnly(t *testing.T) {
	var inside PageBackend
	s, cursor := paged(t, func(o *Options) {
		o.Pages = func(i PageBackend) (http.Handler, error) { inside = i; return http.NotFoundHandler(), nil }
	})
	var opened []string
	s.live.reopen = func(_ context.Context, id string) error {
		opened = append(opened, id)
		s.live.kept[id] = newFakeSnapshot(id)
		return nil
	}
	w := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/csv/skills-unmet", nil)
	request = request.WithContext(context.WithValue(request.Context(), callKey{},
		&call{id: "req_1", at: s.clock.now()}))
	inside.SendDownload(w, request, Download{Dataset: "skills-unmet", Format: "csv"}, url.Values{"cursor": {cursor}})
	if w.Code != http.StatusBadRequest || len(opened) != 0 {
		t.Errorf("without a key: status %d, opened %v", w.Code, opened)
	}
	if res := s.get(t, "/v1/labour/skills-unmet?cursor="+cursor); res.status != http.StatusOK || len(opened) != 1 {
		t.Errorf("with a key: status %d, opened %v", res.status, opened)
	}
}

// TestReopeningHasTheTurnAndTimeOfAQuery: "where it has to be mounted first, the answer is 503 with
// Retry-After, never a 504". The call ends at the deadline of a query, and waits like a query while
// others are answered.
func TestReopeningHasTheTurnAndTimeOfAQuery(t *testing.T) {
	s, cursor := paged(t, func(o *Options) {
		o.MaxQueries, o.QueueWait, o.QueryTimeout = 1, 10*time.Millisecond, 200*time.Millisecond
	})
	opening := make(chan struct{})
	s.live.reopen = func(ctx context.Context, _ string) error {
		close(opening)
		<-ctx.Done()
		return ctx.Err()
	}
	first := make(chan result)
	go func() { first <- s.get(t, "/v1/labour/skills-unmet?cursor="+cursor) }()
	<-opening
	if e := errorOf(t, s.get(t, "/v1/labour/skills-unmet?limit=3")); e.Code != "unavailable" {
		t.Errorf("next to it: %+v", e)
	}
	if e := errorOf(t, <-first); e.Code != "unavailable" || e.RetryAfterSeconds == nil {
		t.Errorf("the call itself: %+v", e)
	}
}

// TestNamedSnapshotsReopenWithAKeyOnly: the parameter snapshot is a cursor without a position.
func TestNamedSnapshotsReopenWithAKeyOnly(t *testing.T) {
	s, _ := paged(t, func(o *Options) {
		o.QueryTimeout = 100 * time.Millisecond
		withPages(func(in PageBackend) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				in.SendDownload(w, r, Download{Dataset: "regions", Format: "csv"}, url.Values{"snapshot": {"2026-11-20.1"}})
			}
		})(o)
	})
	opened := 0
	s.live.reopen = func(ctx context.Context, id string) error {
		opened++
		<-ctx.Done()
		return ctx.Err()
	}
	if w := record(s, newRequest(s, "/csv/regions")); w.Code != http.StatusBadRequest || opened != 0 {
		t.Errorf("without a key: status %d, opened %d times", w.Code, opened)
	}
	if res := s.get(t, "/v1/labour/regions?snapshot=2026-11-20.1"); res.status != http.StatusServiceUnavailable ||
		res.header.Get("Retry-After") == "" || opened != 1 {
		t.Errorf("with a key: status %d, Retry-After %q, opened %d times", res.status, res.header.Get("Retry-After"),
			opened)
	}
}

// TestUnopenedSnapshotIsNoFaultOfTheCursor: the partner can try again later.
func TestUnopenedSnapshotIsNoFaultOfTheCursor(t *testing.T) {
	s, cursor := paged(t, nil)
	s.live.reopen = func(context.Context, string) error { return api.ErrSnapshotUnavailable }
	if res := s.get(t, "/v1/labour/skills-unmet?cursor="+cursor); res.status != http.StatusServiceUnavailable {
		t.Errorf("status %d: %s", res.status, res.body)
	}
}
