package tablewriter

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// A table is written again for the snapshot that the previous one was made for. Without one, or with one that cannot be
// read, nothing is written.
func TestATableIsRepeatedForTheSnapshotOfThePrevious(t *testing.T) {
	dir := t.TempDir()
	table, _ := snapshots.FindTable("sectors")
	file := snapshots.TablePath(dir, "sectors")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	err := parquetio.WriteTable(file, table, snapshots.TableMetadata(table, "2026-11-19.1", nil), time.Time{},
		[]snapshots.SectorsRow{{Sector: "care"}})
	if err != nil {
		t.Fatal(err)
	}
	damaged := t.TempDir()
	path := snapshots.TablePath(damaged, "sectors")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("PAR1"), 0o600)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	for name, c := range map[string]struct {
		before *previous.Snapshot
		want   snapshots.ID // no id: nothing is written
	}{
		"a table before": {&previous.Snapshot{Dir: dir}, "2026-11-19.1"},
		"a damaged one":  {&previous.Snapshot{Dir: damaged}, ""},
		"a whole run":    {nil, ""},
	} {
		var madeFor snapshots.ID
		w := &Writer{Previous: c.before}
		same, err := w.repeat("sectors", func(id snapshots.ID) error {
			madeFor = id
			return full
		})
		if same || madeFor != c.want || errors.Is(err, full) != (c.want != "") {
			t.Errorf("%s: written for %q, the same %t, %v; want %q", name, madeFor, same, err, c.want)
		}
	}
}
