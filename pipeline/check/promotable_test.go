package check

import (
	"errors"
	"os"
	"slices"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestDefaultsOfLimits holds the defaults that the handbook names, and that a limit that is set stays.
func TestDefaultsOfLimits(t *testing.T) {
	unset, set := Limits{}, Limits{MaxShrinkPct: 1, MaxGrowthPct: 2, MaxRevisedPct: 3, MaxFaultyPct: 4}
	unset.SetDefaults()
	set.SetDefaults()
	for _, c := range []struct {
		name                 string
		unset, set, def, own int
	}{
		{"max_shrink_pct", unset.MaxShrinkPct, set.MaxShrinkPct, 50, 1},
		{"max_growth_pct", unset.MaxGrowthPct, set.MaxGrowthPct, 900, 2},
		{"max_revised_pct", unset.MaxRevisedPct, set.MaxRevisedPct, 50, 3},
		{"max_faulty_pct", unset.MaxFaultyPct, set.MaxFaultyPct, 25, 4},
	} {
		if c.unset != c.def || c.set != c.own {
			t.Errorf("%s is %d by default, want %d, and %d of %d", c.name, c.unset, c.def, c.set, c.own)
		}
	}
}

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
	faults := []Fault{{Check: CheckMinRows, Subject: "regions"}, {Check: CheckMinRows, Subject: "places"},
		{Check: CheckTableShrink, Subject: "regions"}}
	left, err := withoutTakenOver(folder, current, next, slices.Clone(faults))
	if err != nil || !slices.Equal(left, faults[1:]) {
		t.Errorf("%v, %v; want %v", left, err, faults[1:])
	}
}
