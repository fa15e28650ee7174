package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells/engine"
	"labour/snapshots/filestest"
)

// numbersOf returns the numbers that a query returns.
func numbersOf(t *testing.T, d *Database, query string) (all []int) {
	t.Helper()
	rows, err := d.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Rows that are written are read again, by any name of a file, with their numbers, and sorted.
func TestRowsAreWrittenAndReadAgain(t *testing.T) {
	ctx, d := t.Context(), open(t, engine.Limits{Threads: 1, TempDir: t.TempDir()})
	dir := filepath.Join(t.TempDir(), "it's [a] folder * of ?", "year=2026")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	one := filepath.Join(dir, "rows.parquet")
	if err := d.Write(ctx, "SELECT unnest([30, 10, 20]) AS n", one); err != nil {
		t.Fatal(err)
	}
	for _, few := range []bool{false, true} {
		name := map[bool]string{false: "viewed", true: "stored"}[few]
		for range 2 { // the second time it is replaced
			if err := d.ReadWithRowNumbers(ctx, name, one, few); err != nil {
				t.Fatal(err)
			}
		}
		if got := numbersOf(t, d, "SELECT n + file_row_number FROM "+name+" ORDER BY file_row_number"); !slices.Equal(got,
			[]int{30, 11, 22}) {
			t.Errorf("few %t: the numbered rows are %v", few, got)
		}
		var columns int
		if err := d.QueryRow(ctx, "SELECT count(*) FROM (DESCRIBE "+name+")", &columns); err != nil || columns != 2 {
			t.Errorf("few %t: %d columns, %v; a folder's name gives none", few, columns, err)
		}
	}
	plain := filepath.Join(t.TempDir(), "it's.parquet")
	if err := d.Write(ctx, "FROM stored", plain); err != nil {
		t.Fatal(err)
	}
	sorted := filepath.Join(t.TempDir(), "sorted.parquet")
	if err := errors.Join(d.SortFiles(ctx, plain, sorted, "n"), d.Read(ctx, "sorted", sorted)); err != nil {
		t.Fatal(err)
	}
	if got := numbersOf(t, d, "SELECT n FROM sorted"); !slices.Equal(got, []int{10, 20, 30}) {
		t.Errorf("sorted are %v", got)
	}
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	if got := numbersOf(t, d, "SELECT n FROM stored"); len(got) != 3 {
		t.Errorf("the stored rows are %v without their file", got)
	}
	if _, err := d.Query(ctx, "SELECT n FROM viewed"); err == nil {
		t.Error("a view is read without its file")
	}
}

// Variables have the text and the day that they were set to; a query without rows has none.
func TestVariablesOfADatabase(t *testing.T) {
	ctx, d := t.Context(), open(t, engine.Limits{Threads: 1})
	day := time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC)
	if err := errors.Join(d.SetVariable(ctx, "who", "O'Neill"), d.SetAsOf(ctx, day)); err != nil {
		t.Fatal(err)
	}
	var who, is string
	err := d.QueryRow(ctx, "SELECT getvariable('who'), getvariable('as_of')::VARCHAR", &who, &is)
	if err != nil || who != "O'Neill" || is != "2026-11-20" {
		t.Errorf("the variables are %q and %q, %v", who, is, err)
	}
	if err := d.QueryRow(ctx, "SELECT 1 WHERE false", &who); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("a query without rows: %v", err)
	}
	var memory string
	if err := d.QueryRow(ctx, "SELECT current_setting('memory_limit')", &memory); err != nil || memory != "1.9 GiB" {
		t.Errorf("the memory is %s, %v; want 2048 MB", memory, err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	if d, err := Open(ended, engine.Limits{}); d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a run that has ended: %v, %v", d, err)
	}
	if got := settings(engine.Limits{MemoryMB: 7, Threads: 5, TempDir: "it's"}); !slices.Equal(got, []string{
		"SET memory_limit = '7MB'", "SET preserve_insertion_order = true", "SET threads = 5",
		"SET temp_directory = 'it''s'"}) {
		t.Errorf("the settings are %q", got)
	}
}

// TestDatabasesThatCannotBeOpenedAreClosed: DuckDB refuses a setting of the database.
func TestDatabasesThatCannotBeOpenedAreClosed(t *testing.T) {
	filestest.CheckFilesClosed(t, map[string]func() error{"a limit that is none": func() error {
		d, err := Open(t.Context(), engine.Limits{MemoryMB: 1, Threads: -1})
		if d != nil || err == nil || !strings.HasPrefix(err.Error(), "SET ") {
			return fmt.Errorf("%v, %w", d, err)
		}
		return nil
	}})
}
