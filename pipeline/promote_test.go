package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// careAdverts are adverts of the platform with that title.
func careAdverts(n int, title string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b,
			`{"id":"ad-%[1]d","imported_from":"platform","employer":"Employer %[1]d","title":%[2]q,"kind":"job",`+
				`"posted_on":"2026-10-01","boroughs":["camden"],"skills":[{"skill":"teamwork","level":2}]}`+"\n", i, title)
	}
	return b.String()
}

// kept is a world as it was at some moment, to which tests go back.
type kept struct {
	dir, csv     string
	feed, boards map[string]string
	vacancies    []int
	clock        time.Time
}

func (s *small) keep() kept {
	s.t.Helper()
	k := kept{dir: s.t.TempDir(), csv: s.csv, feed: maps.Clone(s.feed), boards: maps.Clone(s.boards),
		vacancies: s.vacancies, clock: s.clock}
	if err := os.CopyFS(k.dir, os.DirFS(s.data)); err != nil {
		s.t.Fatal(err)
	}
	return k
}

// back goes back to a moment, in a data directory of the test's own.
func (s *small) back(t *testing.T, k kept) {
	t.Helper()
	s.t, s.data, s.csv, s.feed, s.boards, s.vacancies, s.clock, s.drift = t, t.TempDir(), k.csv, maps.Clone(k.feed),
		maps.Clone(k.boards), k.vacancies, k.clock, ""
	if err := copyData(s.data, k.dir); err != nil {
		t.Fatal(err)
	}
}

// acknowledged are exceptions for half the platform's rows, until a day.
func acknowledged(until string) string {
	return fmt.Sprintf(`checks:
  exceptions:
    - {check: records, of: platform, who: An analyst, why: the feed was cleaned, until: "%[1]s"}
    - {check: counted, of: platform, who: An analyst, why: the feed was cleaned, until: "%[1]s"}
    - {check: listed, of: platform, who: An analyst, why: the feed was cleaned, until: "%[1]s"}
`, until)
}

// TestDriftIsRefused: a source that delivers far less than for the current snapshot, whose
// adverts can be coded no longer, or that is below its floor, keeps the snapshot from being
// promoted; the sentence says where the bound is set, and there it can be.
func TestDriftIsRefused(t *testing.T) {
	s := newSmall(t)
	s.feed["adverts.ndjson"] = careAdverts(150, "Care assistant")
	for n := range 120 {
		s.vacancies = append(s.vacancies, n+1)
	}
	first := s.run()
	before := s.keep()
	for _, c := range []struct {
		name, drift string
		change      func(s *small)
		refused     string // part of the sentence; empty: promoted
	}{
		{name: "half the rows", change: func(s *small) { s.feed["adverts.ndjson"] = careAdverts(75, "Care assistant") },
			refused: "source platform: records fall from 152 to 77, by more than 40 %; look at what the publisher changed; " +
				"if that is right, set drift.platform.max_fall_pct"},
		{name: "half the rows, and the operator says that is right", drift: "drift: {platform: {max_fall_pct: 60}}\n",
			change: func(s *small) { s.feed["adverts.ndjson"] = careAdverts(75, "Care assistant") }},
		{name: "half the rows, and somebody has acknowledged it", drift: acknowledged("2026-11-20"),
			change: func(s *small) { s.feed["adverts.ndjson"] = careAdverts(75, "Care assistant") }},
		{name: "half the rows, acknowledged until yesterday", drift: acknowledged("2026-11-19"),
			change:  func(s *small) { s.feed["adverts.ndjson"] = careAdverts(75, "Care assistant") },
			refused: "records fall from 152 to 77"},
		{name: "titles that nobody knows",
			change:  func(s *small) { s.feed["adverts.ndjson"] = careAdverts(150, "Widgeteer") },
			refused: "the share of adverts with an occupation falls from 150 of 150 to 0 of 150, by more than 20 points"},
		{name: "half the rows of a list that announces nothing",
			change:  func(s *small) { s.vacancies = s.vacancies[:50] },
			refused: "source find_an_apprenticeship: adverts listed fall from 120 to 50"},
		{name: "below the floor", drift: "drift: {dfe_apprenticeships: {min_records: 3}}\n", change: func(*small) {},
			refused: "source dfe_apprenticeships: records is 2, below its floor of 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.back(t, before)
			s.drift = c.drift
			c.change(s)
			result, err := s.runOnly("")
			store, openErr := store.Open(s.data)
			if openErr != nil {
				t.Fatal(openErr)
			}
			current, currentErr := store.Current()
			if currentErr != nil {
				t.Fatal(currentErr)
			}
			var refused *RefusedError
			switch {
			case c.refused == "" && (err != nil || current != result.ID):
				t.Errorf("%v; current is %s", err, current)
			case c.refused == "" && strings.Contains(c.drift, "exceptions"):
				m, err := store.Manifest(current)
				if err != nil || len(m.Exceptions) != 3 || m.Exceptions[0].AcceptedBy != "An analyst" ||
					m.Exceptions[0].Reason != "the feed was cleaned" {
					t.Errorf("the manifest lists %+v, %v", m.Exceptions, err)
				}
			case c.refused != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), c.refused) ||
				current != first.ID):
				t.Errorf("%v; current is %s; want %q", err, current, c.refused)
			}
		})
	}
}

// TestDamagedCurrentSparesNoCheck holds that a collapsed snapshot is refused by its check against the one
// that was published last, whatever CURRENT has become meanwhile.
func TestDamagedCurrentSparesNoCheck(t *testing.T) {
	s := newSmall(t)
	s.feed["adverts.ndjson"] = careAdverts(150, "Care assistant")
	first := s.run()
	s.feed["adverts.ndjson"] = careAdverts(15, "Care assistant")
	collapsed, err := s.runOnly("")
	const want = "source platform: records fall from 152 to 17"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Fatal(err)
	}
	root := snapshots.SnapshotsDir(s.data)
	file, index := filepath.Join(root, snapshots.CurrentFileName), filepath.Join(root, snapshots.IndexFileName)
	for _, text := range []string{"", "today\n", "2026-11-20.9\n"} {
		writeFile(t, file, text)
		var refused *RefusedError
		if err := Promote(t.Context(), *s.last, collapsed.ID); !errors.As(err, &refused) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("CURRENT %q: %v", text, err)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != text {
			t.Errorf("CURRENT %q became %q, %v", text, now, err)
		}
		if err := Promote(t.Context(), *s.last, first.ID); err != nil {
			t.Errorf("CURRENT %q is not mended: %v", text, err)
		}
	}
	if err := errors.Join(os.Remove(file), os.Remove(index)); err != nil {
		t.Fatal(err)
	}
	if err := Promote(t.Context(), *s.last, collapsed.ID); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("without CURRENT and the index: %v", err)
	}
	writeFile(t, file, string(first.ID)+"\n")
	replaceIn(t, filepath.Join(root, string(first.ID), snapshots.ManifestFileName), `"format"`, `"for`)
	if err := Promote(t.Context(), *s.last, collapsed.ID); err == nil {
		t.Error("promoted though nothing is left to check it against")
	}
}
