package statetest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"testing"

	"github.com/ngrok/sqlmw"

	"labour/serve/state"
)

// errStatement is the error of an SQL statement that a test makes fail.
var errStatement = errors.New("the disk does not answer")

// FaultInjector makes SQL statements on a test database fail, one at a time. Only one goroutine may use
// it.
type FaultInjector struct {
	sqlmw.NullInterceptor
	remaining int // statements that still succeed before one fails; negative = none fails
}

// OpenWithFaultInjector opens an SQLite database for the duration of a test. The returned
// FaultInjector decides which SQL statements fail. At first no statement fails.
func OpenWithFaultInjector(t testing.TB) (*state.DB, *FaultInjector) {
	t.Helper()
	path := SQLitePath(t)
	db, f := Open(t, path), &FaultInjector{remaining: -1}
	faulty := sql.OpenDB(connector{sqlmw.Driver(db.Driver(), f),
		"file:" + path + "?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)"})
	t.Cleanup(func() {
		if err := faulty.Close(); err != nil {
			t.Errorf("close the faulty database: %v", err)
		}
	})
	copied := *db
	copied.DB = faulty
	return &copied, f
}

// FailEach calls do repeatedly. In the first call the first SQL statement fails, in the second call
// the second statement, and so on. FailEach stops after a call in which no statement fails. A call
// with a failing statement must return an error that wraps the error of that statement. The last
// call must succeed, so a failed call must leave nothing in the database.
func (f *FaultInjector) FailEach(t testing.TB, what string, do func() error) {
	t.Helper()
	for n := 0; ; n++ {
		f.remaining = n
		err := do()
		failed := f.remaining < 0
		f.remaining = -1
		if !failed {
			if err != nil {
				t.Errorf("%s fails after %d failures of a statement: %v", what, n, err)
			}
			return
		}
		if !errors.Is(err, errStatement) {
			t.Errorf("%s ends with %v although its statement %d failed", what, err, n+1)
		}
	}
}

// next counts an SQL statement. It returns errStatement if this statement must fail, and otherwise
// nil.
func (f *FaultInjector) next() error {
	if f.remaining < 0 {
		return nil
	}
	f.remaining--
	if f.remaining < 0 {
		return errStatement
	}
	return nil
}

// ConnBeginTx begins a transaction, or fails if it is the turn of this statement to fail.
func (f *FaultInjector) ConnBeginTx(ctx context.Context, c driver.ConnBeginTx, o driver.TxOptions) (context.Context,
	driver.Tx, error) {
	if err := f.next(); err != nil {
		return ctx, nil, err
	}
	return f.NullInterceptor.ConnBeginTx(ctx, c, o)
}

// TxCommit commits a transaction. If it is the turn of this statement to fail, it rolls the
// transaction back and returns errStatement.
func (f *FaultInjector) TxCommit(ctx context.Context, tx driver.Tx) error {
	if err := f.next(); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// ConnExecContext runs an SQL statement, or fails if it is the turn of this statement to fail.
func (f *FaultInjector) ConnExecContext(ctx context.Context, c driver.ExecerContext, query string,
	args []driver.NamedValue) (driver.Result, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return c.ExecContext(ctx, query, args)
}

// ConnQueryContext runs an SQL query, or fails if it is the turn of this query to fail.
func (f *FaultInjector) ConnQueryContext(ctx context.Context, c driver.QueryerContext, query string,
	args []driver.NamedValue) (context.Context, driver.Rows, error) {
	if err := f.next(); err != nil {
		return ctx, nil, err
	}
	return f.NullInterceptor.ConnQueryContext(ctx, c, query, args)
}

// StmtExecContext runs a prepared statement, or fails if it is the turn of this statement to fail.
func (f *FaultInjector) StmtExecContext(ctx context.Context, s driver.StmtExecContext, _ string,
	args []driver.NamedValue) (driver.Result, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args)
}

// StmtQueryContext runs a prepared query, or fails if it is the turn of this query to fail.
func (f *FaultInjector) StmtQueryContext(ctx context.Context, s driver.StmtQueryContext, query string,
	args []driver.NamedValue) (context.Context, driver.Rows, error) {
	if err := f.next(); err != nil {
		return ctx, nil, err
	}
	return f.NullInterceptor.StmtQueryContext(ctx, s, query, args)
}

// RowsNext reads the next row of a result, or fails if it is the turn of this read to fail.
func (f *FaultInjector) RowsNext(_ context.Context, rows driver.Rows, into []driver.Value) error {
	if err := f.next(); err != nil {
		return err
	}
	return rows.Next(into)
}

// connector is a driver.Connector: it opens connections of a given driver to one database.
type connector struct {
	driver driver.Driver
	name   string
}

// Connect opens a connection to the database.
func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.name) }

// Driver returns the driver of the connector's connections.
func (c connector) Driver() driver.Driver { return c.driver }
