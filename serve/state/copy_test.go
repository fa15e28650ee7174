package state_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/partners/access"
	"labour/serve/partners/usage"
	"labour/serve/state"
	"labour/serve/state/statetest"
	"labour/snapshots/filestest"
)

var morning = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// service is what a server does with its state: keys and counted calls.
type service struct {
	*access.Store
	calls *usage.Counter
}

func serviceOn(t *testing.T, db *state.DB) service {
	t.Helper()
	keys, err := access.New(t.Context(), db, func() time.Time { return morning }, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := usage.NewCounter(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return service{keys, calls}
}

// filled is a state with a good key that has made calls, and a revoked one.
func filled(t *testing.T, db *state.DB) (s service, good access.Key, secrets [2]string) {
	t.Helper()
	s = serviceOn(t, db)
	good, first, err := s.CreateKey(t.Context(), access.KeyRequest{Partner: "North", Plan: access.PlanPartner})
	if err != nil {
		t.Fatal(err)
	}
	revoked, second, err := s.CreateKey(t.Context(), access.KeyRequest{Partner: "South"})
	if err == nil {
		err = s.RevokeKey(t.Context(), revoked.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := s.calls.Count(t.Context(), good.ID, morning); err != nil {
			t.Fatal(err)
		}
	}
	return s, good, [2]string{first, second}
}

// restored checks that a state is the one of filled, with at least so many counted calls.
func restored(t *testing.T, db *state.DB, good access.Key, secrets [2]string, calls int64) {
	t.Helper()
	s := serviceOn(t, db)
	if key, err := s.Authenticate(t.Context(), secrets[0], morning); err != nil || key.ID != good.ID {
		t.Errorf("the good key: %+v, %v", key, err)
	}
	if _, err := s.Authenticate(t.Context(), secrets[1], morning); !errors.Is(err, access.ErrKeyRevoked) {
		t.Errorf("the revoked key: %v", err)
	}
	if counts, err := s.calls.Count(t.Context(), good.ID, morning); err != nil || counts.Hour <= calls {
		t.Errorf("counted %+v, %v; want more than %d", counts, err, calls)
	}
}

// A backup that is made while calls are counted has every key, every revocation and every call up
// to one moment, and only its owner may read it.
func TestBackupWhileServing(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		s, good, secrets := filled(t, db)
		ctx, stop := context.WithCancel(t.Context())
		var counting sync.WaitGroup
		for range 4 {
			counting.Go(func() {
				for ctx.Err() == nil {
					if _, err := s.calls.Count(context.WithoutCancel(ctx), good.ID, morning); err != nil {
						t.Error(err)
					}
				}
			})
		}
		file := filepath.Join(t.TempDir(), "backup.db")
		err := db.Backup(t.Context(), file)
		stop()
		counting.Wait()
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := db.Backup(t.Context(), file); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a second backup to the same file: %v", err)
		}
		restored(t, statetest.Open(t, file), good, secrets, 5)
	})
}

// The state moves from either kind of database to the other, row for row, and never into one that
// is in use.
func TestCopy(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		other := statetest.SQLitePath(t)
		if address[:4] != "post" {
			other = stores.PostgresAddress(t)
		}
		from, to := statetest.Open(t, address), statetest.Open(t, other)
		_, good, secrets := filled(t, from)
		rows, err := state.CopyDatabase(t.Context(), from, to)
		if err != nil || rows == 0 {
			t.Fatalf("%d rows, %v", rows, err)
		}
		if diff := cmp.Diff(dump(t, from), dump(t, to)); diff != "" {
			t.Error(diff)
		}
		restored(t, to, good, secrets, 5)
		if _, err := state.CopyDatabase(t.Context(), from, to); !errors.Is(err, state.ErrTargetNotEmpty) {
			t.Errorf("a second copy: %v", err)
		}
	})
}

// dump is every row of every table, in an order.
func dump(t *testing.T, db *state.DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range tablesOf(t, db) {
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := rows.Columns()
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			all[table] = append(all[table], fmt.Sprint(row))
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
		slices.Sort(all[table])
	}
	return all
}

// tablesOf are the tables of a database but the one in which migrations are noted.
func tablesOf(t *testing.T, db *state.DB) []string {
	t.Helper()
	question := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE ` +
		`'goose_%' ORDER BY name`
	if db.Kind == state.Postgres {
		question = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'goose_%' ORDER ` +
			`BY tablename`
	}
	names, err := state.QueryAll(t.Context(), db, question, func(scan func(...any) error) (name string, err error) {
		err = scan(&name)
		return name, err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	return names
}

// Every table of the database is copied.
func TestEveryTableIsCopied(t *testing.T) {
	want := tablesOf(t, statetest.Open(t, statetest.SQLitePath(t)))
	got := slices.Sorted(slices.Values(state.Tables()))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A backup that cannot be made durable is an error. One that can be leaves no file open.
func TestFilesAreSynced(t *testing.T) {
	dir := t.TempDir()
	if err := state.SyncFile(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	filestest.CheckFilesClosed(t, map[string]func() error{"sync": func() error { return state.SyncFile(file) }})
}
