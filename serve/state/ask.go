package state

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"strings"
)

// Statements returns a function that returns the SQL text of a statement by its name. The statement
// NAME is in the file sql/NAME.sql of files.
func Statements(files embed.FS) func(name string) string {
	return func(name string) string {
		text, err := files.ReadFile("sql/" + name + ".sql")
		if err != nil {
			panic(err)
		}
		return string(text)
	}
}

// Asker runs SQL statements. It is a database or a transaction.
type Asker interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// All returns every row of a statement, in order. read scans one row.
func All[T any](ctx context.Context, from Asker, statement string, read func(scan func(...any) error) (T, error),
	args ...any) ([]T, error) {
	rows, err := from.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := read(rows.Scan)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Step is an SQL statement with its arguments, see Do.
type Step struct {
	statement string
	args      []any
}

// NewStep returns a Step for a statement and its arguments.
func NewStep(statement string, args ...any) Step { return Step{statement, args} }

// Do runs the steps in order, and stops at the first error.
func Do(ctx context.Context, in Asker, steps ...Step) error {
	for _, s := range steps {
		if _, err := in.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// Wrap adds a description to *err, if *err is not nil. It is called with defer.
func Wrap(err *error, what string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(what+": %w", append(args, *err)...)
	}
}

// Missing returns none if err is sql.ErrNoRows, and otherwise err.
func Missing(err, none error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return none
	}
	return err
}

// Words is a list of words, stored in a column with spaces between them.
type Words[T ~string] []T

// Scan implements sql.Scanner.
func (w *Words[T]) Scan(column any) error {
	*w = nil
	for word := range strings.FieldsSeq(fmt.Sprint(column)) {
		*w = append(*w, T(word))
	}
	return nil
}

// Value implements driver.Valuer.
func (w Words[T]) Value() (driver.Value, error) { return strings.Trim(fmt.Sprint([]T(w)), "[]"), nil }

// Change runs a statement that changes rows, and returns how many it changed.
func Change(ctx context.Context, in Asker, statement string, args ...any) (int64, error) {
	result, err := in.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
