package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots/filestest"
	"labour/snapshots/snaptest"
)

// TestSnapshotsAreSynced: a published snapshot survives a power cut. Each file of it is synced, and
// then its directory, before the snapshot gets its name. Each directory is synced after a name in it
// has changed.
func TestSnapshotsAreSynced(t *testing.T) {
	if data := filestest.TracedDir(); data != "" {
		snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
		return
	}
	data := t.TempDir()
	snaptest.MakeRemovable(t, data)
	hidden, calls := map[string]int{}, []string{} // hidden has the number of the last call
	for i, call := range filestest.DiskCalls(t, data) {
		if before, after, isHidden := strings.Cut(call, "/.tmp-"); isHidden {
			hidden[before+"/"+after] = i + 1
		} else {
			calls = append(calls, call)
		}
	}
	want := []string{"rename partners/2026-11-20.1", "sync partners", "sync .", "rename snapshots/2026-11-20.1",
		"sync snapshots", "sync snapshots/.index.new", "rename snapshots/index.json", "sync snapshots",
		"sync snapshots/.CURRENT.new", "rename snapshots/CURRENT", "sync snapshots", "sync snapshots/.index.new",
		"rename snapshots/index.json", "sync snapshots"}
	if !slices.Equal(calls, want) {
		t.Errorf("the calls are %q, want %q", calls, want)
	}
	for _, dir := range []string{"partners/2026-11-20.1", "snapshots/2026-11-20.1"} {
		err := fs.WalkDir(os.DirFS(data), dir, func(path string, _ fs.DirEntry, err error) error {
			last, ofDir := hidden["sync "+path], hidden["sync "+filepath.Dir(path)]
			if last == 0 || path != dir && ofDir < last {
				t.Errorf("%s or then its directory was not synced before it had this name", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
