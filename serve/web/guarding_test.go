package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// A visitor who holds a page is told so without a question, and caches may keep it.
func TestPagesHaveTheTagOfTheirSnapshot(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/skills?place=camden", "/gaps", "/sources", "/snapshots", "/docs"} {
		first := s.get(t, path)
		//lint:ignore SA1008 the header is sent as it is spelt in RFC 9110
		tag := first.Header()["ETag"]
		if len(tag) != 1 || first.Header().Get("Cache-Control") != "public, max-age=60" {
			t.Errorf("%s: %v", path, first.Header())
			continue
		}
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = "labour.example"
		r.Header.Set("If-None-Match", tag[0])
		w := httptest.NewRecorder()
		if s.handler.ServeHTTP(w, r); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
			t.Errorf("%s again: %d with %d bytes", path, w.Code, w.Body.Len())
		}
		r.Host = "other.example" // the calls on the page name the host
		w = httptest.NewRecorder()
		if s.handler.ServeHTTP(w, r); path != "/docs" && strings.HasPrefix(path, "/skills") && w.Code != http.StatusOK {
			t.Errorf("%s of another host: %d", path, w.Code)
		}
	}
	if w := s.get(t, "/nothing"); w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("an error may be kept: %v", w.Header())
	}
}

// The list has pages, and one snapshot is looked at without the others: what their
// manifests hold does not matter.
func TestSnapshotsAreFoundInTheIndex(t *testing.T) {
	data := t.TempDir()
	var last snapshots.ID
	for day := 1; day <= 3; day++ {
		last = snaptest.Build(t, data, fmt.Sprintf("2026-11-%02d", day), snaptest.Content{PlatformName: "Nobody"})
	}
	store, err := snapshots.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	s := siteOf(t, data)
	first := snapshots.NewID(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), 1)
	manifest := snapshots.Within(store.Dir(first), snapshots.ManifestName)
	if err := os.Chmod(store.Dir(first), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	if w := s.get(t, "/snapshots/"+string(last)); w.Code != http.StatusOK {
		t.Errorf("a snapshot beside a broken one: %d", w.Code)
	}
	list := s.get(t, "/snapshots").Body.String()
	if strings.Contains(list, string(first)) || !strings.Contains(list, string(last)) || strings.Index(list, string(last)) > strings.Index(list, "2026-11-02.1") {
		t.Errorf("the list is not that of the two that can be read, the newest first: %s", list)
	}
	if w := s.get(t, "/snapshots?page=2"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), string(last)) {
		t.Errorf("a page after the last: %d", w.Code)
	}
}

// A page that was made stands for its later visitors, but not once the publication that it
// compares with is withdrawn.
func TestKeptPageForgetsAWithdrawnPublication(t *testing.T) {
	data := t.TempDir()
	before := snaptest.Default(t, "2026-09-30")
	for i := range before.Adverts {
		before.Adverts[i].Adverts = min(before.Adverts[i].Adverts, 1)
	}
	earlier := snaptest.Build(t, data, "2026-09-30", before)
	snaptest.Build(t, data, "2026-11-20", snaptest.Default(t, "2026-11-20"))
	s := siteOf(t, data)
	first := s.get(t, "/places/camden").Body.String()
	for strings.Contains(first, "is being opened") {
		time.Sleep(50 * time.Millisecond)
		first = s.get(t, "/places/camden").Body.String()
	}
	if again := s.get(t, "/places/camden").Body.String(); !strings.Contains(first, "Asked for") || again != first {
		t.Errorf("the page has no movers, or is another one the second time")
	}
	store, err := snapshots.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Withdraw(t.Context(), earlier, snapshots.Withdrawal{By: "An analyst", Reason: "wrong", At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	if now := s.get(t, "/places/camden").Body.String(); strings.Contains(now, "Asked for") {
		t.Error("the page still compares with a publication that was withdrawn")
	}
}

// slowPast answers nothing about earlier publications before the deadline.
type slowPast struct{ api.Live }

type slowSnapshot struct{ api.Snapshot }

func (s slowPast) AcquireID(ctx context.Context, id string, reopen bool) (api.Snapshot, func(), error) {
	earlier, release, err := s.Live.AcquireID(ctx, id, reopen)
	return slowSnapshot{earlier}, release, err
}

func (slowSnapshot) SkillsUnmet(context.Context, api.SkillsUnmetQuery) (p api.Page[api.SkillsUnmetRow], err error) {
	return p, fmt.Errorf("ask: %w", context.DeadlineExceeded)
}

// A place is shown although the publication before does not answer in time.
func TestPlaceDoesNotWaitForThePublicationBefore(t *testing.T) {
	data := t.TempDir()
	for _, day := range []string{"2026-11-19", "2026-11-20"} {
		snaptest.Build(t, data, day, snaptest.Default(t, day))
	}
	s := siteThrough(t, data, func(l api.Live) api.Live { return slowPast{l} })
	if w := s.get(t, "/places/camden"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "is being opened") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}
