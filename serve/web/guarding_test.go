package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve/cursor"
	"labour/serve/web"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// A page that the visitor already has is answered without a query, and caches may keep it.
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
	for path, other := range map[string]string{"/evidence": "/v1/labour/skills-unmet", "/skills": "/v1/labour/evidence"} {
		token, err := cursors.Seal(other, "2026-11-20.1", map[string]string{})
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range []string{"garbled", token} {
			r := httptest.NewRequest(http.MethodGet, path+"?cursor="+of, nil)
			r.Header.Set("If-None-Match", "*")
			if w := s.do(r); w.Code != http.StatusBadRequest {
				t.Errorf("%s with cursor %s: %d", path, of, w.Code)
			}
		}
	}
}

var nextPage = regexp.MustCompile(`href="([^"]*[?&;]cursor=[^"]*)"`)

// longLists has more skills and more evidence than a page shows.
func longLists(t *testing.T) snaptest.Content {
	t.Helper()
	c := snaptest.DefaultContent(t, "2026-11-20")
	for i := range 30 {
		slug := fmt.Sprintf("sql-%02d", i)
		for _, r := range slices.Clone(c.Adverts) {
			if r.Skill == "sql" {
				r.Skill = slug
				c.Adverts = append(c.Adverts, r)
			}
		}
		c.Skills = append(c.Skills, snapshots.SkillsRow{Skill: slug, Name: fmt.Sprintf("SQL %d", i), Kind: "transferable"})
		more := c.Evidence[0]
		more.ID = fmt.Sprintf("more-%02d", i)
		c.Evidence = append(c.Evidence, more)
	}
	return c
}

// The link to the next page of a list leads to the rows that follow.
func TestNextPagesFollow(t *testing.T) {
	s := siteWith(t, longLists(t))
	for _, path := range []string{"/skills", "/skills?place=camden", "/evidence?kind=statistic"} {
		first := s.get(t, path).Body.String()
		found := nextPage.FindStringSubmatch(first)
		if found == nil {
			t.Errorf("%s has no next page", path)
			continue
		}
		next := html.UnescapeString(found[1])
		if w := s.get(t, next); w.Code != http.StatusOK || w.Body.String() == first {
			t.Errorf("%s leads to %s: status %d", path, next, w.Code)
		}
	}
}

// The list has pages, and one snapshot is looked at without the others: what their
// manifests hold does not matter.
func TestSnapshotsAreFoundInTheIndex(t *testing.T) {
	data := t.TempDir()
	var last snapshots.ID
	for day := 1; day <= 3; day++ {
		last = snaptest.BuildSnapshot(t, data, fmt.Sprintf("2026-11-%02d", day), snaptest.Content{PlatformName: "Nobody"})
	}
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	s := siteOf(t, data)
	first := snapshots.NewID(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), 1)
	manifest := snapshots.JoinPath(store.SnapshotDir(first), snapshots.ManifestFileName)
	if err := os.Chmod(store.SnapshotDir(first), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	if w := s.get(t, "/snapshots/"+string(last)); w.Code != http.StatusOK {
		t.Errorf("a snapshot next to a broken one: %d", w.Code)
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
