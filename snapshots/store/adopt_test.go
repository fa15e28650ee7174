package store

import (
	"context"
	"errors"
	"os"
	"testing"

	"labour/snapshots"
)

// adopt takes a snapshot of one store over into another, and reports whether its files were asked for.
func adopt(t *testing.T, into, from *Store, id snapshots.ID) (asked bool) {
	t.Helper()
	err := into.AddFromOtherStore(context.Background(), id, func(dir string) error {
		asked = true
		return os.CopyFS(dir, os.DirFS(from.SnapshotDir(id)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return asked
}

// TestAdoptedOnce holds that a snapshot that is there is not asked for again, and that an index that an
// adoption did not come to is made up for.
func TestAdoptedOnce(t *testing.T) {
	from, into := openStore(t, t.TempDir()), openStore(t, t.TempDir())
	id := sealOne(t, from, "a")
	if !adopt(t, into, from, id) {
		t.Fatal("the files were not asked for")
	}
	if adopt(t, into, from, id) {
		t.Error("the files of a snapshot that is there were asked for")
	}
	if err := os.Remove(snapshots.JoinPath(into.RootDir(), snapshots.IndexFileName)); err != nil {
		t.Fatal(err)
	}
	if adopt(t, into, from, id) {
		t.Error("the files were asked for, though only the index was missing")
	}
	x, err := into.Index()
	if _, known := x.FindEntry(id); err != nil || !known {
		t.Errorf("the index does not know it: %+v, %v", x, err)
	}
	if _, _, err := snapshots.ReadManifest(into.SnapshotDir(id)); err != nil {
		t.Error(err)
	}
	broken := errors.New("the line was cut")
	other := sealOne(t, from, "b")
	if err := into.AddFromOtherStore(context.Background(), other, func(string) error { return broken }); !errors.Is(err,
		broken) {
		t.Errorf("a copy that failed: %v", err)
	}
	if _, err := os.Lstat(into.SnapshotDir(other)); err == nil {
		t.Error("a copy that failed has its name")
	}
}
