package state

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	driver "modernc.org/sqlite" // also registers itself as "sqlite"
)

// DatabaseKind tells whether the state database is SQLite or PostgreSQL.
type DatabaseKind string

// SQLite and Postgres are the databases that can store the state.
const (
	SQLite   DatabaseKind = "sqlite"
	Postgres DatabaseKind = "postgres"
)

const (
	// sqliteConnections is the largest number of open connections to SQLite in one process.
	sqliteConnections = 8
	// postgresConnections is the largest number of open connections to PostgreSQL in one process.
	postgresConnections = 16
	// connectionLifetime is the time after which a PostgreSQL connection is replaced.
	connectionLifetime = 30 * time.Minute
)

func sqlite(path string) (_ *DB, err error) {
	defer WrapError(&err, "open state database %s", path)
	if err := create(path); err != nil {
		return nil, err
	}
	opened, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dataSource(path))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(sqliteConnections)
	db.SetMaxIdleConns(sqliteConnections)
	return &DB{DB: db, Kind: SQLite, name: path, file: path, fileIdentity: opened,
			dialect: goose.DialectSQLite3, tries: 20},
		nil
}

// create creates an empty database file if the file does not exist. Only its owner can read it,
// because the database contains secrets.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// dataSource returns the data source name of an SQLite file for sql.Open. It has these settings:
//
//   - A write-ahead log lets readers work while another connection writes.
//   - With synchronous=NORMAL, a write survives a crash of the process. A power cut may lose the
//     latest writes.
//   - A statement waits up to 5 seconds for a lock of another connection.
//   - A transaction takes its lock when it starts, so that two transactions cannot wait for each
//     other.
func dataSource(path string) string {
	q := url.Values{}
	for _, p := range []string{"journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(5000)", "foreign_keys(1)"} {
		q.Add("_pragma", p)
	}
	q.Set("_txlock", "immediate")
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + q.Encode()
}

// postgres opens a PostgreSQL database. Its transactions always have the isolation level READ
// COMMITTED. At a stricter level, concurrent requests would fail instead of waiting.
func postgres(address string) (*DB, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		// The parser's message may quote the address, and so the password.
		return nil, errors.New(
			"the address of the state database is not postgres://user:password@host:port/name?option=value")
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "labour"
	}
	// Servers that start at the same time migrate one after the other; each tries again for five
	// minutes.
	migrating, err := lock.NewPostgresSessionLocker(lock.WithLockID(migratingLock), lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(postgresConnections)
	db.SetMaxIdleConns(postgresConnections)
	db.SetConnMaxLifetime(connectionLifetime)
	return &DB{DB: db, Kind: Postgres, name: fmt.Sprintf("postgres://%s:%d/%s", config.Host, config.Port,
		config.Database),
		dialect: goose.DialectPostgres, locker: []goose.ProviderOption{goose.WithSessionLocker(migrating)}, tries: 1,
		isolation: sql.LevelReadCommitted}, nil
}

// IsDatabaseError reports whether an error comes from the database. For example, the database
// cannot be reached, refused a statement or has no disk space.
func IsDatabaseError(err error) bool {
	var file *driver.Error
	var refused *pgconn.PgError
	var unreached *pgconn.ConnectError
	var network *net.OpError
	isSQLite := errors.As(err, &file)
	isPostgres := errors.As(err, &refused) || errors.As(err, &unreached)
	isConnection := errors.As(err, &network) || errors.Is(err, sql.ErrConnDone)
	return isSQLite || isPostgres || isConnection
}

// migratingLock is the number of a PostgreSQL advisory lock. It prevents two processes from
// migrating the tables at the same time.
const migratingLock = 0x6c61626f7572

// AdvisoryLock takes the lock with the given name and holds it until tx ends. Other transactions
// that take the same lock wait. In SQLite it does nothing, because only one transaction can write
// at a time.
func (db *DB) AdvisoryLock(ctx context.Context, tx *sql.Tx, name string) error {
	if db.Kind != Postgres {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext($1))`, name); err != nil {
		return fmt.Errorf("keep other servers out of %s: %w", name, err)
	}
	return nil
}
