package verify

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// A query that cannot run is a fault of the file, one of a table that is not there is left out, and
// a run that has ended is an error and no fault.
func TestQueriesThatCannotRun(t *testing.T) {
	j := judge(t)
	levels, _ := snapshots.FindTable("levels")
	file := rowFile{levels, "tables/levels.parquet", "/nowhere"}
	if err := j.duckdb.Materialise(t.Context(), "levels", "SELECT 0 AS file_row_number, 1 AS level"); err != nil {
		t.Fatal(err)
	}
	j.views = map[string]bool{"levels": true}
	j.queries = []faultQuery{{"a", "levels", "SELECT file_row_number, 'wrong' FROM levels"},
		{"b", "levels", "SELECT nothing FROM levels"}, {"c", "levels", "SELECT file_row_number, 'wrong' FROM skills"},
		{"d", "sectors", "SELECT file_row_number, 'wrong' FROM levels"},
		{"e", "each", "SELECT file_row_number, '{table} by {sort}' FROM {table}"}}
	if err := j.runQueries(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	got := j.texts()
	if len(got) != 3 || got[0] != "a tables/levels.parquet: wrong" ||
		got[2] != "e tables/levels.parquet: levels by level" ||
		!strings.HasPrefix(got[1], "b tables/levels.parquet: cannot be judged: ") {
		t.Errorf("%q", got)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for name, run := range map[string]func() error{
		"queries":    func() error { return j.runQueries(ended, file) },
		"query":      func() error { return j.runQuery(ended, "a", "b", "SELECT 0, 'x'") },
		"preparing":  func() error { return j.prepare(ended) },
		"all checks": func() error { return checkRows(ended, j.subject) },
		"schemas":    func() error { return checkSchemas(ended, j.subject) },
	} {
		if err := run(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(j.texts()) != 3 {
		t.Errorf("a run that has ended has the faults %q", j.texts())
	}
}

// A file that was changed or has other columns gives no rows; only one that cannot be read for
// another reason is a fault here.
func TestFilesWithoutAView(t *testing.T) {
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	j := judge(t)
	j.views, j.dir = map[string]bool{}, folder.SnapshotDir(id)
	levels, _ := snapshots.FindTable("levels")
	file := snapshots.TableFileName("levels")
	of := func(table snapshots.Table, name string) rowFile {
		return rowFile{table, name, snapshots.JoinPath(j.dir, name)}
	}
	for _, tt := range []struct {
		name string
		file rowFile
		rows int64
	}{
		{"a sound file", of(levels, file), 5}, {"no file", of(levels, "none"), 0},
		{"a file of other columns", of(levels, snapshots.TableFileName("sectors")), 0},
	} {
		delete(j.views, "levels")
		j.report.Rows = 0
		rows, err := j.createView(t.Context(), tt.file)
		if err != nil || rows != tt.rows || j.report.Rows != tt.rows || j.views["levels"] != (tt.rows > 0) {
			t.Errorf("%s: %d rows, %v; the report has %d", tt.name, rows, err, j.report.Rows)
		}
	}
	for _, check := range []string{"files", "sums"} {
		j.counts = map[[2]string]int{{check, file}: 1}
		if rows, err := j.createView(t.Context(), of(levels, file)); rows != 0 || err != nil {
			t.Errorf("with a fault of the %s: %d rows, %v", check, rows, err)
		}
	}
	j.counts = map[[2]string]int{}
	if len(j.texts()) != 0 {
		t.Errorf("faults %q", j.texts())
	}
	wrong := levels
	wrong.Name = "levels; wrong" // a name that is none
	if rows, err := j.createView(t.Context(), of(wrong, file)); rows != 0 || err != nil || len(j.texts()) != 1 ||
		!strings.HasPrefix(j.texts()[0], "rows "+file+": cannot be read: ") {
		t.Errorf("a view that cannot be made: %d rows, %v, %q", rows, err, j.texts())
	}
}

// Which files are looked at, with and without the rows of cells.
func TestFilesThatAreLookedAt(t *testing.T) {
	m := snapshots.Manifest{Embargoed: []snapshots.EmbargoedState{{Name: "demand", Rows: new(int64(0))},
		{Name: "trends"}}}
	for _, skip := range []bool{false, true} {
		s := subjectOf(m, "/snapshot")
		s.SkipLargeTableRows = skip
		has := map[string]bool{}
		for _, f := range s.tables() {
			has[f.Name] = true
			if f.path != filepath.Join("/snapshot", f.file) {
				t.Errorf("%s is at %s", f.file, f.path)
			}
		}
		for name, want := range map[string]bool{"changes": true, "levels": true, "adverts": !skip, "adverts_total": !skip,
			"ranking_skills": !skip, "demand": true, "trends": false, "people": true} {
			if name == "ranking_skills" {
				name = ""
				for _, table := range snapshots.Tables() {
					if snapshots.IsRankingTable(table.Name) {
						name = table.Name
					}
				}
			}
			if has[name] != want {
				t.Errorf("skip %t: %s is looked at: %t", skip, name, has[name])
			}
		}
	}
}
