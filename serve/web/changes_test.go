package web_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// released are the tables whose rows a page may show.
var released = []string{"course_demand", "evidence", "levels", "occupations", "outlines", "place_members", "places",
	"regions", "sectors", "skills", "skills_gaps", "sources"}

// twoDays builds two snapshots that differ in tables of every kind: one row became
// "<5", one was added and one removed. It returns the rows of the second's list.
func twoDays(t *testing.T) (data string, id snapshots.ID, rows []snapshots.ChangesRow) {
	t.Helper()
	data = t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-19", snaptest.DefaultContent(t, "2026-11-19"))
	c := snaptest.DefaultContent(t, "2026-11-20")
	small := c.CourseDemand[3]
	small.Value, small.ValueStatus, small.ChangePct = nil, "under_5", nil
	c.CourseDemand[3] = small
	c.Skills = append(c.Skills, snapshots.SkillsRow{Skill: "welding", Name: "Welding <b>", ReferenceLevel: 2,
		Kind: "trade", Wordings: "weld{er,ing}"})
	c.Regions = c.Regions[:len(c.Regions)-1]
	id = snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	rows, err = parquetio.ReadAll[snapshots.ChangesRow](snapshots.JoinPath(folder.SnapshotDir(id),
		snapshots.ChangesFileName))
	if err != nil {
		t.Fatal(err)
	}
	return data, id, rows
}

func (s *site) page(t *testing.T, path string) *html.Node {
	t.Helper()
	w := s.get(t, path)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d", path, w.Code)
	}
	tree, err := html.Parse(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestWhatChangedIsCounted: the page of a snapshot has, for each table that is given away, how
// many keys were added, changed and removed, as the list has them, with a link to its rows; and
// no other table.
func TestWhatChangedIsCounted(t *testing.T) {
	data, id, rows := twoDays(t)
	want := map[string]map[snapshots.ChangeKind]int64{}
	for _, r := range rows {
		if !slices.Contains(released, r.Table) {
			continue
		}
		if want[r.Table] == nil {
			want[r.Table] = map[snapshots.ChangeKind]int64{}
		}
		want[r.Table][r.Change] += r.Keys
	}
	found := 0
	for _, row := range elements(siteOf(t, data).page(t, "/snapshots/"+string(id)), "tr") {
		links := elements(row, "a")
		if len(links) != 1 || !strings.Contains(attribute(links[0], "href"), "changes.csv?table=") {
			continue
		}
		_, table, _ := strings.Cut(attribute(links[0], "href"), "table=")
		var numbers []string
		for _, cell := range elements(row, "td")[:3] {
			numbers = append(numbers, text(cell))
		}
		n := want[table]
		if n == nil || strings.Join(numbers, " ") != fmt.Sprint(n[snapshots.RowAdded], n[snapshots.RowChanged],
			n[snapshots.RowRemoved]) {
			t.Errorf("%s: %v, want %v", table, numbers, n)
		}
		found++
	}
	if found != len(want) || found < 3 {
		t.Errorf("%d tables are shown of %d", found, len(want))
	}
}

// TestChangesAsCSV: the CSV has every row of the tables that are given away, each with
// the statements of its sources, and none of another.
func TestChangesAsCSV(t *testing.T) {
	data, id, rows := twoDays(t)
	w := siteOf(t, data).get(t, "/snapshots/"+string(id)+"/changes.csv?kind=changed")
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
		t.Fatalf("status %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
	lines, err := csv.NewReader(w.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, l := range lines[1:] {
		got = append(got, l[0]+l[1]+l[3]+l[4])
		if l[6] != "" && l[8] == "" {
			t.Errorf("%v has no statement", l)
		}
	}
	for _, r := range rows {
		if slices.Contains(released, r.Table) && r.Change == snapshots.RowChanged {
			want = append(want, fmt.Sprint(r.Table, *r.Key, *r.Old, *r.New))
		}
	}
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestChangesOfOtherSnapshots: of the first snapshot, of one that was withdrawn and of
// one that there is not, it is said what can be.
func TestChangesOfOtherSnapshots(t *testing.T) {
	data, id, _ := twoDays(t)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	s := siteOf(t, data)
	for path, want := range map[string]struct {
		status int
		words  string
	}{
		"/snapshots/2026-11-19.1":                                {http.StatusOK, "the first snapshot"},
		"/snapshots/" + string(id):                               {http.StatusOK, "changes.csv?table=course_demand"},
		"/snapshots/2020-01-01.1/changes.csv":                    {http.StatusNotFound, "There is no such snapshot"},
		"/snapshots/" + string(id) + "/changes.csv?table=people": {http.StatusBadRequest, "Unknown table"},
		"/snapshots/" + string(id) + "/changes.csv?kind=lost":    {http.StatusBadRequest, "Unknown kind of change"},
	} {
		if w := s.get(t, path); w.Code != want.status || !strings.Contains(w.Body.String(), want.words) {
			t.Errorf("%s: status %d, want %d and %q", path, w.Code, want.status, want.words)
		}
	}
	if _, err := folder.Withdraw(context.Background(), id,
		store.Withdrawal{At: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), By: "The data team",
			Reason: "A wrong file"}); err != nil {
		t.Fatal(err)
	}
	s = siteOf(t, data)
	for _, path := range []string{"/changes.csv", ""} {
		w := s.get(t, "/snapshots/"+string(id)+path)
		if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "welding") || path != "/changes.csv" &&
			!strings.Contains(w.Body.String(), "A wrong file") {
			t.Errorf("%s of a snapshot that was withdrawn: status %d, %s", path, w.Code, w.Body)
		}
	}
}

// TestFormerAddressesLead: the pages of official codes and of rows that changed are gone, and
// their addresses lead to where both are now.
func TestFormerAddressesLead(t *testing.T) {
	s := newSite(t)
	for from, to := range map[string]string{
		"/regions":                        "/places#codes",
		"/regions?kind=lsip&name=lond":    "/places?kind=lsip&name=lond#codes",
		"/snapshots/2026-11-20.1/changes": "/snapshots/2026-11-20.1#changed",
	} {
		w := s.get(t, from)
		if got := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently || got != to {
			t.Errorf("%s leads to %q with status %d, want %s", from, got, w.Code, to)
		}
	}
	if w := s.get(t, "/places?kind=lsip"); !strings.Contains(w.Body.String(), `data-f="code"`) {
		t.Error("no official code is found")
	}
}
