// Package statetest provides tests with an empty state database of every kind: an SQLite file, and
// a database of a PostgreSQL server that is started for the tests of one package and removed after
// them. If PostgreSQL is not installed, its half of a test is skipped with the reason.
package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"labour/serve/state"
	"labour/serve/state/pgserver"
)

// required is the environment variable that makes a missing PostgreSQL an error,
// for machines that should have one.
const required = "LABOUR_TEST_POSTGRES"

// Stores starts the server when a test first needs it. The zero value is ready to use; it is safe
// for concurrent use.
type Stores struct {
	mu     sync.Mutex
	server *pgserver.Server
	err    error // why the server is missing
	made   int   // number of databases
}

// Main runs the tests of a package and removes the server; it returns the exit status.
func (s *Stores) Main(m *testing.M) int {
	status := m.Run()
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "stop PostgreSQL:", err)
		return 1
	}
	return status
}

// Each runs a test once on every kind of database, with the address of an empty one.
func (s *Stores) Each(t *testing.T, test func(t *testing.T, address string)) {
	t.Helper()
	t.Run(string(state.SQLite), func(t *testing.T) { test(t, SQLite(t)) })
	t.Run(string(state.Postgres), func(t *testing.T) { test(t, s.Postgres(t)) })
}

// SQLite returns the path of a database that does not exist yet.
func SQLite(t testing.TB) string { return filepath.Join(t.TempDir(), state.FileName) }

// Postgres returns the address of an empty database.
func (s *Stores) Postgres(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil && s.err == nil {
		s.server, s.err = pgserver.Start(t.Context())
	}
	if errors.Is(s.err, pgserver.ErrNotInstalled) && os.Getenv(required) == "" {
		t.Skipf("not tried on PostgreSQL: %v", s.err)
	}
	if s.err != nil {
		t.Fatalf("start PostgreSQL: %v", s.err)
	}
	s.made++
	name := fmt.Sprintf("test_%d", s.made)
	if err := s.create(t.Context(), name); err != nil {
		t.Fatalf("make database %s: %v", name, err)
	}
	return s.server.Address(name)
}

// Open opens a database for the duration of a test.
func Open(t testing.TB, address string) *state.DB {
	t.Helper()
	db, err := state.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close the state database: %v", err)
		}
	})
	return db
}

func (s *Stores) create(ctx context.Context, name string) (err error) {
	db, err := sql.Open("pgx", s.server.Address("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "CREATE DATABASE "+name)
	return err
}

// Close removes the server, for a test that does not run through Main.
func (s *Stores) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		return nil
	}
	return s.server.Stop()
}
