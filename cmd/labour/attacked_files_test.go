package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// releasedFiles looks at the raw bytes and the metadata of what is released: no
// column of people holds a value that no row shows, and the attacker's report of the
// run, which names small groups, is in the protected zone and nowhere else.
func (p *published) releasedFiles(t *testing.T) {
	dictionaries := 0
	for _, table := range snapshots.Tables() {
		for _, column := range table.PeopleColumns() {
			found, err := parquetio.Inspect(p.table(table.Name), column.Value)
			if err != nil {
				t.Fatal(err)
			}
			if found.Unaccounted != 0 {
				t.Errorf("%s: %d bytes belong to no page and not to the footer", table.Name, found.Unaccounted)
			}
			for _, c := range found.Chunks {
				small := slices.ContainsFunc(slices.Concat(c.Stored, c.Bounds, c.Dictionary), func(n int64) bool { return n < 0 || n > 0 && n < 5 })
				if small || c.Strangers() != nil || c.Indexes {
					t.Errorf("%s, %s: small %v, in no row %v, indexes %v", table.Name, column.Value, small, c.Strangers(), c.Indexes)
				}
				dictionaries += len(c.Dictionary)
			}
		}
	}
	if dictionaries < 20 {
		t.Errorf("only %d entries of dictionaries were there to look at", dictionaries)
	}
	p.auditStaysInside(t)
}

// auditStaysInside: the report of the audit is a file of the protected zone that
// nobody else may read, and no released file has any of its words.
func (p *published) auditStaysInside(t *testing.T) {
	reports, err := filepath.Glob(filepath.Join(p.data, "protected", "audit", "*.json"))
	if err != nil || len(reports) == 0 {
		t.Fatalf("no report of the audit in the protected zone: %v", err)
	}
	for _, file := range reports {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s may be read by others: %v", file, info.Mode())
		}
	}
	looked := 0
	err = filepath.WalkDir(filepath.Join(p.data, "snapshots"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		looked++
		b, err := os.ReadFile(path)
		for _, word := range []string{`"Exact"`, `"Systems"`, "turned_down_for\"", "hired_without"} {
			if bytes.Contains(b, []byte(word)) {
				t.Errorf("%s holds %s of the audit", path, word)
			}
		}
		if strings.Contains(path, "audit") || strings.Contains(path, "ledger") {
			t.Errorf("%s is released", path)
		}
		return err
	})
	if err != nil || looked < 15 {
		t.Errorf("%d released files, %v", looked, err)
	}
}
