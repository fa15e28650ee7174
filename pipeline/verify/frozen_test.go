package verify_test

import (
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// TestFrozenSamplesOpenForEver reads a snapshot of each format version, as it was written
// when that was the newest.
func TestFrozenSamplesOpenForEver(t *testing.T) {
	for version, want := range map[int]struct {
		data    string
		tables  int
		rounded bool
	}{1: {"v1", 24, false}, 2: {"v2", 28, true}} {
		store, err := snapshots.Open(filepath.Join("..", "..", "snapshots", "testdata", want.data))
		if err != nil {
			t.Fatal(err)
		}
		id, err := store.Current()
		if err != nil {
			t.Fatal(err)
		}
		m, err := store.Manifest(id)
		if err != nil || m.FormatVersion != version || len(m.Tables) != want.tables || m.Rounded() != want.rounded {
			t.Fatalf("manifest of version %d with %d tables, rounded: %t, %v", m.FormatVersion, len(m.Tables), m.Rounded(), err)
		}
		if r := report(t, store.Dir(id)); !r.OK() {
			t.Error(r.Err())
		}
		sectors, err := parquetio.ReadAll[snapshots.SectorsRow](snapshots.Within(store.Dir(id), snapshots.TableFileName("sectors")))
		if err != nil || len(sectors) != 3 || sectors[0].Sector != "care-services" {
			t.Errorf("version %d: sectors: %v, %v", version, sectors, err)
		}
	}
}
