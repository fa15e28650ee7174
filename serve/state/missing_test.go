package state_test

import (
	"embed"
	"path/filepath"
	"strings"
	"testing"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// A statement that does not exist is a mistake in the program, and one that is wrong is an error of its query.
func TestStatementsThatDoNotExist(t *testing.T) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a statement without a file has a text")
			}
		}()
		state.Statements(embed.FS{})("none")
	}()
	db := statetest.Open(t, statetest.SQLitePath(t))
	rows, err := state.QueryAll(t.Context(), db, `SELECT * FROM nothing`, func(func(...any) error) (int, error) {
		t.Error("a row is read")
		return 0, nil
	})
	if err == nil || rows != nil {
		t.Errorf("%v, %v", rows, err)
	}
	if got := db.Stats().MaxOpenConnections; got != 8 {
		t.Errorf("up to %d connections are open, want 8", got)
	}
}

// A database that cannot be opened is named in the error.
func TestWhichDatabaseCannotBeOpened(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none", "state.db")} {
		if _, err := state.Open(t.Context(), path); err == nil ||
			!strings.HasPrefix(err.Error(), "open state database "+path+": ") {
			t.Errorf("%v", err)
		}
	}
}
