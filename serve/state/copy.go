package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// tables lists the tables of the state database in an order in which they can be filled. A table
// comes after the tables that its foreign keys refer to.
var tables = []string{
	"settings", "partners", "access_keys", "key_secrets", "usage_counts",
	"partner_grants", "partner_addresses", "signin_links", "signin_sessions",
	"webhook_endpoints", "webhook_secrets", "webhook_events", "webhook_deliveries", "webhook_attempts",
}

// ErrTargetNotEmpty means that CopyDatabase refused to copy, because the target database is not
// empty.
var ErrTargetNotEmpty = errors.New("the database holds partners or settings already; give an empty one")

// Backup copies the state database to a new SQLite file. Servers may run meanwhile; the copy is
// consistent. Only the owner can read the file. The error wraps fs.ErrExist if the file exists.
func (db *DB) Backup(ctx context.Context, path string) (err error) {
	defer WrapError(&err, "back up state database %s to %s", db.name, path)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := db.backup(ctx, path); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return syncFile(path)
}

// CountPartners returns the numbers of partners and of their keys in the database, including keys
// that were revoked.
func (db *DB) CountPartners(ctx context.Context) (partners, keys int, err error) {
	defer WrapError(&err, "count the partners in state database %s", db.name)
	err = db.QueryRowContext(ctx, statement("partners_keys")).Scan(&partners, &keys)
	return partners, keys, err
}

func (db *DB) backup(ctx context.Context, path string) error {
	if db.Kind == SQLite { // copied page by page, including the write-ahead log
		_, err := db.ExecContext(ctx, `VACUUM INTO $1`, path)
		return err
	}
	to, err := Open(ctx, path)
	if err != nil {
		return err
	}
	_, err = copyAll(ctx, db, to)
	return errors.Join(err, to.Close())
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// CopyDatabase copies a state database to an empty one, for example from SQLite to PostgreSQL. It
// returns the number of copied rows. After an error the target is unchanged. The error wraps
// ErrTargetNotEmpty if the target is not empty.
func CopyDatabase(ctx context.Context, from, to *DB) (rows int64, err error) {
	defer WrapError(&err, "copy state database %s to %s", from.name, to.name)
	return copyAll(ctx, from, to)
}

func copyAll(ctx context.Context, from, to *DB) (rows int64, err error) {
	read, err := from.BeginTx(ctx, &sql.TxOptions{Isolation: from.snapshotIsolation(), ReadOnly: from.Kind == Postgres})
	if err != nil {
		return 0, err
	}
	defer read.Rollback() // nothing was changed
	err = to.Transact(ctx, func(write *sql.Tx) error {
		if err := empty(ctx, write); err != nil {
			return err
		}
		for _, table := range tables {
			n, err := copyTable(ctx, read, write, table)
			if err != nil {
				return fmt.Errorf("table %s: %w", table, err)
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// snapshotIsolation returns the isolation level for a transaction in which all queries must see the
// same data.
func (db *DB) snapshotIsolation() sql.IsolationLevel {
	if db.Kind == Postgres {
		return sql.LevelRepeatableRead
	}
	return sql.LevelDefault
}

// empty returns ErrTargetNotEmpty if the database has data. Otherwise it returns nil.
func empty(ctx context.Context, in *sql.Tx) error {
	var used bool
	if err := in.QueryRowContext(ctx, statement("used")).Scan(&used); err != nil {
		return err
	}
	if used {
		return ErrTargetNotEmpty
	}
	return nil
}

// copyTable copies all rows of one table to another database and returns their number.
func copyTable(ctx context.Context, from, to *sql.Tx, table string) (n int64, err error) {
	rows, err := from.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	insert, err := to.PrepareContext(ctx, insertInto(table, columns))
	if err != nil {
		return 0, err
	}
	defer insert.Close()
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
		if _, err := insert.ExecContext(ctx, row...); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}

func insertInto(table string, columns []string) string {
	places := make([]string, len(columns))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "),
		strings.Join(places, ", "))
}

// DatabaseExists reports whether an SQLite file exists. address is the path of the file. For an
// address with a scheme, such as postgres://, the result is always true.
func DatabaseExists(address string) bool {
	if isURL(address) {
		return true
	}
	_, err := os.Stat(address)
	return !errors.Is(err, fs.ErrNotExist)
}
