package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots/openfilestest"
)

// numbersOf returns the numbers that a query returns.
func numbersOf(t *testing.T, d *DuckDB, query string) (all []int) {
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
	ctx, d := t.Context(), open(t, Limits{Threads: 1, TempDir: t.TempDir()})
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
	ctx, d := t.Context(), open(t, Limits{Threads: 1})
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
	if d, err := OpenDuckDB(ended, Limits{}); d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("a run that has ended: %v, %v", d, err)
	}
	if got := (Limits{MemoryMB: 7, Threads: 5, TempDir: "it's"}).settings(); !slices.Equal(got, []string{
		"SET memory_limit = '7MB'", "SET preserve_insertion_order = true", "SET threads = 5",
		"SET temp_directory = 'it''s'"}) {
		t.Errorf("the settings are %q", got)
	}
}

// TestDatabasesThatCannotBeOpenedAreClosed: a database of which a setting is refused.
func TestDatabasesThatCannotBeOpenedAreClosed(t *testing.T) {
	openfilestest.CheckFilesClosed(t, map[string]func() error{"a limit that is none": func() error {
		d, err := OpenDuckDB(t.Context(), Limits{MemoryMB: 1, Threads: -1})
		if d != nil || err == nil || !strings.HasPrefix(err.Error(), "SET ") {
			return fmt.Errorf("%v, %w", d, err)
		}
		return nil
	}})
}

// A folder that is shared with a cluster has the permissions of the one above it, and files that
// are put there once.
func TestFilesOfASharedFolder(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	if err := errors.Join(os.Mkdir(work, 0o700), os.Chmod(work, 0o750)); err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(t.Context(), onCluster{Session: "1", WorkFolder: work})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.make(false); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rows.parquet")
	if err := os.WriteFile(file, []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.put(t.Context(), "staged/rows.parquet", file); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(work, "labour-1")
	for path, mode := range map[string]fs.FileMode{"": 0o750, "staged": 0o750, "staged/rows.parquet": 0o640} {
		about, err := os.Stat(filepath.Join(root, path))
		if err != nil || about.Mode().Perm() != mode {
			t.Errorf("%q: %v, %v; want %o", path, about, err, mode)
		}
	}
	if got := f.url("staged"); got != "file://"+root+"/staged" {
		t.Errorf("the address is %s", got)
	}
	if err := f.put(t.Context(), "staged/rows.parquet", file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the same file again: %v", err)
	}
	if err := f.put(t.Context(), "staged/none.parquet", file+".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	to := filepath.Join(t.TempDir(), "to")
	if err := f.get(t.Context(), "staged", to); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(to, "rows.parquet")); err != nil || string(b) != "PAR1" {
		t.Errorf("the file that comes back is %q, %v", b, err)
	}
	if err := errors.Join(f.remove(t.Context(), "staged"), f.close()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// A work directory that is not there, is a file or is open to others is refused, unless the last is
// permitted.
func TestUnfitWorkDirectories(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	shared := filepath.Join(dir, "shared")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Mkdir(shared, 0o700), os.Chmod(shared, 0o701)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		work    string
		allowed bool
		want    string
	}{
		{filepath.Join(dir, "none"), true, "engine.work: "}, {file, true, file + " is no directory"},
		{shared, false, "is open to every user of the machine: chmod o= it, or set engine.allow_open_work"},
		{shared, true, ""},
	} {
		err := directory(filepath.Join(c.work, "labour-1")).make(c.allowed)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, allowed %t: %v, want %q", c.work, c.allowed, err, c.want)
		}
	}
	if f, err := openFolder(t.Context(), onCluster{WorkFolder: "s3://%zz"}); f != nil || err == nil ||
		!strings.HasPrefix(err.Error(), "engine.work: ") {
		t.Errorf("an address that is none: %v, %v", f, err)
	}
	b := bucket{host: "host", key: "prefix/labour-1/"}
	if got := b.url("staged/x.parquet"); got != "s3a://host/prefix/labour-1/staged/x.parquet" || b.make(false) != nil {
		t.Errorf("the address in a bucket is %s", got)
	}
}

// A run that cannot begin on a cluster leaves nothing there and no note, and a note that cannot be
// read is an error.
func TestSessionsThatCannotBegin(t *testing.T) {
	c := cluster(t, "sc://127.0.0.1:1")
	if err := c.EndOrphanedSession(t.Context()); err != nil {
		t.Errorf("without an earlier run: %v", err)
	}
	bad := c
	bad.WorkFolder = "relative"
	s, err := ConnectCluster(t.Context(), bad)
	if s != nil || err == nil || !strings.HasPrefix(err.Error(), "engine.work ") {
		t.Errorf("a relative directory: %v, %v", s, err)
	}
	if err := os.Chmod(c.WorkFolder, 0o701); err != nil {
		t.Fatal(err)
	}
	s, err = ConnectCluster(t.Context(), c)
	if s != nil || err == nil || !strings.Contains(err.Error(), "allow_open_work") {
		t.Errorf("an open directory: %v, %v", s, err)
	}
	c.nothingLeft(t)
	if err := os.WriteFile(c.SessionFile, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"EndOrphanedSession": c.EndOrphanedSession(t.Context()),
		"ConnectCluster": func() error { _, err := ConnectCluster(t.Context(), c); return err }()} {
		if err == nil || !strings.HasPrefix(err.Error(), "read what an earlier run left on the cluster: ") {
			t.Errorf("%s with a damaged note: %v", name, err)
		}
	}
	missing := c
	missing.SessionFile = filepath.Join(c.WorkFolder, "none", "note")
	if s, err := ConnectCluster(t.Context(), missing); s != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a note that cannot be written: %v, %v", s, err)
	}
}

// The files of a killed run are removed although its server is gone. For files that cannot be removed
// there is an error with their path.
func TestAnEarlierRunOfALostServer(t *testing.T) {
	c := cluster(t, "sc://127.0.0.1:1")
	folder := filepath.Join(c.WorkFolder, "labour-7")
	note := func(work string) {
		text := `{"connect":"sc://127.0.0.1:1","session":"7","work":"` + work + `"}`
		if err := os.WriteFile(c.SessionFile, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	note(c.WorkFolder)
	if err := os.MkdirAll(filepath.Join(folder, "kept"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := c.EndOrphanedSession(t.Context()); err != nil {
		t.Errorf("a server that is gone: %v", err)
	}
	c.nothingLeft(t)
	note("s3://%zz")
	want := "remove what an earlier run left in s3://%zz; remove the folder labour-7 there yourself, then the file " +
		c.SessionFile + ": engine.work: "
	if err := c.EndOrphanedSession(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := os.Stat(c.SessionFile); err != nil {
		t.Errorf("the note is gone: %v", err)
	}
	s := &Spark{folder: directory(folder)}
	err := s.Read(t.Context(), "rows", filepath.Join(c.WorkFolder, "none.parquet"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "copy it to the work directory: ") {
		t.Errorf("a file that is not there: %v", err)
	}
}
