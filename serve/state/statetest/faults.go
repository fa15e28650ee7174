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

// errStatement is the error that FaultInjector returns for an SQL statement.
var errStatement = errors.New("the disk does not answer")

// FaultInjector makes a chosen SQL statement on a test database fail. Only one goroutine may use
// it.
type FaultInjector struct {
	sqlmw.NullInterceptor
	remaining int // statements that still succeed before one fails; negative = none fails
}

// OpenWithFaultInjector opens an SQLite database for a test. The returned FaultInjector can make
// SQL statements on it fail. At first no statement fails.
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

// FailEachStatement tests that the function do handles failures of the database. It calls do
// repeatedly: in the first call the first SQL statement fails, in the second call the second one,
// and so on. Each of these calls must return the statement's error. The last call, in which no
// statement fails, must succeed. what names the function in messages.
func (f *FaultInjector) FailEachStatement(t testing.TB, what string, do func() error) {
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

// next returns errStatement if the next SQL statement must fail. Otherwise it returns nil.
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

// ConnBeginTx begins a transaction. It returns errStatement if this statement must fail.
func (f *FaultInjector) ConnBeginTx(ctx context.Context, c driver.ConnBeginTx, o driver.TxOptions) (context.Context,
	driver.Tx, error) {
	if err := f.next(); err != nil {
		return ctx, nil, err
	}
	return f.NullInterceptor.ConnBeginTx(ctx, c, o)
}

// TxCommit commits a transaction. If this statement must fail, it rolls the transaction back and
// returns errStatement.
func (f *FaultInjector) TxCommit(ctx context.Context, tx driver.Tx) error {
	if err := f.next(); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// ConnExecContext runs an SQL statement. It returns errStatement if this statement must fail.
func (f *FaultInjector) ConnExecContext(ctx context.Context, c driver.ExecerContext, query string,
	args []driver.NamedValue) (driver.Result, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return c.ExecContext(ctx, query, args)
}

// ConnQueryContext runs an SQL query. It returns errStatement if this query must fail.
func (f *FaultInjector) ConnQueryContext(ctx context.Context, c driver.QueryerContext, query string,
	args []driver.NamedValue) (context.Context, driver.Rows, error) {
	if err := f.next(); err != nil {
		return ctx, nil, err
	}
	return f.NullInterceptor.ConnQueryContext(ctx, c, query, args)
}

// StmtExecContext runs a prepared statement. It returns errStatement if this statement must fail.
func (f *FaultInjector) StmtExecContext(ctx context.Context, s driver.StmtExecContext, _ string,
	args []driver.NamedValue) (driver.Result, error) {
	if err := f.next(); err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args)
}

// StmtQueryContext runs a prepared query. It returns errStatement if this query must fail.
func (f *FaultInjector) StmtQueryContext(ctx context.Context, s driver.StmtQueryContext, query string,
	args []driver.NamedValue) (context.Context, driver.Rows, error) {
	if err := f.next(); err != nil {
		return ctx, nil, err
	}
	return f.NullInterceptor.StmtQueryContext(ctx, s, query, args)
}

// RowsNext reads the next row of a result. It returns errStatement if this read must fail.
func (f *FaultInjector) RowsNext(_ context.Context, rows driver.Rows, into []driver.Value) error {
	if err := f.next(); err != nil {
		return err
	}
	return rows.Next(into)
}

// connector opens connections to one database with a given driver. It implements driver.Connector.
type connector struct {
	driver driver.Driver
	name   string
}

// Connect opens a connection to the database.
func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.name) }

// Driver returns the database driver that opens the connections.
func (c connector) Driver() driver.Driver { return c.driver }
