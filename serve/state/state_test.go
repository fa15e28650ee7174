package state_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

var stores statetest.TestDatabases

func TestMain(m *testing.M) { os.Exit(stores.RunTests(m)) }

func fixed(value string) func() (string, error) {
	return func() (string, error) { return value, nil }
}

func TestOpenSetsDurability(t *testing.T) {
	// A path with the characters that a data source name gives a meaning to.
	path := filepath.Join(t.TempDir(), "a b?c#d%e.db")
	db := statetest.Open(t, path)
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "1", "busy_timeout": "5000",
		"foreign_keys": "1"} {
		var got string
		if err := db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %s (%v), want %s", pragma, got, err, want)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("file mode %v, want 0600", info.Mode().Perm())
	}
}

// TestARemovedDatabaseIsNotUsed: a server that still has the file open would never see
// the writes of commands to its replacement.
func TestARemovedDatabaseIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	db := statetest.Open(t, path)
	if err := errors.Join(db.CheckFile(), db.CheckWritable(t.Context(), time.Now())); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := db.CheckFile(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("once it is removed: %v", err)
	}
	statetest.Open(t, path)
	if err := db.CheckWritable(t.Context(), time.Now()); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Errorf("once another took its place: %v", err)
	}
}

func TestOpenTwiceKeepsSettings(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		first := statetest.Open(t, address)
		if _, err := first.LoadOrStoreSetting(t.Context(), "k", fixed("one")); err != nil {
			t.Fatal(err)
		}
		got, err := statetest.Open(t, address).LoadOrStoreSetting(t.Context(), "k", fixed("two"))
		if err != nil || got != "one" {
			t.Fatalf("setting = %q, %v; want one", got, err)
		}
	})
}

// TestAnotherVersionIsRefused: tables of another version are neither read nor changed.
func TestAnotherVersionIsRefused(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		if _, err := db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (8, true)`); err != nil {
			t.Fatal(err)
		}
		_, err := state.Open(t.Context(), address)
		if !errors.Is(err, state.ErrSchemaVersion) || !strings.Contains(err.Error(), "run that version, or restore") {
			t.Errorf("version 8: %v", err)
		}
	})
}

// Servers that start at once on an empty database: each brings the tables up to
// date or finds it done, and all get the same secrets.
func TestStartingTogether(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		got := make([]string, 8)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				db, err := state.Open(t.Context(), address)
				if err != nil {
					t.Error(err)
					return
				}
				defer db.Close()
				got[i], err = db.LoadOrStoreSetting(t.Context(), "k", fixed(string(rune('a'+i))))
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, v := range got {
			if v != got[0] {
				t.Fatalf("settings differ: %q", got)
			}
		}
	})
}

func TestTransactUndoes(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		stop := errors.New("stop")
		err := db.Transact(t.Context(), func(tx *sql.Tx) error {
			if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('a', 'b')`); err != nil {
				return err
			}
			return stop
		})
		if !errors.Is(err, stop) {
			t.Fatalf("err = %v", err)
		}
		got, err := db.LoadOrStoreSetting(t.Context(), "a", fixed("new"))
		if err != nil || got != "new" {
			t.Fatalf("setting survived: %q, %v", got, err)
		}
	})
}

// A transaction that calls AdvisoryLock excludes others until it ends.
func TestKeepOut(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db, inside := statetest.Open(t, address), 0 // guarded by the database alone
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				err := db.Transact(t.Context(), func(tx *sql.Tx) error {
					if err := db.AdvisoryLock(t.Context(), tx, "test"); err != nil {
						return err
					}
					inside++
					time.Sleep(time.Millisecond)
					if inside--; inside != 0 {
						t.Error("two at once")
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func TestOpenSaysWhatIsWrongWithoutThePassword(t *testing.T) {
	for _, address := range []string{
		"postgres://labour:geheim@127.0.0.1:1/state?connect_timeout=2",
		"postgresql://labour:geheim@/state?host=/nowhere",
		"postgres://labour:geheim@[::1/state",
		"postgres://labour:geheim@host:99999999/state?sslmode=perhaps",
		"mysql://labour:geheim@127.0.0.1/state",
		"postgress://labour:geheim@127.0.0.1/state",
		"Postgres://labour:geheim@127.0.0.1/state",
		"postgres:/labour:geheim@127.0.0.1/state",
		"host=127.0.0.1 user=labour password=geheim",
	} {
		db, err := state.Open(context.Background(), address)
		if err == nil {
			db.Close()
			t.Fatalf("opened %s", address)
		}
		if strings.Contains(err.Error(), "geheim") {
			t.Errorf("the password is in %q", err)
		}
	}
	if _, err := state.Open(context.Background(), filepath.Join(t.TempDir(), "no", "such", "dir")); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

// TestReplaceSetting: a setting is replaced only while it has the value that is named, and no other
// setting with it.
func TestReplaceSetting(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		for name, value := range map[string]string{"k": "one", "other": "one"} {
			if _, err := db.LoadOrStoreSetting(t.Context(), name, fixed(value)); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			old, value, want string
			replaced         bool
		}{{"two", "three", "one", false}, {"one", "two", "two", true}, {"one", "three", "two", false}} {
			replaced, err := db.ReplaceSetting(t.Context(), "k", c.old, c.value)
			got, readErr := db.LoadOrStoreSetting(t.Context(), "k", fixed("none"))
			if err := errors.Join(err, readErr); err != nil || replaced != c.replaced || got != c.want {
				t.Errorf("%s to %s: replaced %t, it is %s, %v; want %t, %s", c.old, c.value, replaced, got, err, c.replaced, c.want)
			}
		}
		if got, err := db.LoadOrStoreSetting(t.Context(), "other", fixed("none")); err != nil || got != "one" {
			t.Errorf("another setting is %s, %v", got, err)
		}
	})
}
