package diff_test

import (
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// TestEventsOfVersion1AreNotNamed: version 1 had events of partners in the table. What the
// next snapshot no longer has is not told one by one, nor how many there were.
func TestEventsOfVersion1AreNotNamed(t *testing.T) {
	data := t.TempDir()
	if err := os.CopyFS(data, os.DirFS("../testdata/v1")); err != nil {
		t.Fatal(err)
	}
	id := snaptest.Build(t, data, "2026-11-21", snaptest.Default(t, "2026-11-21"))
	changes := filepath.Join(snapshots.Root(data), string(id), snapshots.ChangesName)
	rows, err := parquetio.ReadAll[snapshots.ChangesRow](changes)
	if err != nil {
		t.Fatal(err)
	}
	events := 0
	for _, r := range rows {
		if r.Table == "events" {
			events++
			if r.Key != nil || r.Old != nil || r.New != nil || r.Change != snapshots.KeyChanged {
				t.Errorf("%+v", r)
			}
		}
	}
	if events != 1 {
		t.Errorf("%d rows of events", events)
	}
}
