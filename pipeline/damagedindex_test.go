package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/store"
)

// TestDamagedIndexStopsNothing: "a damaged index must not keep a sound snapshot from being published".
// Figures of people stay as they are printed, and the run makes the index again.
func TestDamagedIndexStopsNothing(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	before := shownPeople(s, s.run())
	file := filepath.Join(snapshots.SnapshotsDir(s.data), snapshots.IndexFileName)
	for name, text := range map[string]string{"torn": `{"format": "labour/1", "snapsh`, "empty": ""} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s.turnedDown(60)
		r, err := Run(t.Context(), *s.last)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if after := shownPeople(s, r); after != before || before == "" {
			t.Errorf("%s: figures of people were\n%s\nand are\n%s", name, before, after)
		}
		store, err := store.Open(s.data)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := store.Index(); err != nil || !x.Rebuilt {
			t.Errorf("%s: the index was not made again: %v", name, err)
		}
	}
}
