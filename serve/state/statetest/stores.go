// Package statetest makes empty state databases for tests, in SQLite and in PostgreSQL. It starts
// one PostgreSQL server for all tests of a package. Tests on PostgreSQL are skipped if it is not
// installed.
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

// requirePostgresEnv is the name of an environment variable. If it is set, tests that need
// PostgreSQL fail without PostgreSQL. Otherwise they are skipped.
const requirePostgresEnv = "LABOUR_TEST_POSTGRES"

// TestDatabases makes state databases for tests. It starts a PostgreSQL server when a test first
// needs one. The zero value is usable. It is safe for concurrent use.
type TestDatabases struct {
	mu            sync.Mutex
	server        *pgserver.Server
	err           error // error of starting the PostgreSQL server
	databaseCount int   // number of PostgreSQL databases made so far
}

// RunTests runs all tests of a package and then stops the PostgreSQL server. It returns the exit
// status for os.Exit.
func (s *TestDatabases) RunTests(m *testing.M) int {
	status := m.Run()
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "stop PostgreSQL:", err)
		return 1
	}
	return status
}

// RunOnEach runs a test twice, on SQLite and on PostgreSQL. The test gets the address of an empty
// database.
func (s *TestDatabases) RunOnEach(t *testing.T, test func(t *testing.T, address string)) {
	t.Helper()
	t.Run(string(state.SQLite), func(t *testing.T) { test(t, SQLitePath(t)) })
	t.Run(string(state.Postgres), func(t *testing.T) { test(t, s.PostgresAddress(t)) })
}

// SQLitePath returns a path for a new SQLite file in a temporary directory. The file does not exist
// yet.
func SQLitePath(t testing.TB) string { return filepath.Join(t.TempDir(), state.DatabaseFileName) }

// PostgresAddress makes an empty PostgreSQL database and returns its address. It skips the test if
// PostgreSQL is not installed, unless LABOUR_TEST_POSTGRES is set.
func (s *TestDatabases) PostgresAddress(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil && s.err == nil {
		s.server, s.err = pgserver.Start(t.Context())
	}
	if errors.Is(s.err, pgserver.ErrNotInstalled) && os.Getenv(requirePostgresEnv) == "" {
		t.Skipf("not tried on PostgreSQL: %v", s.err)
	}
	if s.err != nil {
		t.Fatalf("start PostgreSQL: %v", s.err)
	}
	s.databaseCount++
	name := fmt.Sprintf("test_%d", s.databaseCount)
	if err := s.create(t.Context(), name); err != nil {
		t.Fatalf("make database %s: %v", name, err)
	}
	return s.server.Address(name)
}

// Open opens a state database for a test. The database is closed at the end of the test.
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

func (s *TestDatabases) create(ctx context.Context, name string) (err error) {
	db, err := sql.Open("pgx", s.server.Address("postgres"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "CREATE DATABASE "+name)
	return err
}

// Close stops the PostgreSQL server. RunTests calls it.
func (s *TestDatabases) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server == nil {
		return nil
	}
	return s.server.Stop()
}
