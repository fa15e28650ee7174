package check

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// copied returns a copy of a snapshot's directory that may be written.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestGatesNeedTheirFiles breaks every file that the gates of a succession read, in the snapshot that
// is current and in the next one: what cannot be judged is refused, and never passes as no fault.
func TestGatesNeedTheirFiles(t *testing.T) {
	root := t.TempDir()
	build := func(asOf string) string {
		id := snaptest.SealSnapshot(t, root, asOf, ofPeople(t, asOf, 1000, 600, 1))
		store, err := store.Open(root)
		if err != nil {
			t.Fatal(err)
		}
		return store.SnapshotDir(id)
	}
	sound := [2]string{build("2026-07-20"), build("2026-11-20")} // of two quarters, so that people are judged
	ctx := context.Background()
	if _, err := FindSuccessionFaults(ctx, sound[0], sound[1], defaults); err != nil {
		t.Fatal(err)
	}
	files := []string{snapshots.ManifestFileName, snapshots.ReportFileName}
	for _, table := range append(revisable(), "sources", "candidates", "people") {
		files = append(files, snapshots.TableFileName(table))
	}
	for side, name := range []string{"the current one", "the next one"} {
		for _, file := range files {
			pair := sound
			pair[side] = copied(t, sound[side])
			path := filepath.Join(pair[side], file)
			if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte("{"), 0o600)); err != nil {
				t.Fatal(err)
			}
			if faults, err := FindSuccessionFaults(ctx, pair[0], pair[1], defaults); err == nil {
				t.Errorf("%s of %s is broken: %d faults and no error", file, name, len(faults))
			}
		}
	}
}

// TestReportMustBeReadable holds that a report that cannot be read is no report of no sources.
func TestReportMustBeReadable(t *testing.T) {
	root := t.TempDir()
	id := snaptest.SealSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := copied(t, store.SnapshotDir(id))
	if _, err := readSources(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, snapshots.ReportFileName)
	for _, text := range []string{"", "{", `{"sources":{}}`} {
		if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if read, err := readSources(dir); err == nil {
			t.Errorf("a report of %q: %v", text, read)
		}
	}
}
