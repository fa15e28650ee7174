// Package state is the database of what the service itself must remember: keys,
// counted calls and its own secrets. It is SQLite in one file. The statements
// keep to what PostgreSQL also accepts ($1 placeholders, ON CONFLICT, RETURNING,
// text and 64-bit numbers), so that several servers can share one later.
package state

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

//go:embed migrations/*.sql
var migrations embed.FS

// maxConnections bounds the memory that connections take. One call is a few
// microseconds of look-up, so more would not be faster.
const maxConnections = 8

// FileName is the name of the database inside the data directory.
const FileName = "state.db"

// DB is the state database. It is safe for concurrent use, also by several
// processes: a command may revoke a key while a server runs.
type DB struct {
	*sql.DB
}

// Open opens the database at path, makes it when it is not there (readable by
// its owner only) and brings its tables up to date.
func Open(ctx context.Context, path string) (*DB, error) {
	if err := create(path); err != nil {
		return nil, fmt.Errorf("create state database %s: %w", path, err)
	}
	db, err := sql.Open("sqlite", dataSource(path))
	if err != nil {
		return nil, fmt.Errorf("open state database %s: %w", path, err)
	}
	// Connections are kept, and with them their prepared statements.
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	if err := migrate(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("bring state database %s up to date: %w", path, err), db.Close())
	}
	return &DB{DB: db}, nil
}

// create makes an empty file that only its owner may read: it holds hashes of
// secrets and the key of the cursors.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// dataSource asks for a write-ahead log (readers do not wait for the writer),
// FULL synchronous (a committed count survives a power cut), waiting instead of
// failing when another process writes, and write locks from the start of a
// transaction (so that two never wait for each other).
func dataSource(path string) string {
	q := url.Values{}
	for _, p := range []string{"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)", "foreign_keys(1)"} {
		q.Add("_pragma", p)
	}
	q.Set("_txlock", "immediate")
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + q.Encode()
}

func migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// Transact runs f in one transaction, commits when f returns nil, and undoes
// everything otherwise.
func (db *DB) Transact(ctx context.Context, f func(tx *sql.Tx) error) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin a transaction: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreDone(tx.Rollback()))
		}
	}()
	if err = f(tx); err != nil {
		return err
	}
	if err = tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// ignoreDone drops the error of a rollback that came after a failed commit.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// Setting is the value of that name. When there is none yet, initial makes it;
// of several processes that start at once, one wins and all get its value.
func (db *DB) Setting(ctx context.Context, name string, initial func() (string, error)) (string, error) {
	value, err := db.setting(ctx, name)
	if !errors.Is(err, sql.ErrNoRows) {
		return value, err
	}
	made, err := initial()
	if err != nil {
		return "", fmt.Errorf("make setting %s: %w", name, err)
	}
	const insert = `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`
	if _, err := db.ExecContext(ctx, insert, name, made); err != nil {
		return "", fmt.Errorf("write setting %s: %w", name, err)
	}
	return db.setting(ctx, name)
}

func (db *DB) setting(ctx context.Context, name string) (string, error) {
	var value string
	err := db.QueryRowContext(ctx, `SELECT value FROM settings WHERE name = $1`, name).Scan(&value)
	if err != nil {
		return "", fmt.Errorf("read setting %s: %w", name, err)
	}
	return value, nil
}

// Unix is t as the database holds it.
func Unix(t time.Time) int64 { return t.Unix() }

// UnixNull is t as the database holds an optional time.
func UnixNull(t *time.Time) sql.NullInt64 {
	if t == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.Unix(), Valid: true}
}

// Time is a stored time, in UTC.
func Time(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

// TimeNull is a stored optional time.
func TimeNull(v sql.NullInt64) *time.Time {
	if !v.Valid {
		return nil
	}
	t := Time(v.Int64)
	return &t
}
