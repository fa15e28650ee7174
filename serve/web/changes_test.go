package web_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// released are the tables whose rows a page may show.
var released = []string{"course_demand", "evidence", "levels", "occupations", "outlines", "place_members", "places", "regions", "sectors", "skills", "skills_gaps", "sources"}

// twoDays builds two snapshots that differ in tables of every kind, one row of which
// became "<5", one was added and one removed; it gives the rows of the second's list.
func twoDays(t *testing.T) (data string, id snapshots.ID, rows []snapshots.ChangesRow) {
	t.Helper()
	data = t.TempDir()
	snaptest.Build(t, data, "2026-11-19", snaptest.Default(t, "2026-11-19"))
	c := snaptest.Default(t, "2026-11-20")
	small := c.CourseDemand[3]
	small.Value, small.ValueStatus, small.ChangePct = nil, "under_5", nil
	c.CourseDemand[3] = small
	c.Skills = append(c.Skills, snapshots.SkillsRow{Skill: "welding", Name: "Welding <b>", ReferenceLevel: 2, Kind: "trade", Wordings: "weld{er,ing}"})
	c.Regions = c.Regions[:len(c.Regions)-1]
	id = snaptest.Build(t, data, "2026-11-20", c)
	store, err := snapshots.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	rows, err = parquetio.ReadAll[snapshots.ChangesRow](snapshots.Within(store.Dir(id), snapshots.ChangesName))
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

// rowsShown are the texts of the rows of changes on a page, with one blank between words.
func rowsShown(tree *html.Node) (rows []string) {
	for _, table := range elements(tree, "table") {
		if !strings.Contains(attribute(table, "class"), "changes") {
			continue
		}
		for _, r := range elements(table, "tr")[1:] {
			rows = append(rows, strings.Join(strings.Fields(text(r)), " "))
		}
	}
	return rows
}

// TestWhatChangedIsShown: page by page, each row of the list is there with its key,
// what either snapshot prints and the reason, and the table beside it; a filter leaves
// those of its table and kind; and nothing is there of a table that is not given away.
func TestWhatChangedIsShown(t *testing.T) {
	data, id, rows := twoDays(t)
	s := siteOf(t, data)
	for _, q := range []url.Values{{}, {"table": {"course_demand"}}, {"kind": {"removed"}}, {"table": {"skills"}, "kind": {"added"}}, {"table": {"levels"}}} {
		var want []snapshots.ChangesRow
		for _, r := range rows {
			if slices.Contains(released, r.Table) && (!q.Has("table") || q.Get("table") == r.Table) && (!q.Has("kind") || q.Get("kind") == string(r.Change)) {
				want = append(want, r)
			}
		}
		if len(want) == 0 && q.Get("table") != "levels" {
			t.Errorf("nothing differs for %v", q)
		}
		var got []string
		for path := "/snapshots/" + string(id) + "/changes?" + q.Encode(); path != ""; {
			tree := s.page(t, path)
			got, path = append(got, rowsShown(tree)...), ""
			for _, a := range elements(tree, "a") {
				if attribute(a, "rel") == "next" {
					path = attribute(a, "href")
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%v: %d rows are shown of %d", q, len(got), len(want))
		}
		for i, r := range want {
			compareChange(t, got[i], r)
		}
	}
}

// compareChange fails unless a row on the page says what the row of the file says.
func compareChange(t *testing.T, shown string, r snapshots.ChangesRow) {
	t.Helper()
	if !strings.HasPrefix(shown, r.Table) || !strings.Contains(shown, " "+string(r.Change)+" ") {
		t.Errorf("%q is not %s of %s", shown, r.Change, r.Table)
	}
	for _, object := range []*string{r.Key, r.Old, r.New} {
		for _, value := range valuesOf(t, object) {
			if letters := []rune(value); len(letters) > 120 {
				value = string(letters[:120])
			}
			if !strings.Contains(shown, strings.Join(strings.Fields(value), " ")) {
				t.Errorf("%q does not say %q", shown, value)
			}
		}
	}
}

// valuesOf are the values of a JSON object as a page says them.
func valuesOf(t *testing.T, object *string) (values []string) {
	t.Helper()
	if object == nil {
		return nil
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal([]byte(*object), &columns); err != nil {
		t.Fatal(err)
	}
	for name, raw := range columns {
		v, _ := token(map[string]json.RawMessage{name: raw}, name)
		switch string(raw) {
		case "null":
			v = "no value"
		case `""`:
			v = "empty"
		default:
			if raw[0] != '"' {
				v = string(raw)
			}
		}
		values = append(values, name, v)
	}
	return values
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
		if slices.Contains(released, r.Table) && r.Change == snapshots.KeyChanged {
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
	store, err := snapshots.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	s := siteOf(t, data)
	for path, want := range map[string]struct {
		status int
		words  string
	}{
		"/snapshots/2026-11-19.1/changes":                     {http.StatusOK, "the first snapshot"},
		"/snapshots/2026-11-19.1":                             {http.StatusOK, "the first snapshot"},
		"/snapshots/" + string(id):                            {http.StatusOK, "changes?table=course_demand"},
		"/snapshots/2020-01-01.1/changes":                     {http.StatusNotFound, "There is no such snapshot"},
		"/snapshots/2020-01-01.1/changes.csv":                 {http.StatusNotFound, "There is no such snapshot"},
		"/snapshots/" + string(id) + "/changes?table=people":  {http.StatusBadRequest, "Unknown table"},
		"/snapshots/" + string(id) + "/changes.csv?kind=lost": {http.StatusBadRequest, "Unknown kind of change"},
		"/snapshots/" + string(id) + "/changes?page=99":       {http.StatusOK, "Nothing of this kind"},
	} {
		if w := s.get(t, path); w.Code != want.status || !strings.Contains(w.Body.String(), want.words) {
			t.Errorf("%s: status %d, want %d and %q", path, w.Code, want.status, want.words)
		}
	}
	if _, err := store.Withdraw(context.Background(), id, snapshots.Withdrawal{At: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), By: "The data team", Reason: "A wrong file"}); err != nil {
		t.Fatal(err)
	}
	s = siteOf(t, data)
	for _, path := range []string{"/changes", "/changes.csv", ""} {
		w := s.get(t, "/snapshots/"+string(id)+path)
		if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "welding") || path != "/changes.csv" && !strings.Contains(w.Body.String(), "A wrong file") {
			t.Errorf("%s of a snapshot that was withdrawn: status %d, %s", path, w.Code, w.Body)
		}
	}
}
