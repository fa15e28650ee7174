package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"labour/serve/cursor"
	"labour/serve/web"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
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

// A cursor that leads nowhere is refused, also to a visitor who would take the page unchanged.
func TestDeadCursorsAreNeverUnchanged(t *testing.T) {
	var cursors *cursor.Sealer
	s := siteThrough(t, sampleData(t), sameLive, func(o *web.Options) { cursors = o.Cursors })
	token, err := cursors.Seal("/v1/labour/skills-unmet", "2026-11-20.1", 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []string{"garbled", token} {
		r := httptest.NewRequest(http.MethodGet, "/evidence?cursor="+of, nil)
		r.Header.Set("If-None-Match", "*")
		if w := s.do(r); w.Code != http.StatusBadRequest {
			t.Errorf("cursor %s: %d", of, w.Code)
		}
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
	store, err := store.Open(data)
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
	if strings.Contains(list, string(first)) || !strings.Contains(list, string(last)) ||
		strings.Index(list, string(last)) > strings.Index(list, "2026-11-02.1") {
		t.Errorf("the list is not that of the two that can be read, the newest first: %s", list)
	}
	if w := s.get(t, "/snapshots?page=2"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), string(last)) {
		t.Errorf("a page after the last: %d", w.Code)
	}
}
