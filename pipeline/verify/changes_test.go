package verify_test

import (
	"testing"
	"time"

	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestRowsOfChangesAreJudged plants every fault that a row of changes.parquet can have, among
// rows that are sound.
func TestRowsOfChangesAreJudged(t *testing.T) {
	key, five, small, none, broken := `{"skill":"sql"}`, `{"people_turned_down":5}`, `{"people_turned_down":3}`,
		`{"people_turned_down":"<5"}`, "no"
	row := func(table string, change snapshots.ChangeKind, old, after *string) snapshots.ChangesRow {
		return snapshots.ChangesRow{Table: table, Key: &key, Change: change, Old: old, New: after,
			Reason: snapshots.ReasonRevision, Keys: 1}
	}
	rows := []snapshots.ChangesRow{
		row("people", snapshots.RowChanged, &five, &none), row("people", snapshots.RowChanged, &small, &none),
		row("people", snapshots.RowAdded, nil, &broken),
		row("people", snapshots.RowAdded, &five, &five), row("sectors", "moved", &key, &key),
		row("sectors", snapshots.RowRemoved, &key, nil),
		row("sectors", snapshots.RowRemoved, &key, nil), row("levels", snapshots.RowRemoved, &key, nil),
		row("unheard-of", snapshots.RowRemoved, &key, nil),
		{Table: "unheard-of", Change: snapshots.RowAdded, Reason: "whim", Keys: 7},
	}
	rows[6].Keys = 2
	c := snaptest.DefaultContent(t, day)
	c.BeforeSeal = func(w *store.Writer) error {
		meta := snapshots.ChangesMetadata(w.ID(), nil, c.Sources)
		return parquetio.WriteTable(w.FilePath(snapshots.ChangesFileName), snapshots.ChangesTable(), meta,
			time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), rows)
	}
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	for _, want := range []struct {
		check string
		row   int64
		words string
	}{
		{"small numbers", 1, "old, people_turned_down: 3 is neither"}, {"small numbers", 2, "no JSON object"},
		{"changes", 3, "that was added"}, {"changes", 4, `"moved" for the reason "source_revision"`},
		{"changes", 6, "has 2 in the column keys"},
		{"changes", 7, `"levels" comes after "sectors"`}, {"changes", 8, `"unheard-of" is unknown`},
		{"changes", 9, "unheard-of"},
	} {
		if !has(r, want.check, snapshots.ChangesFileName, want.row, want.words) {
			t.Errorf("not found: %v, in %v", want, r.Err())
		}
	}
	if len(r.Faults) != 8 {
		t.Errorf("%d faults, want the 8 planted: %v", len(r.Faults), r.Err())
	}
}

// TestChangesOfAnotherSnapshot: the file compares with the snapshot that the manifest names.
func TestChangesOfAnotherSnapshot(t *testing.T) {
	c := snaptest.DefaultContent(t, day)
	c.BeforeSeal = func(w *store.Writer) error {
		meta := snapshots.ChangesMetadata(w.ID(), &snapshots.PreviousSnapshot{ID: "2026-11-19.1"}, c.Sources)
		return parquetio.WriteTable(w.FilePath(snapshots.ChangesFileName), snapshots.ChangesTable(), meta,
			time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), []snapshots.ChangesRow{})
	}
	root := t.TempDir()
	r := report(t, dirOf(t, root, snaptest.BuildSnapshot(t, root, day, c)))
	if len(r.Faults) != 1 || !has(r, "changes", snapshots.ChangesFileName, verify.WholeFile,
		`"2026-11-19.1", the manifest names ""`) {
		t.Error(r.Err())
	}
}
