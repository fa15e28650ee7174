package diff_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

type tablesBy = map[string]func(string, snapshots.Table, time.Time) error

// TestWithdrawalIsAReason only of what was withdrawn between the two snapshots, and then nothing of
// the old figure is said.
func TestWithdrawalIsAReason(t *testing.T) {
	all, sql := snapshots.PeopleWithdrawal{Reason: "x"}, snapshots.PeopleWithdrawal{Skill: "sql", Reason: "x"}
	quarter := date("2026-09-30")
	for name, c := range map[string]struct {
		before, now []snapshots.PeopleWithdrawal
		stays       bool // the row is still there, with another figure
		want        snapshots.ChangeReason
	}{
		"its skill":     {nil, []snapshots.PeopleWithdrawal{sql}, false, snapshots.ReasonWithdrawal},
		"all skills":    {nil, []snapshots.PeopleWithdrawal{all}, false, snapshots.ReasonWithdrawal},
		"another skill": {nil, []snapshots.PeopleWithdrawal{{Skill: "care"}}, false, snapshots.ReasonMethod},
		"before": {[]snapshots.PeopleWithdrawal{sql}, []snapshots.PeopleWithdrawal{sql}, false,
			snapshots.ReasonMethod},
		"nothing":  {nil, nil, false, snapshots.ReasonMethod},
		"it stays": {nil, []snapshots.PeopleWithdrawal{sql}, true, snapshots.ReasonMethod},
	} {
		after := []snapshots.PeopleRow{}
		if c.stays {
			after = append(after, person(9, "sql"))
		}
		from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{PeopleAsOf: &quarter, PeopleWithdrawn: c.before},
			tablesBy{"people": rowsOf([]snapshots.PeopleRow{person(7, "sql")})})
		to := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{PeopleAsOf: &quarter, PeopleWithdrawn: c.now},
			tablesBy{"people": rowsOf(after)})
		rows, totals := compare(t, from, to, diff.Options{Tables: []string{"people"}})
		if len(rows) != 1 || rows[0].Reason != c.want || totals[0].Reasons[c.want] != 1 {
			t.Errorf("%s: %+v, want the reason %s", name, rows, c.want)
			continue
		}
		if hidden := deref(rows[0].Old) == "{}"; hidden != (c.want == snapshots.ReasonWithdrawal) {
			t.Errorf("%s: the old figure is given as %s", name, deref(rows[0].Old))
		}
	}
}

// TestPeriodsOfOtherLengths: a row outside the periods of the other snapshot is new; one inside
// them, or of a series that the other one lacks, is not.
func TestPeriodsOfOtherLengths(t *testing.T) {
	same := []snapshots.ArchivedFetch{input("dfe", "aa")}
	old := []snapshots.CourseDemandRow{course("2025-07-31", 1), course("2027-07-31", 1)}
	inFirst, inLast := course("2025-07-31", 2), course("2027-07-31", 2)
	inFirst.SubjectArea, inLast.SubjectArea = "Health", "Health"
	other := course("2030-07-31", 2)
	other.Metric = "other"
	for name, c := range map[string]struct {
		row  snapshots.CourseDemandRow
		want snapshots.ChangeReason
	}{
		"before the first": {course("2024-07-31", 2), snapshots.ReasonPeriod},
		"after the last":   {course("2028-07-31", 2), snapshots.ReasonPeriod},
		"in the first":     {inFirst, snapshots.ReasonMethod},
		"in the last":      {inLast, snapshots.ReasonMethod},
		"between":          {course("2026-07-31", 2), snapshots.ReasonMethod},
		"another series":   {other, snapshots.ReasonMethod},
	} {
		tables := func(rows ...snapshots.CourseDemandRow) tablesBy {
			return tablesBy{"course_demand": rowsOf(rows), "sources": rowsOf([]snapshots.SourcesRow{{Key: "dfe",
				Kind: "statistics"}})}
		}
		m := snapshots.Manifest{Inputs: same, ToolVersion: "1"}
		from := side(t, t.TempDir(), "2026-11-20", m, tables(old...))
		to := side(t, t.TempDir(), "2026-11-20", m, tables(append(slices.Clone(old), c.row)...))
		for way, pair := range map[snapshots.ChangeKind][2]diff.ComparedSnapshot{snapshots.RowAdded: {from, to},
			snapshots.RowRemoved: {to, from}} {
			rows, _ := compare(t, pair[0], pair[1], diff.Options{Tables: []string{"course_demand"}})
			if len(rows) != 1 || rows[0].Change != way || rows[0].Reason != c.want {
				t.Errorf("%s, %s: %+v, want the reason %s", name, way, rows, c.want)
			}
		}
	}
}

// TestRowsWithoutAPeriodCoverNone, and are never outside the periods of the other snapshot.
func TestRowsWithoutAPeriodCoverNone(t *testing.T) {
	gap := func(soc string, year *int32) snapshots.SkillsGapsRow {
		return snapshots.SkillsGapsRow{SOC: soc, Classification: "SOC2020", Country: "GB", HorizonYear: year,
			SourceKey: "skills_england"}
	}
	m := snapshots.Manifest{ToolVersion: "1"}
	old := []snapshots.SkillsGapsRow{gap("1111", new(int32(2035))), gap("1112", nil)}
	from := side(t, t.TempDir(), "2026-11-20", m, tablesBy{"skills_gaps": rowsOf(old)})
	for name, c := range map[string]struct {
		row  snapshots.SkillsGapsRow
		want snapshots.ChangeReason
	}{
		"before the first": {gap("1113", new(int32(2030))), snapshots.ReasonPeriod},
		"the same":         {gap("1113", new(int32(2035))), snapshots.ReasonMethod},
		"no period":        {gap("1113", nil), snapshots.ReasonMethod},
	} {
		rows := append(slices.Clone(old), c.row)
		to := side(t, t.TempDir(), "2026-11-20", m, tablesBy{"skills_gaps": rowsOf(rows)})
		got, _ := compare(t, from, to, diff.Options{Tables: []string{"skills_gaps"}})
		if len(got) != 1 || got[0].Reason != c.want {
			t.Errorf("%s: %+v, want the reason %s", name, got, c.want)
		}
	}
}

// TestArchivedFilesAreNamedToALimit: the first twenty, in their order.
func TestArchivedFilesAreNamedToALimit(t *testing.T) {
	for _, n := range []int{1, 19, 20, 21, 30} {
		var sums []string
		for i := range n {
			sums = append(sums, fmt.Sprintf("%02d", (i*7)%n)) // in no order
			if n%7 == 0 {
				sums[i] = fmt.Sprintf("%02d", n-1-i)
			}
		}
		tables := func(value int64) tablesBy {
			return tablesBy{"course_demand": rowsOf([]snapshots.CourseDemandRow{course("2026-07-31", value)})}
		}
		from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, tables(10))
		to := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{Inputs: []snapshots.ArchivedFetch{input("dfe", sums...)}},
			tables(12))
		rows, _ := compare(t, from, to, diff.Options{Tables: []string{"course_demand"}})
		var want []string
		for i := range min(n, 20) {
			want = append(want, fmt.Sprintf("%02d", i))
		}
		if len(rows) != 1 || rows[0].ArchiveSHA256 != strings.Join(want, ",") {
			t.Errorf("%d files: %+v, want %s", n, rows, want)
		}
	}
}

// TestValuesArePrintedAsPublished, each type in its own way.
func TestValuesArePrintedAsPublished(t *testing.T) {
	posted, ends := time.Date(2026, 11, 1, 8, 30, 5, 0, time.UTC), date("2026-12-24").Time
	job := snapshots.JobsRow{ID: "a", PostedAt: posted}
	rows := func(j snapshots.JobsRow) tablesBy { return tablesBy{"jobs": rowsOf([]snapshots.JobsRow{j})} }
	empty := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, tablesBy{"jobs": rowsOf([]snapshots.JobsRow{})})
	full := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, rows(job))
	got, totals := compare(t, empty, full, diff.Options{Tables: []string{"jobs"}})
	if len(got) != 1 || !strings.Contains(deref(got[0].Key), `"posted_at":"2026-11-01T08:30:05Z"`) ||
		got[0].Old != nil ||
		totals[0].Added != 1 || totals[0].Shared != 0 {
		t.Errorf("%+v, %+v", got, totals)
	}
	demand := func(n int32) tablesBy {
		return tablesBy{"course_demand": rowsOf([]snapshots.CourseDemandRow{{SourceKey: "dfe", PeriodEnd: ends}})}
	}
	from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, demand(1))
	got, totals = compare(t, from, from, diff.Options{Tables: []string{"course_demand"}})
	if len(got) != 0 || totals[0].Shared != 1 || totals[0].Changes() != 0 {
		t.Errorf("a table and itself: %+v, %+v", got, totals)
	}
	none := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, tablesBy{})
	got, _ = compare(t, from, none, diff.Options{Tables: []string{"course_demand"}})
	if len(got) != 1 || !strings.Contains(deref(got[0].Key), `"period_end":"2026-12-24"`) || got[0].New != nil ||
		got[0].Change != snapshots.RowRemoved {
		t.Errorf("a table that is not there any more: %+v", got)
	}
}

// TestListedToTheLimit: one by one up to it, and as counts in order above it.
func TestListedToTheLimit(t *testing.T) {
	people := func(n int64, skills ...string) tablesBy {
		var rows []snapshots.PeopleRow
		for _, s := range skills {
			rows = append(rows, person(n, s))
		}
		return tablesBy{"people": rowsOf(rows)}
	}
	from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, people(7, "a", "b", "c"))
	to := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, people(9, "b", "c", "d"))
	for limit, want := range map[int]string{0: "removed 1, changed 1, changed 1, added 1, ",
		4: "removed 1, changed 1, changed 1, added 1, ", 3: "added 1, changed 2, removed 1, ",
		1: "added 1, changed 2, removed 1, "} {
		rows, totals := compare(t, from, to, diff.Options{Tables: []string{"people"}, MaxListedChanges: limit})
		got := ""
		for _, r := range rows {
			got += fmt.Sprintf("%s %d, ", r.Change, r.Keys)
		}
		if got != want || totals[0].Added != 1 || totals[0].Removed != 1 || totals[0].Changed != 2 ||
			totals[0].Shared != 2 {
			t.Errorf("a limit of %d: %s and %+v, want %s", limit, got, totals, want)
		}
	}
	refused := errors.New("refused")
	for _, limit := range []int{0, 1, 4} {
		_, err := diff.Compare(t.Context(), from, to, diff.Options{Tables: []string{"people"}, MaxListedChanges: limit},
			func(snapshots.ChangesRow) error { return refused })
		if !errors.Is(err, refused) || !strings.HasPrefix(err.Error(),
			"compare people of 2026-11-20.1 and 2026-11-20.1: ") {
			t.Errorf("a limit of %d: %v", limit, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := diff.Compare(ended, from, to, diff.Options{Tables: []string{"people"}},
		func(snapshots.ChangesRow) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

// TestDamagedTablesAreNotCompared: the error names the table.
func TestDamagedTablesAreNotCompared(t *testing.T) {
	for _, table := range []string{"people", "sources"} {
		from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, tablesBy{})
		to := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, tablesBy{})
		path := snapshots.JoinPath(to.Dir, snapshots.TableFileName(table))
		if err := os.WriteFile(path, []byte("PAR1"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := diff.Compare(t.Context(), from, to, diff.Options{Tables: []string{"people"}},
			func(snapshots.ChangesRow) error { return nil })
		if err == nil || !strings.Contains(err.Error(), table) {
			t.Errorf("a damaged table %s: %v", table, err)
		}
	}
}

// TestChangesStateWhatIsWithdrawn and with what they compare; those of a first snapshot have no rows.
func TestChangesStateWhatIsWithdrawn(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Begin(date("2026-11-20").Time)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	at := time.Date(2026, 11, 19, 8, 0, 0, 0, time.UTC)
	for want, withdrawn := range map[string][]snapshots.PeopleWithdrawal{"": nil,
		`[{"at":"2026-11-19T08:00:00Z","skill":"sql","by":"A","reason":"wrong"}]`: {{At: at, Skill: "sql", By: "A",
			Reason: "wrong"}}} {
		totals, err := diff.WriteChanges(t.Context(), s, w, snapshots.Manifest{PeopleWithdrawn: withdrawn}, nil)
		if err != nil || totals != nil {
			t.Fatalf("%v, %v", totals, err)
		}
		about, err := parquetio.ReadFooter(w.FilePath(snapshots.ChangesFileName))
		got, stated := about.Metadata[snapshots.MetaPeopleWithdrawn]
		if err != nil || about.Rows != 0 || got != want || stated != (want != "") ||
			about.Metadata[snapshots.MetaPreviousID] != "" {
			t.Errorf("%+v, %v; want %s", about, err, want)
		}
	}
	far := []snapshots.PeopleWithdrawal{{At: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}} // JSON has no such year
	if _, err := diff.WriteChanges(t.Context(), s, w, snapshots.Manifest{PeopleWithdrawn: far}, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "what changed: ") {
		t.Errorf("of a withdrawal that cannot be written: %v", err)
	}
	if err := os.WriteFile(filepath.Join(s.RootDir(), snapshots.CurrentFileName), []byte("today"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := diff.WriteChanges(t.Context(), s, w, snapshots.Manifest{}, nil); !errors.Is(err,
		store.ErrUnreadableCurrent) ||
		!strings.HasPrefix(err.Error(), "what changed: ") {
		t.Errorf("of an unreadable CURRENT: %v", err)
	}
	if err := os.WriteFile(filepath.Join(s.RootDir(), snapshots.CurrentFileName), []byte("2026-11-19.1"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := diff.WriteChanges(t.Context(), s, w, snapshots.Manifest{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a snapshot that is not there: %v", err)
	}
}
