package verify_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

var update = flag.Bool("update", false, "freeze the sample of the format again")

// frozen is the data directory of the frozen sample of the format; frozenID is its one snapshot.
const (
	frozen   = "../../snapshots/testdata/labour-1"
	frozenID = snapshots.ID("2026-11-20.1")
)

// TestFrozenSampleIsSound: "A frozen sample must open for ever." A change that makes this fail makes
// another format. Until the format is released the sample may be frozen again with -update.
func TestFrozenSampleIsSound(t *testing.T) {
	if *update {
		freeze(t)
	}
	r := report(t, dirOf(t, frozen, frozenID))
	if !r.HasNoFaults() || r.ID != frozenID || r.Rows < 1000 {
		t.Errorf("%d rows: %v; `go test ./pipeline/verify -run Frozen -update` freezes the sample again, "+
			"which is right only while the format is not released", r.Rows, r.Err())
	}
}

// freeze seals the sample again, with every embargoed dataset open.
func freeze(t *testing.T) {
	t.Helper()
	root, c := t.TempDir(), snaptest.DefaultContent(t, day)
	for _, d := range snapshots.EmbargoedDatasets() {
		c.OpenEmbargoed = append(c.OpenEmbargoed, d.Name)
	}
	if id := snaptest.BuildSnapshot(t, root, day, c); id != frozenID {
		t.Fatalf("%s was sealed", id)
	}
	if err := os.RemoveAll(frozen); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(frozen, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	for _, lock := range []string{".writer.lock", ".current.lock"} {
		if err := os.Remove(filepath.Join(snapshots.SnapshotsDir(frozen), lock)); err != nil {
			t.Fatal(err)
		}
	}
}
