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

	"labour/serve/state"
	"labour/serve/state/pgserver"
	"labour/snapshots"
	"labour/snapshots/periods"
	"labour/snapshots/sqltext"
	"labour/snapshots/threads"
)

// sqlFiles holds the SQL queries of the comparison with databases that have one row per advert.
//
//go:embed sql/*.sql
var sqlFiles embed.FS

var text = state.Statements(sqlFiles)

// tables returns the names of the tables in a database with one row per advert. The service is
// compared with this database. The table advert has one row per advert and place, and the table
// asked has one row per advert, place and required skill. The query in sql/NAME.sql makes the table
// NAME from a snapshot.
func tables() []string { return []string{"advert", "asked"} }

// question is a set of filters for the API endpoint skills-unmet. The benchmark compares the
// answers to it from the service and from a database with one row per advert.
type question struct {
	Name, Place, SOC, Sector string
	Window                   int // length of the window in months
}

// share is a skill, with the number of adverts that require it and match a question's filters.
type share struct {
	Skill string
	// numbers of adverts that match the filters: those that require the skill, and all
	Adverts, Matching int64
	Level             int // level of the skill that adverts usually require, 1 to 5; 0 = none
}

// rowStore is a database with one row per advert. The rows are made from a snapshot.
type rowStore struct {
	Name  string
	db    *sql.DB
	ask   *sql.Stmt
	month time.Time // first day of the month of the snapshot's date (as_of)
	close func() error
}

func (s *rowStore) shares(ctx context.Context, q question) (_ []share, err error) {
	defer state.WrapError(&err, "ask %s", s.Name)
	rows, err := s.ask.QueryContext(ctx, q.Place, q.SOC, q.Sector, s.month.AddDate(0, 1-q.Window, 0))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var shares []share
	for rows.Next() {
		var x share
		if err := rows.Scan(&x.Skill, &x.Adverts, &x.Matching, &x.Level); err != nil {
			return nil, err
		}
		shares = append(shares, x)
	}
	return shares, rows.Err()
}

// Close closes the database. It keeps the files with the tables.
func (s *rowStore) Close() error { return errors.Join(s.db.Close(), s.close()) }

func run(ctx context.Context, db *sql.DB, statements ...string) error {
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s: %w", s, err)
		}
	}
	return nil
}

// writeTables makes tables with one row per advert from the counts in a snapshot. It writes one
// file per table into dir. format is the file format, such as "parquet" or "csv".
func writeTables(ctx context.Context, snapshot, dir, format string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	statements := []string{"SET memory_limit = '2GB'", "SET temp_directory = " + sqltext.Quote(dir),
		"SET preserve_insertion_order = false",
		fmt.Sprintf("SET threads = %d", threads.CountForGrouping(runtime.GOMAXPROCS(0))),
		"SET VARIABLE tables = " + sqltext.Quote(filepath.Join(snapshot, snapshots.TablesDirName))}
	for _, table := range tables() {
		statements = append(statements, "COPY ("+text(table)+") TO "+sqltext.Quote(filepath.Join(dir, table+"."+format))+
			" (FORMAT "+format+")")
	}
	return run(ctx, db, statements...)
}

// fillTables runs the SQL statements that create and fill the tables of s. It also prepares the
// query of s. snapshot is the directory of the snapshot from which the rows are made.
func (s *rowStore) fillTables(ctx context.Context, snapshot string, statements []string) error {
	m, _, err := snapshots.ReadManifest(snapshot)
	if err == nil {
		s.month, err = periods.MonthStart(m.AsOf.Time), run(ctx, s.db, statements...)
	}
	if err == nil {
		s.ask, err = s.db.PrepareContext(ctx, text("question"))
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// inDuckDB writes one row per advert of a snapshot to Parquet files in dir, and opens them in
// DuckDB.
func inDuckDB(ctx context.Context, snapshot, dir string) (*rowStore, error) {
	if err := writeTables(ctx, snapshot, dir, "parquet"); err != nil {
		return nil, err
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, err
	}
	s := &rowStore{Name: "DuckDB, row-level Parquet", db: db, close: func() error { return nil }}
	var views []string
	for _, table := range tables() {
		views = append(views, "CREATE VIEW "+table+" AS FROM read_parquet("+sqltext.Quote(
			filepath.Join(dir, table+".parquet"))+")")
	}
	return s, s.fillTables(ctx, snapshot, views)
}

// inPostgres loads one row per advert of a snapshot into a temporary PostgreSQL server. The server
// runs as another user, who must be able to read dir. If PostgreSQL is not installed, the error
// wraps pgserver.ErrNotInstalled.
func inPostgres(ctx context.Context, snapshot, dir string) (*rowStore, error) {
	server, err := pgserver.Start(ctx)
	if err != nil {
		return nil, err
	}
	// Each query gets a plan for its own values. With the generic plan that PostgreSQL uses after
	// five executions, a query for the whole country takes minutes.
	db, err := sql.Open("pgx", server.Address("postgres")+"&plan_cache_mode=force_custom_plan")
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), writeTables(ctx, snapshot, dir, "csv"))
	}
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	s := &rowStore{Name: "PostgreSQL, row-level tables", db: db, close: server.Stop}
	statements := []string{text("postgres_tables")}
	for _, table := range tables() {
		file := filepath.Join(dir, table+".csv")
		err = errors.Join(err, os.Chmod(file, 0o644))
		statements = append(statements,
			"COPY "+table+" FROM "+sqltext.Quote(file)+" (FORMAT csv, HEADER, FORCE_NOT_NULL (place, sector, soc))")
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, s.fillTables(ctx, snapshot, append(statements, strings.Split(text("postgres_indexes"), ";\n")...))
}
