package state

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func open(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestOpenSetsDurability(t *testing.T) {
	// A path with the characters that a data source name gives a meaning to.
	path := filepath.Join(t.TempDir(), "a b?c#d%e.db")
	db := open(t, path)
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000", "foreign_keys": "1"} {
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

func TestOpenTwiceKeepsSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	first := open(t, path)
	ctx := context.Background()
	if _, err := first.Setting(ctx, "k", func() (string, error) { return "one", nil }); err != nil {
		t.Fatal(err)
	}
	got, err := open(t, path).Setting(ctx, "k", func() (string, error) { return "two", nil })
	if err != nil || got != "one" {
		t.Fatalf("setting = %q, %v; want one", got, err)
	}
}

func TestSettingAgreesAcrossProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	got := make([]string, 8)
	var wg sync.WaitGroup
	for i := range got {
		db := open(t, path)
		wg.Go(func() {
			v, err := db.Setting(context.Background(), "k", func() (string, error) { return string(rune('a' + i)), nil })
			if err != nil {
				t.Error(err)
			}
			got[i] = v
		})
	}
	wg.Wait()
	for _, v := range got {
		if v != got[0] {
			t.Fatalf("settings differ: %q", got)
		}
	}
}

func TestTransactUndoes(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), FileName))
	stop := errors.New("stop")
	err := db.Transact(context.Background(), func(tx *sql.Tx) error {
		if _, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ('a', 'b')`); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) {
		t.Fatalf("err = %v", err)
	}
	if _, err := db.setting(context.Background(), "a"); !errors.Is(err, sql.ErrNoRows) {
		t.Fatalf("setting survived: %v", err)
	}
}
