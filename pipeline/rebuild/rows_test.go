package rebuild

import (
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// writeSectors writes a table of sectors under a description, and returns its path and its SHA-256.
func writeSectors(t *testing.T, description string, rows ...snapshots.SectorsRow) (path, sum string) {
	t.Helper()
	table, _ := snapshots.FindTable("sectors")
	path = filepath.Join(t.TempDir(), "sectors.parquet")
	if err := parquetio.WriteTable(path, table, map[string]string{"doc": description}, noon, rows); err != nil {
		t.Fatal(err)
	}
	file, err := snapshots.HashFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, file.SHA256
}

// A program that describes a column in other words makes another file with the same rows. Another
// figure, a row more or a row less are no such difference, and neither is a sealed file that is not the one
// of the manifest.
func TestFilesWithOtherDescriptions(t *testing.T) {
	one, two := snapshots.SectorsRow{Sector: "a", Name: "A"}, snapshots.SectorsRow{Sector: "b", Name: "B"}
	sealed, was := writeSectors(t, "name of the sector", one, two)
	reworded, _ := writeSectors(t, "display name", one, two)
	changed, _ := writeSectors(t, "display name", one, snapshots.SectorsRow{Sector: "b", Name: "C"})
	longer, _ := writeSectors(t, "display name", one, two, snapshots.SectorsRow{Sector: "c", Name: "C"})
	shorter, _ := writeSectors(t, "display name", one)
	for _, c := range []struct {
		name, was, sealed, rebuilt string
		equal, rowsEqual           bool
	}{
		{"the same file", was, sealed, sealed, true, false},
		{"reworded", was, sealed, reworded, false, true},
		{"another name", was, sealed, changed, false, false},
		{"a row more", was, sealed, longer, false, false},
		{"a row less", was, sealed, shorter, false, false},
		{"the sealed file was replaced", "other", sealed, reworded, false, false},
		{"the sealed file is missing", was, sealed + ".gone", reworded, false, false},
	} {
		got, err := compareFile("sectors", c.was, c.sealed, c.rebuilt)
		if err != nil || got.Equal() != c.equal || got.RowsEqual != c.rowsEqual {
			t.Errorf("%s: %+v, %v; want equal %v, rows equal %v", c.name, got, err, c.equal, c.rowsEqual)
		}
		if got.HasSealedRows() != (c.equal || c.rowsEqual) {
			t.Errorf("%s: has the sealed rows %v", c.name, got.HasSealedRows())
		}
	}
}
