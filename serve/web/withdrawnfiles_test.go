package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestNoFileOfAWithdrawnSnapshotIsOffered: the page of a snapshot links each released table, and the catalogue
// of open data describes the current snapshot. Once it is withdrawn, its page links no file, and there is no
// catalogue.
func TestNoFileOfAWithdrawnSnapshotIsOffered(t *testing.T) {
	data, day := t.TempDir(), "2026-11-20"
	id := snaptest.BuildSnapshot(t, data, day, snaptest.DefaultContent(t, day))
	s := siteOf(t, data)
	var tables []string
	for _, e := range elements(s.page(t, "/snapshots/"+string(id)), "a") {
		name, isFile := strings.CutPrefix(attribute(e, "href"), "/snapshots/"+string(id)+"/files/tables/")
		if isFile && strings.HasSuffix(name, ".parquet") {
			tables = append(tables, strings.TrimSuffix(name, ".parquet"))
		}
	}
	slices.Sort(tables)
	if !slices.Equal(tables, released) {
		t.Errorf("the page links the tables %q, want %q", tables, released)
	}
	if w := s.get(t, "/catalog.jsonld"); w.Code != http.StatusOK {
		t.Errorf("the catalogue answers %d", w.Code)
	}
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Withdraw(t.Context(), id, store.Withdrawal{By: "An analyst", Reason: "wrong",
		At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	s = siteOf(t, data)
	if w := s.get(t, "/snapshots/"+string(id)); strings.Contains(w.Body.String(), "/files/") {
		t.Error("the page of a withdrawn snapshot links its files")
	}
	if w := s.get(t, "/catalog.jsonld"); w.Code == http.StatusOK {
		t.Errorf("the catalogue of a withdrawn snapshot is sent: %.200s", w.Body)
	}
}

// TestABriefComparesWithAllPlaces: the brief of a place has the difference of its first skill from all places,
// or that none is clear.
func TestABriefComparesWithAllPlaces(t *testing.T) {
	said := strings.Join(strings.Fields(text(newSite(t).page(t, "/places/camden/brief"))), " ")
	if !regexp.MustCompile(`In all places \S+ of adverts ask for it: (no clear difference|[+−]\S+ points here)\.`).
		MatchString(said) {
		t.Errorf("the comparison is not in %.600s", said)
	}
}
