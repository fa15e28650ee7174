package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/parquetio/parquettest"
	"labour/snapshots/store"
)

// releasedFiles looks at the raw bytes and the metadata of what is released: no column
// of people holds a value that no row shows, and every value is 0 or a multiple of 5.
func (p *published) releasedFiles(t *testing.T) {
	dictionaries := 0
	for _, table := range snapshots.Tables() {
		for _, column := range table.PeopleColumns() {
			c, err := parquettest.Inspect(p.table(table.Name), column.Value)
			if err != nil {
				t.Fatal(err)
			}
			exact := slices.ContainsFunc(slices.Concat(c.RowValues, c.MinMaxValues, c.Dictionary),
				func(n int64) bool { return n < 0 || n%5 != 0 })
			if exact && !othersTable(table.Name) || len(c.ValuesNotInRows()) > 0 || c.HasIndexes || c.UnaccountedBytes != 0 {
				t.Errorf("%s, %s: exact numbers %v, in no row %v, indexes %v, %d bytes belong to no page and not to the footer",
					table.Name, column.Value, exact, c.ValuesNotInRows(), c.HasIndexes, c.UnaccountedBytes)
			}
			dictionaries += len(c.Dictionary)
		}
	}
	if dictionaries < 10 {
		t.Errorf("only %d entries of dictionaries were there to look at", dictionaries)
	}
	err := filepath.WalkDir(filepath.Join(p.data, "snapshots"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && (strings.Contains(path, "audit") || strings.Contains(path, "printed") ||
			strings.Contains(path, "truth")) {
			t.Errorf("%s is released", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(p.data, "protected")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the protected zone may be read by others: %v, %v", info, err)
	}
}

// othersTable reports whether a table's figures keep the rounding of their publisher.
func othersTable(name string) bool { return name == "course_demand" || name == "evidence" }

// table is the file of a table of the current snapshot.
func (p *published) table(name string) string {
	p.t.Helper()
	store, err := store.Open(p.data)
	if err != nil {
		p.t.Fatal(err)
	}
	id, err := store.Current()
	if err != nil {
		p.t.Fatal(err)
	}
	return snapshots.TablePath(store.SnapshotDir(id), name)
}
