// Package state opens the database in which the server keeps its own data: API keys, counted calls,
// webhooks and secrets. The database is an SQLite file, or PostgreSQL for several servers. The
// statements and migrations are the same for both; the differences are in dialect.go.
//
// Each package keeps its SQL statements in files of its folder sql. A file contains one statement
// without a semicolon, because the SQLite driver otherwise compiles it again for each call.
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
	"regexp"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/pressly/goose/v3"
)

// migrations has the SQL files that create and change the database tables, one file for each
// version.
//
//go:embed migrations/*.sql
var migrations embed.FS

// schemaVersion is the version of the database tables that this program needs. It is the number of
// the last file in migrations.
const schemaVersion = 2

// ErrSchemaVersion means that a newer version of this program has migrated the tables in the
// database.
var ErrSchemaVersion = errors.New("a newer version of this program has changed its tables; run that version, or " +
	"restore the backup from before the upgrade")

// statements has the SQL statements of this package, one in each file.
//
//go:embed sql/*.sql
var statements embed.FS

var statement = Statements(statements)

// migrationPause is the time between two attempts to migrate the tables. An attempt can fail if
// another process is migrating them.
const migrationPause = 50 * time.Millisecond

// DatabaseFileName is the default name of the SQLite file in the data directory.
const DatabaseFileName = "state.db"

// DB is the open state database. Several goroutines and several processes may use it at the same
// time.
type DB struct {
	*sql.DB
	Kind DatabaseKind

	name    string // name of the database in messages, without a password
	dialect goose.Dialect
	locker  []goose.ProviderOption // option that excludes other processes during a migration
	// tries is the number of attempts to migrate the tables. SQLite needs several, because no lock
	// keeps other processes from migrating at the same time.
	tries int
	// isolation is the isolation level of transactions; the default level for SQLite, which has
	// only one.
	isolation    sql.IsolationLevel
	file         string      // path of the SQLite file; empty for PostgreSQL
	fileIdentity os.FileInfo // identity of the SQLite file when it was opened
}

// Open opens the state database and migrates its tables to the current version. address is one of:
//
//   - a PostgreSQL address that begins with postgres:// or postgresql://, for version 15 or later
//     and without a pooler in transaction mode;
//   - the path of an SQLite file. Open creates a missing file, which only its owner can read.
//
// Error messages never contain the password of an address.
func Open(ctx context.Context, address string) (*DB, error) {
	open := sqlite
	switch {
	case isPostgres(address):
		open = postgres
	case isURL(address): // not in the error, because it may have a password
		return nil, errors.New("open state database: its address must begin with postgres:// or postgresql://, or be " +
			"the path of a file")
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

// isURL reports whether address has a scheme, such as postgres://, or is a list of settings for a
// connection, such as "host=db password=…". Other addresses are paths of files.
func isURL(address string) bool {
	return strings.Contains(address, "://") || connectionSettings.MatchString(address)
}

// connectionSettings matches a mistyped address of PostgreSQL, and its other notation.
var connectionSettings = regexp.MustCompile(`^postgres(?:ql)?:|(?:^|\s)(?:host|hostaddr|port|dbname|user|password)\s*=`)

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// CheckFile returns an error if the SQLite file was removed or replaced after it was opened. This
// process would then not see changes by other processes, such as a revoked key. For PostgreSQL it
// returns nil.
func (db *DB) CheckFile() (err error) {
	if db.file == "" {
		return nil
	}
	defer WrapError(&err, "the state database was removed or replaced while it was open; put it back and restart")
	now, err := os.Stat(db.file)
	if err == nil && !os.SameFile(now, db.fileIdentity) {
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
		mayRetry := try < db.tries && ctx.Err() == nil && !errors.Is(err, ErrSchemaVersion)
		if err == nil || !mayRetry {
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
		err = fmt.Errorf("version %d: %w", version, ErrSchemaVersion)
	}
	return err
}

// Transact runs f in a database transaction. It commits if f returns nil. Otherwise it rolls back.
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

// LoadOrStoreSetting returns the value of a setting in the database. If the setting does not exist,
// it stores and returns the value of initial. Concurrent callers all get the same value.
func (db *DB) LoadOrStoreSetting(ctx context.Context, name string, initial func() (string, error)) (string, error) {
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

// ReplaceSetting changes a setting in the database from oldValue to newValue. If the current value
// is not oldValue, it changes nothing and returns false.
func (db *DB) ReplaceSetting(ctx context.Context, name, oldValue, newValue string) (_ bool, err error) {
	defer WrapError(&err, "replace setting %s", name)
	n, err := ExecCount(ctx, db, statement("replace_setting"), newValue, name, oldValue)
	return n == 1, err
}

// CheckWritable checks that the database can be written. It writes the time at. It also returns an
// error if the SQLite file was removed or replaced.
func (db *DB) CheckWritable(ctx context.Context, at time.Time) (err error) {
	defer WrapError(&err, "write to the state database")
	if err := db.CheckFile(); err != nil {
		return err
	}
	return ExecAll(ctx, db, NewBoundStatement(statement("write_setting"), "checked_at", at.UTC().Format(time.RFC3339)))
}

func (db *DB) setting(ctx context.Context, name string) (value string, err error) {
	defer WrapError(&err, "read setting %s", name)
	err = db.QueryRowContext(ctx, statement("setting"), name).Scan(&value)
	return value, err
}

// NewID returns a new identifier: the prefix and a ULID (an identifier that sorts by time), such as
// key_01JF…. random must be a secure source of randomness.
func NewID(prefix string, at time.Time, random io.Reader) (string, error) {
	id, err := ulid.New(ulid.Timestamp(at), random)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return prefix + id.String(), nil
}

// UnixSeconds returns a time in Unix seconds. The database stores times in this form.
func UnixSeconds(t time.Time) int64 { return t.Unix() }

// NullableUnixSeconds returns the time *t in Unix seconds, or nil if t is nil.
func NullableUnixSeconds(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	seconds := t.Unix()
	return &seconds
}

// FromUnixSeconds converts Unix seconds to a time in UTC.
func FromUnixSeconds(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

// ScanTime returns an argument for sql.Rows.Scan. It reads a column of Unix seconds into *t. If the
// column is NULL, a pointer *t becomes nil and a time.Time becomes 1970-01-01.
func ScanTime[T time.Time | *time.Time](t *T) sql.Scanner { return timeScanner{t} }

type timeScanner struct{ into any }

// Scan reads Unix seconds, or NULL, from a database column.
func (s timeScanner) Scan(value any) error {
	var n sql.NullInt64
	if err := n.Scan(value); err != nil {
		return err
	}
	switch t := s.into.(type) {
	case *time.Time:
		*t = FromUnixSeconds(n.Int64)
	case **time.Time:
		*t = nil
		if n.Valid {
			*t = new(FromUnixSeconds(n.Int64))
		}
	}
	return nil
}

// RunEvery calls do at once and then at every interval, until ctx ends.
func RunEvery(ctx context.Context, interval time.Duration, do func()) {
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

// FlushEvery calls flush at once and at every interval until ctx ends. It then calls flush one last
// time. It passes errors of flush to report and continues.
func FlushEvery(ctx context.Context, interval time.Duration, flush func(context.Context) error, report func(error)) {
	write := func() {
		if err := flush(context.WithoutCancel(ctx)); err != nil {
			report(err)
		}
	}
	RunEvery(ctx, interval, write)
	write()
}
