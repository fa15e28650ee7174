// Package writertest makes tablewriter.Writers for tests.
package writertest

import (
	"path/filepath"
	"testing"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/cells/engine"
	"labour/pipeline/staging"
	"labour/pipeline/tablewriter"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// Open returns a table writer for the first snapshot of a new store. The snapshot describes the
// date asOf. The writer cannot run queries, and is closed when the test ends.
func Open(t testing.TB, asOf time.Time) *tablewriter.Writer {
	t.Helper()
	folder, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := folder.Begin(asOf)
	if err != nil {
		t.Fatal(err)
	}
	w := &tablewriter.Writer{Snapshot: snapshot, AsOf: asOf, ProtectedDir: t.TempDir(), OnStep: func(string) {}}
	t.Cleanup(func() {
		w.Close()
		snapshot.Close()
	})
	return w
}

// OpenWithQueries returns a table writer that can run queries. stage writes the rows that the
// queries read. The writer is closed when the test ends.
func OpenWithQueries(t testing.TB, in cells.QueryInputs, stage func(*staging.StagedFiles) error) *tablewriter.Writer {
	t.Helper()
	w := Open(t, in.AsOf)
	rows, err := staging.Create(filepath.Join(t.TempDir(), "staging"))
	if err != nil {
		t.Fatal(err)
	}
	if err := stage(rows); err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	w.Sources = in.Sources
	w.QueryRunner, err = cells.OpenQueryRunner(t.Context(), rows.Dir, in, engine.Limits{Threads: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Rows returns the rows that a test has written to a table.
func Rows[T any](t testing.TB, w *tablewriter.Writer, table string) []T {
	t.Helper()
	rows, err := parquetio.ReadAll[T](w.Snapshot.TablePath(table))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
