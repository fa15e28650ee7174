package snaptest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

func TestBuildSealsAndPromotes(t *testing.T) {
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	if current, err := store.Current(); err != nil || current != id || id != "2026-11-20.1" {
		t.Fatalf("current is %q, %v; want %q", current, err, id)
	}
	m, err := store.Manifest(id)
	if err != nil {
		t.Fatal(err)
	}
	if m.PeopleAsOf.String() != "2026-09-30" {
		t.Errorf("people_as_of = %s", m.PeopleAsOf)
	}
	for _, table := range m.Tables {
		if table.Rows == 0 {
			t.Errorf("table %s is empty", table.Name)
		}
	}
	if next := snaptest.BuildSnapshot(t, root, "2026-11-20",
		snaptest.DefaultContent(t, "2026-11-20")); next != "2026-11-20.2" {
		t.Errorf("second run is %s", next)
	}
}

// TestSameContentSameBytes: SHA256SUMS covers every file, so equal sums are equal snapshots.
func TestSameContentSameBytes(t *testing.T) {
	var first string
	for _, processors := range []int{runtime.GOMAXPROCS(0), 1} {
		before := runtime.GOMAXPROCS(processors)
		root := t.TempDir()
		id := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
		runtime.GOMAXPROCS(before)
		sums, err := os.ReadFile(filepath.Join(snapshots.SnapshotsDir(root), string(id), snapshots.SumsFileName))
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(sums)
		}
		if string(sums) != first {
			t.Errorf("other bytes on %d processors:\n%s\n%s", processors, first, sums)
		}
	}
}
