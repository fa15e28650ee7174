package check

import (
	"errors"
	"os"
	"slices"
	"testing"

	"labour/pipeline/check/limits"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// twoSnapshots returns a store with a current snapshot and a sealed one of the next day, whose
// table regions is the same file.
func twoSnapshots(t *testing.T) (folder *store.Store, current, next snapshots.ID) {
	t.Helper()
	data := t.TempDir()
	current = snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	c := snaptest.DefaultContent(t, "2026-11-21")
	c.BeforeSeal = func(w *store.Writer) error {
		b, err := os.ReadFile(snapshots.TablePath(folder.SnapshotDir(current), "regions"))
		return errors.Join(err, os.WriteFile(w.TablePath("regions"), b, 0o600))
	}
	return folder, current, snaptest.SealSnapshot(t, data, "2026-11-21", c)
}

// TestRowsOfTablesThatWereTakenOver: too few rows of a table that is the same file as before are no
// fault; another fault of it is one, and too few rows of another table.
func TestRowsOfTablesThatWereTakenOver(t *testing.T) {
	folder, current, next := twoSnapshots(t)
	faults := []Fault{{Check: limits.CheckMinRows, Subject: "regions"}, {Check: limits.CheckMinRows, Subject: "places"},
		{Check: limits.CheckTableShrink, Subject: "regions"}}
	left, err := withoutFaultsOfCopiedTables(folder, current, next, slices.Clone(faults))
	if err != nil || !slices.Equal(left, faults[1:]) {
		t.Errorf("%v, %v; want %v", left, err, faults[1:])
	}
}
