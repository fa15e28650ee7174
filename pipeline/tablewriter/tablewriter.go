// Package tablewriter writes the tables of a snapshot, from rows made in Go or from queries of
// package cells. Results of queries first go to the protected zone, the part of the data directory
// that is never published. Only results without confidential data are imported into the snapshot.
package tablewriter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"labour/pipeline/cells"
	"labour/pipeline/previous"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// Writer writes the tables of one snapshot, from rows in memory or from query results.
type Writer struct {
	Snapshot *store.Writer
	AsOf     time.Time // date that the tables describe
	// last day that tables with counts of people describe; zero = AsOf
	PeopleLastDay time.Time
	Sources       []snapshots.SourcesRow // sources that may be credited in the files
	QueryRunner   *cells.QueryRunner     // runs the SQL queries that make tables
	// directory in the protected zone for the results of queries
	ProtectedDir string
	OnStep       func(name string) // called with the name of each step when it starts
	// Previous is the snapshot from which a light run copies tables; nil in a whole run.
	Previous *previous.Snapshot

	files []snapshots.TableFile
	// imports of query results into the snapshot, which run while other queries run
	imports errgroup.Group
	// number of rows of each imported table, set when the imports have ended
	importedRows map[string]*int64
}

// Files returns the manifest's entries for the written tables.
func (w *Writer) Files() []snapshots.TableFile { return w.files }

// RecordTable records that the snapshot has a table with the given number of rows.
func (w *Writer) RecordTable(name string, rows int64) {
	w.files = append(w.files, snapshots.TableFile{Name: name, Rows: rows})
}

// Close waits until all query results are imported into the snapshot. It then closes the database.
func (w *Writer) Close() (err error) {
	err = w.imports.Wait()
	if w.QueryRunner != nil {
		err = errors.Join(err, w.QueryRunner.Close())
		w.QueryRunner = nil
	}
	return err
}

// Finish waits until all query results are imported, closes the writer and records the imported
// tables.
func (w *Writer) Finish() error {
	if err := w.Close(); err != nil {
		return err
	}
	for name, rows := range w.importedRows {
		w.RecordTable(name, *rows)
	}
	return nil
}

// RunQuery runs a query and returns the path of its result. The result is in the protected zone and
// is not published.
func (w *Writer) RunQuery(ctx context.Context, q cells.QueryName) (file string, err error) {
	file = filepath.Join(w.ProtectedDir, string(q)+".parquet")
	if err := os.MkdirAll(w.ProtectedDir, 0o700); err != nil {
		return "", err
	}
	return file, w.QueryRunner.WriteResult(ctx, q, file)
}

// WriteQuery runs a query and writes its result as a table of the snapshot.
func (w *Writer) WriteQuery(ctx context.Context, q cells.QueryName) error {
	file, err := w.RunQuery(ctx, q)
	if err == nil {
		w.StartImport(string(q), file)
	}
	return err
}

// WriteQueries runs the queries and writes each result as a table of the snapshot. It reports each
// query as a step.
func (w *Writer) WriteQueries(ctx context.Context, queries ...cells.QueryName) error {
	for _, q := range queries {
		w.OnStep("count " + string(q))
		if err := w.WriteQuery(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// StartImport starts to import a file as a table of the snapshot, and returns at once. The file
// must have no confidential data. Close waits for the import and returns its error.
func (w *Writer) StartImport(name, file string) {
	rows := new(int64)
	if w.importedRows == nil {
		w.importedRows = map[string]*int64{}
	}
	w.importedRows[name] = rows
	w.imports.Go(func() (err error) {
		table, _ := snapshots.FindTable(name)
		named, err := parquetio.ReadCredits(file, table)
		if err == nil {
			*rows, err = parquetio.ImportTable(w.Snapshot.TablePath(name), table,
				w.metadata(table, w.Snapshot.ID(), named), w.describes(name), file)
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
		return nil
	})
}

// WriteRows writes rows as a table, in the table's sort order. If a run reads only the platform's
// feed, unchanged rows give the same bytes as in the previous snapshot, so the server's entity tags
// stay the same.
func WriteRows[T any](w *Writer, name string, rows []T) error {
	table, _ := snapshots.FindTable(name)
	sorted, named := snapshots.SortedRows(table, rows), snapshots.CreditsOfRows(table, rows)
	write := func(madeFor snapshots.ID) error {
		return parquetio.WriteTable(w.Snapshot.TablePath(name), table, w.metadata(table, madeFor, named),
			w.describes(name), sorted)
	}
	same, err := w.repeat(name, write)
	if err == nil && !same {
		err = write(w.Snapshot.ID())
	}
	if err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	w.RecordTable(name, int64(len(rows)))
	return nil
}

// repeat writes a table again by calling write. name is the table's name. madeFor is the snapshot
// in the metadata of the table's previous file, so that equal rows give equal files. same reports
// whether the new file is the same as the previous one. If there is no previous file, repeat writes
// nothing and returns false.
func (w *Writer) repeat(name string, write func(madeFor snapshots.ID) error) (same bool, err error) {
	if w.Previous == nil {
		return false, nil
	}
	before, err := parquetio.ReadFooter(w.Previous.TablePath(name))
	if err != nil {
		return false, nil // the table is written again, as if there were none before
	}
	if err := write(snapshots.ID(before.Metadata[snapshots.MetaSnapshot])); err != nil {
		return false, err
	}
	written, err := snapshots.HashFile(w.Snapshot.TablePath(name))
	sealed, ok := w.Previous.FileSum(snapshots.TableFileName(name))
	return ok && written.SHA256 == sealed.SHA256, err
}

// AddRowsAsView makes rows available to queries, as a view with the given name.
func AddRowsAsView[T any](ctx context.Context, w *Writer, name string, rows []T) error {
	file, err := staging.WriteRows(w.ProtectedDir, "input_"+name, rows)
	if err != nil {
		return err
	}
	return w.QueryRunner.AddView(ctx, name, file)
}

// describes returns the date that a table describes. A table with counts of people describes the
// last day of a quarter.
func (w *Writer) describes(table string) time.Time {
	if snapshots.IsPeopleTable(table) && !w.PeopleLastDay.IsZero() {
		return w.PeopleLastDay
	}
	return w.AsOf
}

// metadata returns the metadata of a table's file: the snapshot madeFor, for which it is made, and
// the licences and attribution statements of its sources. named are the sources that its rows name.
func (w *Writer) metadata(table snapshots.Table, madeFor snapshots.ID,
	named snapshots.CreditedSourceKeys) map[string]string {
	return snapshots.TableMetadata(table, madeFor, table.CreditedSources(named, w.Sources))
}
