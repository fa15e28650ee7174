package changed_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"labour/serve/web/changed"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// write writes a snapshot directory with changes and one source.
func write(t *testing.T, rows []snapshots.ChangesRow) string {
	t.Helper()
	dir, day := t.TempDir(), time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for _, err := range []error{
		parquetio.WriteTable(snapshots.JoinPath(dir, snapshots.ChangesFileName), snapshots.ChangesTable(), nil, day, rows),
		writeSources(dir, day),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func writeSources(dir string, day time.Time) error {
	if err := os.Mkdir(snapshots.JoinPath(dir, snapshots.TablesDirName), 0o755); err != nil {
		return err
	}
	table, _ := snapshots.FindTable("sources")
	return parquetio.WriteTable(snapshots.JoinPath(dir, snapshots.TableFileName("sources")), table, nil, day,
		[]snapshots.SourcesRow{{Key: "office", AttributionStatement: "Source: An office."}})
}

func row(table string, n int, kind snapshots.ChangeKind) snapshots.ChangesRow {
	key, value := fmt.Sprintf(`{"n":%d}`, n), fmt.Sprintf(`{"value":%d}`, n)
	return snapshots.ChangesRow{Table: table, Key: &key, Change: kind, New: &value, Reason: snapshots.ReasonMethod,
		SourceKeys: "office", Keys: 1}
}

// The totals are those of the list, counted in plain Go, whatever the filter the rows are those
// that it holds, and nothing of a table that is not given away is in either.
func TestTotalsAndRowsAreThoseOfTheList(t *testing.T) {
	kinds := []snapshots.ChangeKind{snapshots.RowAdded, snapshots.RowChanged, snapshots.RowRemoved}
	var all []snapshots.ChangesRow
	for _, table := range []string{"adverts", "evidence", "people", "regions"} {
		for n := range 1300 {
			all = append(all, row(table, n, kinds[n*n%7%3]))
		}
	}
	dir, given := write(t, all), []string{"evidence", "regions"}
	list, err := changed.ReadSummary(dir, given)
	if err != nil || list.Sources["office"].AttributionStatement == "" || len(list.Totals) != 2 {
		t.Fatalf("%v, %d totals, sources %v", err, len(list.Totals), list.Sources)
	}
	for _, total := range list.Totals {
		for _, kind := range kinds {
			var want int64
			for _, r := range all {
				if r.Table == total.Table && r.Change == kind {
					want++
				}
			}
			if total.Kinds[string(kind)] != want {
				t.Errorf("%s %s: %d, want %d", total.Table, kind, total.Kinds[string(kind)], want)
			}
		}
	}
	for _, f := range []changed.Filter{{}, {Table: "regions"}, {Kind: snapshots.RowAdded}, {Table: "people"}} {
		var got, want []string
		for _, r := range all {
			if slices.Contains(given, r.Table) && (f.Table == "" || r.Table == f.Table) &&
				(f.Kind == "" || r.Change == f.Kind) {
				want = append(want, r.Table+*r.Key)
			}
		}
		err := changed.EachRow(dir, given, f, func(r snapshots.ChangesRow) error {
			got = append(got, r.Table+*r.Key)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v: %d rows, want %d, %v", f, len(got), len(want), err)
		}
	}
}

// A snapshot from before there were lists has an empty one.
func TestWithoutAList(t *testing.T) {
	dir := t.TempDir()
	if err := writeSources(dir, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	list, err := changed.ReadSummary(dir, []string{"regions"})
	if err != nil || len(list.Totals) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// One row may stand for many keys, such as all keys of a table that is new.
func TestTotalsCountTheKeysOfARow(t *testing.T) {
	many := row("regions", 1, snapshots.RowRemoved)
	many.Keys = 40
	list, err := changed.ReadSummary(write(t, []snapshots.ChangesRow{many, row("regions", 2, snapshots.RowRemoved)}),
		[]string{"regions"})
	if err != nil {
		t.Fatal(err)
	}
	if kinds := list.Totals[0].Kinds; kinds["removed"] != 41 || kinds["added"] != 0 || kinds["changed"] != 0 ||
		len(kinds) != 3 {
		t.Errorf("%v, want 41 removed and the other two kinds with 0", kinds)
	}
}

// EachRow stops at the first error of the function that it calls.
func TestEachRowStopsAtAnError(t *testing.T) {
	dir := write(t, []snapshots.ChangesRow{row("regions", 1, snapshots.RowAdded), row("regions", 2, snapshots.RowAdded)})
	full, calls := errors.New("full"), 0
	err := changed.EachRow(dir, []string{"regions"}, changed.Filter{}, func(snapshots.ChangesRow) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("%d calls and %v, want one call and its error", calls, err)
	}
}

// A file that is damaged, or that a snapshot must have, is an error and not an empty summary.
func TestAnUnreadableFileIsAnError(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"the changes are no Parquet": func(dir string) error {
			return os.WriteFile(snapshots.JoinPath(dir, snapshots.ChangesFileName), []byte("changes"), 0o600)
		},
		"no sources": func(dir string) error {
			return os.Remove(snapshots.JoinPath(dir, snapshots.TableFileName("sources")))
		},
	} {
		dir := write(t, []snapshots.ChangesRow{row("regions", 1, snapshots.RowAdded)})
		if err := damage(dir); err != nil {
			t.Fatal(err)
		}
		if list, err := changed.ReadSummary(dir, []string{"regions"}); err == nil || list != nil {
			t.Errorf("%s: %+v and %v, want an error", name, list, err)
		}
	}
}
