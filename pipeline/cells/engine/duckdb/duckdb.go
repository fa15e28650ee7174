// Package duckdb runs SELECT statements over Parquet files with DuckDB, inside the program.
package duckdb

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	_ "github.com/marcboeker/go-duckdb/v2" // the database/sql driver "duckdb"

	"labour/pipeline/cells/engine"
	"labour/snapshots/sqltext"
	"labour/snapshots/threads"
)

// macrosSQL defines SQL functions of Apache Spark that DuckDB does not have. With them, DuckDB runs
// the same queries as Spark.
//
//go:embed sql/macros.sql
var macrosSQL string

// Database is a DuckDB database in memory. It writes temporary files when it needs more memory than
// its limit.
type Database struct {
	db *sql.DB
}

// Open returns a new, empty database with the given limits.
func Open(ctx context.Context, limits engine.Limits) (*Database, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	db.SetMaxOpenConns(1) // one session, because tables belong to a session
	d := &Database{db: db}
	for _, s := range append(settings(limits), macrosSQL) {
		if err := d.exec(ctx, s); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", s, err), db.Close())
		}
	}
	return d, nil
}

// settings returns the statements that set the limits of a database.
func settings(l engine.Limits) []string {
	l.MemoryMB = cmp.Or(l.MemoryMB, 2048)
	list := []string{fmt.Sprintf("SET memory_limit = '%dMB'", l.MemoryMB), "SET preserve_insertion_order = true",
		fmt.Sprintf("SET threads = %d", threads.CountForGrouping(cmp.Or(l.Threads, runtime.GOMAXPROCS(0))))}
	if l.TempDir != "" {
		list = append(list, "SET temp_directory = "+sqltext.Quote(l.TempDir))
	}
	return list
}

// Read creates a view of a Parquet file under the given name.
func (d *Database) Read(ctx context.Context, name, file string) error {
	return d.CreateView(ctx, name, "FROM read_parquet("+sqltext.Quote(file)+")")
}

// ReadWithRowNumbers creates a view of a Parquet file under the given name. The view has an
// additional column file_row_number, which numbers the rows from 0. If asTable is true, it creates
// a table instead, so that the file is read only once.
func (d *Database) ReadWithRowNumbers(ctx context.Context, name, file string, asTable bool) error {
	file = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(file)
	query := "FROM read_parquet(" + sqltext.Quote(file) + ", file_row_number = true, hive_partitioning = false)"
	if asTable {
		return d.Materialise(ctx, name, query)
	}
	return d.CreateView(ctx, name, query)
}

// Query runs a query and returns its rows.
func (d *Database) Query(ctx context.Context, query string) (*sql.Rows, error) {
	return d.db.QueryContext(ctx, query)
}

// QueryRow runs a query and stores the columns of its first row in the variables to which dest
// points. It returns sql.ErrNoRows if there is no row.
func (d *Database) QueryRow(ctx context.Context, query string, dest ...any) error {
	return d.db.QueryRowContext(ctx, query).Scan(dest...)
}

// SetVariable sets an SQL variable to a string.
func (d *Database) SetVariable(ctx context.Context, variable, text string) error {
	return d.exec(ctx, "SET VARIABLE "+variable+" = "+sqltext.Quote(text))
}

// CreateView creates an SQL view from a query. It replaces a view of that name.
func (d *Database) CreateView(ctx context.Context, name, query string) error {
	return d.exec(ctx, "CREATE OR REPLACE VIEW "+name+" AS "+query)
}

// Materialise runs a query and stores its rows in a table of the given name.
func (d *Database) Materialise(ctx context.Context, name, query string) error {
	return d.exec(ctx, "CREATE OR REPLACE TABLE "+name+" AS "+query)
}

// Write runs a query and writes its rows to a Parquet file.
func (d *Database) Write(ctx context.Context, query, to string) error {
	return d.exec(ctx, "COPY ("+query+") TO "+sqltext.Quote(to)+" (FORMAT parquet, COMPRESSION snappy)")
}

// SortFiles merges Parquet files into one sorted file. from is a path or a glob pattern, and by is
// an SQL list of columns.
func (d *Database) SortFiles(ctx context.Context, from, to, by string) error {
	return d.Write(ctx, "FROM read_parquet("+sqltext.Quote(from)+") ORDER BY "+by, to)
}

// SetAsOf sets the SQL variable as_of to the date of the snapshot.
func (d *Database) SetAsOf(ctx context.Context, day time.Time) error {
	return d.exec(ctx, "SET VARIABLE as_of = DATE '"+day.Format(time.DateOnly)+"'")
}

func (d *Database) exec(ctx context.Context, statement string) error {
	_, err := d.db.ExecContext(ctx, statement)
	return err
}

// Close closes the database and frees its memory.
func (d *Database) Close() error { return d.db.Close() }
