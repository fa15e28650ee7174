package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"labour/serve/web/changed"
	"labour/snapshots"
	"labour/snapshots/store"
)

// keep writes the manifests of snapshots into the store of a site, with their index. The last is current. Fates are
// w for one that was withdrawn, r for one that was removed, and u for one that was never published.
func keep(t *testing.T, s *Site, ids []snapshots.ID, fates map[snapshots.ID]string) {
	t.Helper()
	s.Backend.RunQuery = func(ctx context.Context, query func(context.Context) error) error { return query(ctx) }
	root := s.Store.RootDir()
	x := store.Index{Format: snapshots.Format, Snapshots: []store.IndexEntry{}}
	for i, id := range ids {
		m := snapshots.Manifest{Format: snapshots.Format, ID: id, AsOf: snapshots.Date{Time: id.Date()},
			CreatedAt: id.Date().Add(6 * time.Hour), PlatformName: "Example Works",
			Tables: []snapshots.TableFile{{Name: "skills"}, {Name: "people"}}}
		if i > 0 {
			m.Previous = &snapshots.PreviousSnapshot{ID: ids[i-1]}
		}
		text, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		e := store.IndexEntry{ID: id, PublishedAt: []time.Time{m.CreatedAt}}
		switch fates[id] {
		case "w":
			e.Withdrawn = &store.Withdrawal{By: "An analyst", Reason: "wrong"}
			write(t, filepath.Join(root, snapshots.WithdrawnFileName(id)), "{}")
		case "r":
			e.Removed = true
		case "u":
			e.PublishedAt = nil
		}
		if x.Snapshots = append(x.Snapshots, e); !e.Removed {
			write(t, filepath.Join(s.Store.SnapshotDir(id), snapshots.ManifestFileName), string(text))
		}
	}
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, snapshots.IndexFileName), string(text))
	if len(ids) > 0 {
		write(t, filepath.Join(root, snapshots.CurrentFileName), string(ids[len(ids)-1])+"\n")
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// daysFrom are the ids of n snapshots of successive days, the first on 1 January 2026.
func daysFrom(n int) (ids []snapshots.ID) {
	for i := range n {
		ids = append(ids, snapshots.NewID(dayOf("2026-01-01").AddDate(0, 0, i), 1))
	}
	return ids
}

// TestPublishedSnapshots: those that were current at some time and are still stored, the newest first. The current
// one is among them although the index does not know it.
func TestPublishedSnapshots(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	if ids, err := s.publishedIDs(); err != nil || len(ids) > 0 {
		t.Errorf("of an empty store: %v, %v", ids, err)
	}
	ids := daysFrom(5)
	keep(t, s, ids, map[snapshots.ID]string{ids[0]: "w", ids[1]: "r", ids[2]: "u", ids[4]: "u"})
	want := []snapshots.ID{ids[4], ids[3], ids[0]}
	if got, err := s.publishedIDs(); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	for id, want := range map[snapshots.ID]bool{ids[0]: true, ids[1]: false, ids[2]: false, ids[3]: true, ids[4]: true,
		"2020-01-01.1": false} {
		e, ok, err := s.find(string(id))
		if err != nil || ok != want || ok && (e.ID != id || e.Current != (id == ids[4]) || e.Signed ||
			(e.Withdrawn != nil) != (id == ids[0])) {
			t.Errorf("%s is found: %v (%v), %+v", id, ok, err, e)
		}
	}
	if e, _, _ := s.find(string(ids[0])); e.Withdrawn == nil || e.Withdrawn.Reason != "wrong" {
		t.Errorf("it was withdrawn because %+v", e.Withdrawn)
	}
	write(t, filepath.Join(s.Store.RootDir(), snapshots.CurrentFileName), "2026-02-01.1\n")
	write(t, filepath.Join(s.Store.SnapshotDir(ids[3]), snapshots.SignatureFileName), "signed")
	write(t, filepath.Join(s.Store.RootDir(), snapshots.WithdrawnFileName(ids[3])), "{}")
	if got, err := s.publishedIDs(); err != nil || !slices.Equal(got, []snapshots.ID{"2026-02-01.1", ids[3], ids[0]}) {
		t.Errorf("with another current one: %v (%v)", got, err)
	}
	if e, ok, _ := s.find(string(ids[3])); !ok || !e.Signed || e.Current || e.Withdrawn == nil ||
		e.Withdrawn.Reason != "the note on why cannot be read" {
		t.Errorf("withdrawn without a note: %v, %+v", ok, e)
	}
	if _, ok, err := s.find("2026-02-01.1"); ok || err != nil {
		t.Errorf("a snapshot without a manifest is found: %v", err)
	}
}

// TestTheIndexIsReadAgainWhenItChanges, and not before.
func TestTheIndexIsReadAgainWhenItChanges(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	ids := daysFrom(2)
	keep(t, s, ids, nil)
	count := func() int {
		x, err := s.index()
		if err != nil {
			t.Fatal(err)
		}
		return len(x.Snapshots)
	}
	file := filepath.Join(s.Store.RootDir(), snapshots.IndexFileName)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 2 {
		t.Fatalf("%d snapshots", n)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Repeat("x", len(text))
	write(t, file, broken)
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 2 {
		t.Errorf("an unchanged index has %d snapshots", n)
	}
	write(t, file, broken+"x")
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.index(); err == nil {
		t.Error("an index of another size is not read")
	}
	write(t, file, string(text))
	if err := os.Chtimes(file, info.ModTime(), info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 2 {
		t.Errorf("%d snapshots after it was mended", n)
	}
}

// TestTheFeedHasTwentyDays, the newest first, each once, without those that were withdrawn.
func TestTheFeedHasTwentyDays(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	ids := append(daysFrom(24), "2026-01-24.2")
	keep(t, s, ids, map[snapshots.ID]string{ids[21]: "w"})
	days, err := s.publishedDays()
	if err != nil || len(days) != 20 || days[0].ID != "2026-01-24.2" || days[1].ID != ids[22] || days[2].ID != ids[20] ||
		days[19].ID != ids[3] {
		t.Errorf("%d days (%v): %+v", len(days), err, days)
	}
	w := httptest.NewRecorder()
	s.feed(w, httptest.NewRequest(http.MethodGet, "/snapshots.atom", nil))
	got := w.Body.String()
	if strings.Count(got, "<entry>") != 20 || w.Header().Get("Cache-Control") != "public, max-age=60" ||
		w.Header().Get("Content-Type") != "application/atom+xml; charset=utf-8" {
		t.Errorf("%v %s", w.Header(), got)
	}
}

// TestTheListOfSnapshots has fifty to a page, and says which have figures, and when the next is expected.
func TestTheListOfSnapshots(t *testing.T) {
	l := &loaded{}
	s, _ := siteFor(t, l)
	ids := daysFrom(51)
	keep(t, s, ids, nil)
	list := func(target string) snapshotList {
		v := visit(nil, target)
		v.at = nowOf()
		shown := s.snapshots(v)
		if v.err != nil || shown.section != "/snapshots" {
			t.Fatal(v.err)
		}
		return shown.data.(snapshotList)
	}
	d := list("/snapshots")
	if len(d.Rows) != 50 || d.Rows[0].ID != ids[50] || d.Rows[0].Open || d.Newer != "" || d.Older != "/snapshots?page=2" ||
		d.Next.Edition.Format(time.DateOnly) != "2026-02-21" || !d.Next.Late {
		t.Errorf("%d rows, %q and %q, next %+v", len(d.Rows), d.Newer, d.Older, d.Next)
	}
	l.snapshot = &fixed{}
	if d := list("/snapshots?page=2"); len(d.Rows) != 1 || d.Rows[0].ID != ids[0] || !d.Rows[0].Open ||
		d.Newer != "/snapshots?page=1" || d.Older != "" {
		t.Errorf("%+v", d)
	}
	if d := list("/snapshots?page=3"); len(d.Rows) != 0 || d.Newer != "/snapshots?page=2" {
		t.Errorf("%+v", d)
	}
	v := visit(nil, "/snapshots")
	ended, end := context.WithCancel(v.ctx)
	end()
	v.ctx = ended
	if s.snapshots(v); v.err == nil {
		t.Error("a list that took too long is shown")
	}
}

// TestThePageOfASnapshot: what came after it, or when the next is expected; its tables, and that some of them can be
// downloaded; and its files.
func TestThePageOfASnapshot(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	ids := daysFrom(3)
	keep(t, s, ids, map[snapshots.ID]string{ids[0]: "w"})
	lists, err := lru.New[snapshots.ID, func() (*changed.Summary, error)](maxCachedChanges)
	if err != nil {
		t.Fatal(err)
	}
	s.changeLists = lists
	for _, id := range ids[1:] { // that of the withdrawn one is not read
		lists.Add(id, func() (*changed.Summary, error) { return &changed.Summary{}, nil })
	}
	for id, after := range map[snapshots.ID]snapshots.ID{ids[0]: ids[1], ids[1]: ids[2], ids[2]: ""} {
		v := visit(nil, "/snapshots/"+string(id))
		v.SetPathValue("id", string(id))
		shown := s.snapshot(v)
		d := shown.data.(snapshotView)
		open := id != ids[0]
		url := ""
		if open {
			url = "/snapshots/" + string(id) + "/files/tables/skills.parquet"
		}
		if v.err != nil || shown.title != "Snapshot "+string(id) || d.After != after ||
			d.Next.Edition.IsZero() != (after != "") ||
			(len(d.News) == 3) != open || len(d.Papers) != map[bool]int{true: 1}[open] || len(d.Tables) != 2 ||
			d.Base != "https://labour.example" {
			t.Errorf("%s (%v): %+v", id, v.err, d)
		}
		for _, table := range d.Tables {
			want := map[string]string{"skills": url}[table.Name]
			if table.Doc == "" || table.URL != want {
				t.Errorf("%s: %s with the file %q, want %q", id, table.Name, table.URL, want)
			}
		}
	}
	if m := s.manifestBefore(snapshotEntry{Manifest: snapshots.Manifest{Previous: &snapshots.PreviousSnapshot{
		ID: ids[1]}}}); m == nil || m.ID != ids[1] {
		t.Errorf("the edition before is %+v", m)
	}
	v := visit(nil, "/snapshots/2020-01-01.1")
	v.SetPathValue("id", "2020-01-01.1")
	s.findSnapshot(v, "2020-01-01.1")
	if want := "There is no such snapshot: It may have been pruned: old snapshots are kept for a while only."; fmt.Sprint(
		v.err) != want {
		t.Errorf("%v, want %s", v.err, want)
	}
}
