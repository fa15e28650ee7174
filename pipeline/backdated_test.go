package pipeline

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/sources"
)

// TestBuildOfAnEarlierDate: a build of an earlier date reads what had been fetched by the end of that
// day, and says so where that is nothing.
func TestBuildOfAnEarlierDate(t *testing.T) {
	s := newSmall(t)
	for _, live := range [][]int{{1, 2, 3, 4}, {3, 4, 5}, {5}} { // of 19, 20 and 21 November
		s.vacancies = live
		s.run()
	}
	for date, want := range map[int]string{19: "1 2 3 4", 20: "3 4 5", 22: "5"} {
		fresh := t.TempDir()
		if err := os.CopyFS(fresh+"/protected", os.DirFS(s.data+"/protected")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(secrets.RoundingSecretFile(fresh), 0o600); err != nil { // a copy may be read by others
			t.Fatal(err)
		}
		o := *s.last
		o.DataDir, o.AsOf, o.Now = fresh, sources.Date{Year: 2026, Month: 11, Day: date},
			func() time.Time { return s.clock }
		b, err := Build(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		data := s.data
		s.data = fresh
		for _, j := range rowsOf[snapshots.JobsRow](s, Result{ID: b.ID}, "jobs") {
			if id, ok := strings.CutPrefix(j.ID, "find_an_apprenticeship:20000"); ok {
				ids = append(ids, strings.TrimLeft(id, "0"))
			}
		}
		s.data = data
		if slices.Sort(ids); strings.Join(ids, " ") != want {
			t.Errorf("as_of %d November: vacancies %v, want %s", date, ids, want)
		}
	}
	o := *s.last
	o.AsOf, o.Now = sources.Date{Year: 2026, Month: 11, Day: 18}, func() time.Time { return s.clock }
	if _, err := Build(t.Context(), o); err == nil ||
		!strings.Contains(err.Error(), "had been fetched by the end of 2026-11-18") {
		t.Errorf("as_of 18 November: %v", err)
	}
}
