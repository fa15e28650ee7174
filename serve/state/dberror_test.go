package state

import (
	"database/sql"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestErrorsOfTheDatabase: each kind by itself is recognised, also where it is wrapped.
func TestErrorsOfTheDatabase(t *testing.T) {
	for _, err := range []error{&pgconn.PgError{}, &pgconn.ConnectError{}, &net.OpError{}, sql.ErrConnDone} {
		if !IsDatabaseError(wrapped{err}) {
			t.Errorf("%T is not recognised", err)
		}
	}
	for _, err := range []error{nil, sql.ErrNoRows, errors.New("no such key"), fmt.Errorf("read: %w", sql.ErrNoRows)} {
		if IsDatabaseError(err) {
			t.Errorf("%v is taken for an error of the database", err)
		}
	}
}

// wrapped wraps an error without asking for its text: those of the table are empty.
type wrapped struct{ err error }

func (w wrapped) Error() string { return "wrapped" }
func (w wrapped) Unwrap() error { return w.err }
