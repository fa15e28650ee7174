package engine

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

	"labour/snapshots/threads"
)

//go:embed sql/macros.sql
var macrosSQL string

// Limits holds the limits of DuckDB's memory, threads and disk space.
type Limits struct {
	MemoryMB int    // 0 = 2048
	Threads  int    // 0 = every core
	TempDir  string // for temporary files; inside the protected zone
}

// DuckDB is the engine inside the program. Beyond its memory limit it uses temporary files.
type DuckDB struct {
	db *sql.DB
}

// OpenDuckDB starts an engine without any tables or views.
func OpenDuckDB(ctx context.Context, limits Limits) (*DuckDB, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	db.SetMaxOpenConns(1) // one session, because tables belong to a session
	d := &DuckDB{db: db}
	for _, s := range append(limits.settings(), macrosSQL) {
		if err := d.exec(ctx, s); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", s, err), db.Close())
		}
	}
	return d, nil
}

func (l Limits) settings() []string {
	l.MemoryMB = cmp.Or(l.MemoryMB, 2048)
	settings := []string{fmt.Sprintf("SET memory_limit = '%dMB'", l.MemoryMB), "SET preserve_insertion_order = true",
		fmt.Sprintf("SET threads = %d", threads.AvoidTwo(cmp.Or(l.Threads, runtime.GOMAXPROCS(0))))}
	if l.TempDir != "" {
		settings = append(settings, "SET temp_directory = "+literal(l.TempDir))
	}
	return settings
}

// Read implements Engine.
func (d *DuckDB) Read(ctx context.Context, name, file string) error {
	return d.CreateView(ctx, name, "FROM read_parquet("+literal(file)+")")
}

// ReadNumbered does what Read does, with the number of each row, from 0, in the column
// file_row_number. The path is not a pattern. With few set, the rows are cached, since each
// statement would open the file again.
func (d *DuckDB) ReadNumbered(ctx context.Context, name, file string, few bool) error {
	file = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(file)
	query := "FROM read_parquet(" + literal(file) + ", file_row_number = true, hive_partitioning = false)"
	if few {
		return d.Materialise(ctx, name, query)
	}
	return d.CreateView(ctx, name, query)
}

// Query runs a query and returns its rows.
func (d *DuckDB) Query(ctx context.Context, query string) (*sql.Rows, error) {
	return d.db.QueryContext(ctx, query)
}

// QueryRow reads the only row of a result; the error is sql.ErrNoRows if there is none.
func (d *DuckDB) QueryRow(ctx context.Context, query string, into ...any) error {
	return d.db.QueryRowContext(ctx, query).Scan(into...)
}

// Set sets a variable to a text.
func (d *DuckDB) Set(ctx context.Context, variable, text string) error {
	return d.exec(ctx, "SET VARIABLE "+variable+" = "+literal(text))
}

// CreateView implements Engine.
func (d *DuckDB) CreateView(ctx context.Context, name, query string) error {
	return d.exec(ctx, "CREATE OR REPLACE VIEW "+name+" AS "+query)
}

// Materialise implements Engine.
func (d *DuckDB) Materialise(ctx context.Context, name, query string) error {
	return d.exec(ctx, "CREATE OR REPLACE TABLE "+name+" AS "+query)
}

// Write implements Engine. Files are compressed for speed, since each is read once and removed.
func (d *DuckDB) Write(ctx context.Context, query, to string) error {
	return d.exec(ctx, "COPY ("+query+") TO "+literal(to)+" (FORMAT parquet, COMPRESSION snappy)")
}

// Sort writes the rows of Parquet files to a file, ordered by expressions on their columns.
func (d *DuckDB) Sort(ctx context.Context, from, to, by string) error {
	return d.Write(ctx, "FROM read_parquet("+literal(from)+") ORDER BY "+by, to)
}

// SetDay sets the variable as_of to a day.
func (d *DuckDB) SetDay(ctx context.Context, day time.Time) error {
	return d.exec(ctx, "SET VARIABLE as_of = DATE '"+day.Format(time.DateOnly)+"'")
}

func (d *DuckDB) exec(ctx context.Context, statement string) error {
	_, err := d.db.ExecContext(ctx, statement)
	return err
}

// Close implements Engine.
func (d *DuckDB) Close() error { return d.db.Close() }

// literal quotes one of the program's own paths, for statements in which DuckDB accepts no
// argument.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
