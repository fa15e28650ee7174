// Package state is the database of the service's own data: keys, counted calls, webhooks and its
// own secrets. It is SQLite in one file for one server, or PostgreSQL, which several servers share.
// The statements and the migrations are the same for both; they use only features of both ($1
// placeholders, ON CONFLICT, RETURNING, text and 64-bit numbers). The differences are in
// dialect.go.
//
// Each statement is a file in the folder sql of the package that runs it, with one query and no
// semicolon: the SQLite driver treats the text after a semicolon as another statement, and then
// compiles a prepared statement again each time it runs.
package state

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// schemaVersion is the version of the tables, the number of the last migration.
const schemaVersion = 1

// ErrVersion is returned for a state database with another version of the tables.
var ErrVersion = errors.New("its tables are of another version than this program's; start a new state database")

//go:embed sql/*.sql
var statements embed.FS

var statement = Statements(statements)

// migrationPause is the time between attempts to migrate while another process is migrating.
const migrationPause = 50 * time.Millisecond

// FileName is the name of the database inside the data directory.
const FileName = "state.db"

// DB is the state database. It is safe for concurrent use, also by several processes: a command may
// revoke a key while a server runs.
type DB struct {
	*sql.DB
	Kind Kind

	name    string // name of the database in messages; never contains a password
	dialect goose.Dialect
	locker  []goose.ProviderOption // excludes other processes during a migration
	// tries is the number of attempts to migrate if servers that start at the same time cannot
	// exclude each other: one of them may find that a table changed in the meantime.
	tries int
	// isolation level of transactions. SQLite has only one: all writers wait for each other.
	isolation sql.IsolationLevel
	file      string      // path of the SQLite file; empty for other databases
	opened    os.FileInfo // the file when it was opened
}

// Open opens the database at an address and brings its tables up to date. An address that begins
// with postgres:// (or postgresql://) is a PostgreSQL database of version 15 or later, in the form
// of its own tools. It must not be behind a pooler in transaction mode.
// Anything else is the path of an SQLite file, which is created if it does not exist (readable only
// by its owner). No error contains the password of an address.
func Open(ctx context.Context, address string) (*DB, error) {
	open := sqlite
	if isPostgres(address) {
		open = postgres
	}
	db, err := open(address)
	if err != nil {
		return nil, err
	}
	if err := db.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("bring state database %s up to date: %w", db.name, err), db.Close())
	}
	return db, nil
}

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Present returns an error if the file of the database was removed or replaced since it was opened:
// SQLite would continue with the deleted file, and would never see what commands write to the new
// file, such as a revocation.
func (db *DB) Present() (err error) {
	if db.file == "" {
		return nil
	}
	defer Wrap(&err, "the state database was removed or replaced while it was open; put it back and restart")
	now, err := os.Stat(db.file)
	if err == nil && !os.SameFile(now, db.opened) {
		err = errors.New("it is another file")
	}
	return err
}

func (db *DB) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := db.up(ctx, files)
		if err == nil || errors.Is(err, ErrVersion) || try >= db.tries || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(migrationPause):
		}
	}
}

func (db *DB) up(ctx context.Context, files fs.FS) error {
	p, err := goose.NewProvider(db.dialect, db.DB, files, db.locker...)
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return err
	}
	version, err := p.GetDBVersion(ctx)
	if err == nil && version != schemaVersion {
		err = fmt.Errorf("version %d: %w", version, ErrVersion)
	}
	return err
}

// Transact runs f in one transaction. It commits if f returns nil, and otherwise undoes everything.
func (db *DB) Transact(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: db.isolation})
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	defer tx.Rollback() // does nothing after a commit
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Setting returns the value with a name. If there is none yet, it is made by initial; of several
// processes that start at the same time, one wins and all get its value.
func (db *DB) Setting(ctx context.Context, name string, initial func() (string, error)) (string, error) {
	value, err := db.setting(ctx, name)
	if !errors.Is(err, sql.ErrNoRows) {
		return value, err
	}
	made, err := initial()
	if err != nil {
		return "", fmt.Errorf("make setting %s: %w", name, err)
	}
	if _, err := db.ExecContext(ctx, statement("add_setting"), name, made); err != nil {
		return "", fmt.Errorf("write setting %s: %w", name, err)
	}
	return db.setting(ctx, name)
}

// ReplaceSetting changes a setting if its value still is old, and reports whether it did.
func (db *DB) ReplaceSetting(ctx context.Context, name, old, value string) (_ bool, err error) {
	defer Wrap(&err, "replace setting %s", name)
	n, err := Change(ctx, db, statement("replace_setting"), value, name, old)
	return n == 1, err
}

// Check writes the time to the database, to check that it can be written.
func (db *DB) Check(ctx context.Context, at time.Time) (err error) {
	defer Wrap(&err, "write to the state database")
	if err := db.Present(); err != nil {
		return err
	}
	return Do(ctx, db, NewStep(statement("write_setting"), "checked_at", at.UTC().Format(time.RFC3339)))
}

func (db *DB) setting(ctx context.Context, name string) (value string, err error) {
	defer Wrap(&err, "read setting %s", name)
	err = db.QueryRowContext(ctx, statement("setting"), name).Scan(&value)
	return value, err
}

// NewID returns an id for a row: a prefix for the kind of row, and a ULID of the time. random
// must be a secure source of randomness.
func NewID(prefix string, at time.Time, random io.Reader) (string, error) {
	id, err := ulid.New(ulid.Timestamp(at), random)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return prefix + id.String(), nil
}

// MonthStart returns the first second of the calendar month of t in UTC, the key of the
// calls of a month.
func MonthStart(t time.Time) time.Time {
	year, month, _ := t.UTC().Date()
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// Unix returns t in the form in which the database stores it: Unix seconds.
func Unix(t time.Time) int64 { return t.Unix() }

// UnixNull returns *t in Unix seconds, or nil if t is nil.
func UnixNull(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	seconds := t.Unix()
	return &seconds
}

// FromUnix returns the time for stored Unix seconds, in UTC.
func FromUnix(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

// Into returns a Scan target that converts stored Unix seconds to *t. NULL is allowed if *t is a
// pointer.
func Into[T time.Time | *time.Time](t *T) sql.Scanner { return scanned{t} }

type scanned struct{ into any }

// Scan implements sql.Scanner.
func (s scanned) Scan(value any) error {
	var n sql.NullInt64
	if err := n.Scan(value); err != nil {
		return err
	}
	switch t := s.into.(type) {
	case *time.Time:
		*t = FromUnix(n.Int64)
	case **time.Time:
		*t = nil
		if n.Valid {
			*t = new(FromUnix(n.Int64))
		}
	}
	return nil
}

// Every calls do immediately and at each interval until ctx ends.
func Every(ctx context.Context, interval time.Duration, do func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		do()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// FlushEvery calls flush at each interval until ctx ends, and then once more with a context that
// has not ended. It reports errors of flush, and continues at the next interval.
func FlushEvery(ctx context.Context, interval time.Duration, flush func(context.Context) error, report func(error)) {
	write := func() {
		if err := flush(context.WithoutCancel(ctx)); err != nil {
			report(err)
		}
	}
	Every(ctx, interval, write)
	write()
}
