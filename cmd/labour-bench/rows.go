package main

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	_ "github.com/marcboeker/go-duckdb/v2" // the driver "duckdb"

	"labour/serve/state/pgserver"
	"labour/snapshots"
	"labour/snapshots/rollups"
)

//go:embed sql/*.sql
var sqlFiles embed.FS

func text(name string) (string, error) {
	b, err := sqlFiles.ReadFile("sql/" + name + ".sql")
	return strings.TrimSpace(string(b)), err
}

// tables are the row-level tables and the files that make them.
func tables() map[string]string {
	return map[string]string{"advert": "advert_rows", "asked": "asked_rows"}
}

// question is a question about skills not met that row-level tables can answer.
type question struct {
	Name, Place, SOC, Sector string
	Window                   int // months
}

// share is how many of the matching adverts ask for a skill.
type share struct {
	Skill             string
	Adverts, Matching int64
	Level             int // usually asked; 0 = none stated
}

// store answers questions out of row-level tables.
type store struct {
	Name  string
	db    *sql.DB
	ask   *sql.Stmt
	month time.Time // of as_of
	close func() error
}

// shares answers one question.
func (s *store) shares(ctx context.Context, q question) ([]share, error) {
	first := s.month.AddDate(0, 1-q.Window, 0)
	rows, err := s.ask.QueryContext(ctx, q.Place, q.SOC, q.Sector, first)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", s.Name, err)
	}
	defer rows.Close()
	var shares []share
	for rows.Next() {
		var x share
		if err := rows.Scan(&x.Skill, &x.Adverts, &x.Matching, &x.Level); err != nil {
			return nil, fmt.Errorf("ask %s: %w", s.Name, err)
		}
		shares = append(shares, x)
	}
	return shares, rows.Err()
}

// Close gives everything back and removes what was written.
func (s *store) Close() error { return errors.Join(s.db.Close(), s.close()) }

// literal is a path of ours as SQL writes it.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// run executes statements one after the other.
func run(ctx context.Context, db *sql.DB, statements ...string) error {
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s: %w", s, err)
		}
	}
	return nil
}

// write writes the row-level tables of a snapshot into dir in a format of DuckDB's.
func write(ctx context.Context, snapshot, dir, format string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := run(ctx, db, "SET memory_limit = '2GB'", "SET temp_directory = "+literal(dir), "SET preserve_insertion_order = false",
		fmt.Sprintf("SET threads = %d", rollups.Threads(runtime.GOMAXPROCS(0))), "SET VARIABLE tables = "+literal(filepath.Join(snapshot, snapshots.TablesName))); err != nil {
		return err
	}
	for table, file := range tables() {
		query, err := text(file)
		if err != nil {
			return err
		}
		if err := run(ctx, db, "COPY ("+query+") TO "+literal(filepath.Join(dir, table+"."+format))+" (FORMAT "+format+")"); err != nil {
			return err
		}
	}
	return nil
}

// ready prepares the question.
func (s *store) ready(ctx context.Context) error {
	query, err := text("question")
	if err != nil {
		return err
	}
	s.ask, err = s.db.PrepareContext(ctx, query)
	return err
}

// inDuckDB puts the row-level tables of a snapshot into Parquet files and has DuckDB
// read them where they are.
func inDuckDB(ctx context.Context, snapshot string) (_ *store, err error) {
	dir, err := os.MkdirTemp("", "labour-rows-")
	if err != nil {
		return nil, err
	}
	s := &store{Name: "DuckDB, row-level Parquet", close: func() error { return os.RemoveAll(dir) }}
	if s.month, err = monthOf(snapshot); err == nil {
		err = write(ctx, snapshot, dir, "parquet")
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	if s.db, err = sql.Open("duckdb", ""); err != nil {
		return nil, errors.Join(err, s.close())
	}
	for table := range tables() {
		err = errors.Join(err, run(ctx, s.db, "CREATE VIEW "+table+" AS FROM read_parquet("+literal(filepath.Join(dir, table+".parquet"))+")"))
	}
	if err := errors.Join(err, s.ready(ctx)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// inPostgres puts the row-level tables of a snapshot into a PostgreSQL of its own,
// with indexes and statistics. pgserver.ErrNotInstalled says that there is none.
func inPostgres(ctx context.Context, snapshot string) (_ *store, err error) {
	server, err := pgserver.Start(ctx)
	if err != nil {
		return nil, err
	}
	s := &store{Name: "PostgreSQL, row-level tables", close: server.Stop}
	// A plan for the values asked for, not one for any: with that PostgreSQL takes
	// minutes for a whole country after the fifth time.
	if s.db, err = sql.Open("pgx", server.Address("postgres")+"&plan_cache_mode=force_custom_plan"); err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	if s.month, err = monthOf(snapshot); err == nil {
		err = s.load(ctx, snapshot)
	}
	if err == nil {
		err = s.ready(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// load copies the rows in and indexes them. PostgreSQL runs as another user, who
// must be able to read the files.
func (s *store) load(ctx context.Context, snapshot string) error {
	dir, err := os.MkdirTemp("", "labour-rows-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(os.Chmod(dir, 0o755), write(ctx, snapshot, dir, "csv")); err != nil {
		return err
	}
	create, err := text("postgres_tables")
	if err != nil {
		return err
	}
	if err := run(ctx, s.db, create); err != nil {
		return err
	}
	for table := range tables() {
		file := filepath.Join(dir, table+".csv")
		if err := os.Chmod(file, 0o644); err != nil {
			return err
		}
		if err := run(ctx, s.db, "COPY "+table+" FROM "+literal(file)+" (FORMAT csv, HEADER, FORCE_NOT_NULL (place, sector, soc))"); err != nil {
			return err
		}
	}
	index, err := text("postgres_indexes")
	if err != nil {
		return err
	}
	// It must not write what it has in memory while it is measured.
	return run(ctx, s.db, append(strings.Split(index, ";\n"), "CHECKPOINT")...)
}

func monthOf(snapshot string) (time.Time, error) {
	m, _, err := snapshots.ReadManifest(snapshot)
	if err != nil {
		return time.Time{}, err
	}
	return time.Date(m.AsOf.Year(), m.AsOf.Month(), 1, 0, 0, 0, 0, time.UTC), nil
}
