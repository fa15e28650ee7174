package state_test

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
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

func TestTimesAreUnixSecondsInUTC(t *testing.T) {
	summer := time.FixedZone("BST", 3600)
	at := time.Date(2026, 7, 1, 1, 0, 1, 5, summer)
	got := state.UnixSeconds(at)
	if got != 1_782_864_001 || state.FromUnixSeconds(got).Format(time.RFC3339) != "2026-07-01T00:00:01Z" {
		t.Errorf("%s is %d and %s", at, got, state.FromUnixSeconds(got))
	}
	if got := state.NullableUnixSeconds(&at); got == nil || *got != 1_782_864_001 ||
		state.NullableUnixSeconds(nil) != nil {
		t.Errorf("%s is %v", at, got)
	}
}

// NULL is no time, also after one, and a text is an error.
func TestTimesOfColumns(t *testing.T) {
	before := time.Unix(5, 0)
	var at time.Time
	maybe := &before
	for _, c := range []struct {
		column any
		at     int64
		known  bool
	}{{int64(1e9), 1e9, true}, {nil, 0, false}, {int64(0), 0, true}} {
		if err := errors.Join(state.ScanTime(&at).Scan(c.column), state.ScanTime(&maybe).Scan(c.column)); err != nil {
			t.Fatal(err)
		}
		if want := time.Unix(c.at, 0).UTC(); at != want || (maybe != nil) != c.known || c.known && *maybe != want {
			t.Errorf("%v is read as %v and %v", c.column, at, maybe)
		}
	}
	if err := state.ScanTime(&at).Scan("soon"); err == nil {
		t.Error("a text is read as a time")
	}
}

func TestListsOfWordsAreOneText(t *testing.T) {
	for text, words := range map[string]state.WordList[string]{"": nil, "a": {"a"}, "a b:c": {"a", "b:c"}} {
		if got, err := words.Value(); err != nil || got != text {
			t.Errorf("%q is stored as %q, %v", []string(words), got, err)
		}
		got := state.WordList[string]{"old"}
		if err := got.Scan(text); err != nil || !slices.Equal(got, words) || (got == nil) != (words == nil) {
			t.Errorf("%q is read as %q, %v", text, []string(got), err)
		}
	}
}

func TestErrorsAreDescribed(t *testing.T) {
	broken := errors.New("broken")
	err := broken
	if state.WrapError(&err, "key %s of %d", "k1", 2); !errors.Is(err, broken) || err.Error() != "key k1 of 2: broken" {
		t.Errorf("%v", err)
	}
	if err = nil; err == nil {
		state.WrapError(&err, "key %s", "k1")
	}
	if err != nil {
		t.Errorf("no error becomes %v", err)
	}
	none := errors.New("no such key")
	for given, want := range map[error]error{sql.ErrNoRows: none, broken: broken, nil: nil} {
		if got := state.ReplaceNoRows(given, none); got != want {
			t.Errorf("%v becomes %v, want %v", given, got, want)
		}
	}
}

func TestIDsNeedRandomness(t *testing.T) {
	at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	id, err := state.NewID("key_", at, strings.NewReader(strings.Repeat("\x00", 10)))
	if err != nil || len(id) != len("key_")+26 || !strings.HasPrefix(id, "key_01") ||
		!strings.HasSuffix(id, strings.Repeat("0", 16)) {
		t.Errorf("%q, %v", id, err)
	}
	broken := errors.New("no randomness")
	if id, err := state.NewID("key_", at, iotest.ErrReader(broken)); !errors.Is(err, broken) || id != "" ||
		err.Error() != "make an id: no randomness" {
		t.Errorf("%q, %v", id, err)
	}
}

func TestStepsStopAtTheFirstError(t *testing.T) {
	db := statetest.Open(t, statetest.SQLitePath(t))
	add := func(name string) state.BoundStatement {
		return state.NewBoundStatement(`INSERT INTO settings (name, value) VALUES ($1, 'x')`, name)
	}
	if err := state.ExecAll(t.Context(), db, add("a"), state.NewBoundStatement("nonsense"), add("b")); err == nil {
		t.Error("nonsense is no error")
	}
	names, err := state.QueryAll(t.Context(), db, `SELECT name FROM settings`, func(scan func(...any) error) (n string,
		err error) {
		err = scan(&n)
		return n, err
	})
	if err != nil || !slices.Equal(names, []string{"a"}) {
		t.Errorf("%q are stored (%v), want a", names, err)
	}
}

// The check of a database writes the time, and a setting that exists is not made again.
func TestSettingsAndChecks(t *testing.T) {
	db := statetest.Open(t, statetest.SQLitePath(t))
	never := func() (string, error) { return "", errors.New("not to be made") }
	if _, err := db.LoadOrStoreSetting(t.Context(), "checked_at", never); err == nil ||
		err.Error() != "make setting checked_at: not to be made" {
		t.Errorf("%v", err)
	}
	for _, at := range []time.Time{time.Unix(1e9, 0), time.Unix(1e9+60, 0).In(time.FixedZone("BST", 3600))} {
		if err := db.CheckWritable(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if got, err := db.LoadOrStoreSetting(t.Context(), "checked_at", never); err != nil ||
			got != at.UTC().Format("2006-01-02T15:04:05Z") {
			t.Errorf("the check of %s is noted as %q (%v)", at, got, err)
		}
	}
}

func TestWhereADatabaseIs(t *testing.T) {
	path := statetest.SQLitePath(t)
	if state.DatabaseExists(path) {
		t.Error("a file that is not there exists")
	}
	statetest.Open(t, path)
	for _, address := range []string{path, "postgres://host/name", "postgresql://host/name"} {
		if !state.DatabaseExists(address) {
			t.Errorf("%s does not exist", address)
		}
	}
}

// A backup that fails leaves no file behind.
func TestABackupThatFailsLeavesNothing(t *testing.T) {
	db := statetest.Open(t, statetest.SQLitePath(t))
	path := filepath.Join(t.TempDir(), "backup.db")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := db.Backup(stopped, path); !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), " to "+path+": ") {
		t.Errorf("%v, want an error that names the file", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file of the failed backup: %v", err)
	}
	if err := db.Backup(t.Context(), filepath.Join(path, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

// The rows of all tables are counted, and an empty database can be copied.
func TestCopiedRowsAreCounted(t *testing.T) {
	from, to := statetest.Open(t, statetest.SQLitePath(t)), statetest.Open(t, statetest.SQLitePath(t))
	if rows, err := state.CopyDatabase(t.Context(), from, to); err != nil || rows != 0 {
		t.Errorf("%d rows of an empty database, %v", rows, err)
	}
	for i := range 3 {
		if _, err := from.LoadOrStoreSetting(t.Context(), fmt.Sprint(i), fixed("x")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := from.Exec(`INSERT INTO partners (id, name, created_at) VALUES ('p', 'P', 1)`); err != nil {
		t.Fatal(err)
	}
	if rows, err := state.CopyDatabase(t.Context(), from, to); err != nil || rows != 4 {
		t.Errorf("%d rows, %v, want 4", rows, err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := state.CopyDatabase(t.Context(), from, to); err == nil ||
		!strings.HasPrefix(err.Error(), "copy state database ") {
		t.Errorf("into a closed database: %v", err)
	}
}

// Work is done at once, after each interval, and for FlushEvery once more at the end. Its errors
// are reported.
func TestRepeatedWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var runs, flushes, reports atomic.Int32
		counted := func() string { return fmt.Sprint(runs.Load(), flushes.Load(), reports.Load()) }
		go state.RunEvery(ctx, time.Minute, func() { runs.Add(1) })
		go state.FlushEvery(ctx, time.Minute, func(ctx context.Context) error {
			if flushes.Add(1) == 2 {
				return errors.New("a failed flush")
			}
			return ctx.Err()
		}, func(error) { reports.Add(1) })
		for i, want := range []string{"1 1 0", "2 2 1", "3 3 1"} {
			if i > 0 {
				time.Sleep(time.Minute) // of the test's own clock
			}
			synctest.Wait()
			if got := counted(); got != want {
				t.Errorf("after %d minutes: %s runs, flushes and reports, want %s", i, got, want)
			}
		}
		stop()
		synctest.Wait()
		if got := counted(); got != "3 4 1" {
			t.Errorf("at the end: %s runs, flushes and reports, want 3 4 1", got)
		}
	})
}

// PostgreSQL sees the program's name, unless the address has another, and messages name the
// database without the password.
func TestConnectionsToPostgreSQL(t *testing.T) {
	address := stores.PostgresAddress(t)
	for more, want := range map[string]string{"": "labour", "application_name=other": "other"} {
		at := address
		if more != "" {
			at += map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")] + more
		}
		db := statetest.Open(t, at)
		var name, level string
		if err := errors.Join(db.QueryRow("SHOW application_name").Scan(&name), db.Transact(t.Context(),
			func(tx *sql.Tx) error {
				return tx.QueryRow("SHOW transaction_isolation").Scan(&level)
			})); err != nil || name != want || level != "read committed" {
			t.Errorf("the program is called %q, its transactions are %q (%v), want %q", name, level, err, want)
		}
		if err := db.CheckFile(); err != nil || db.Kind != state.Postgres {
			t.Errorf("%s: %v", db.Kind, err)
		}
	}
}
