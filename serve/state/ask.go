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

// Statements returns the statements of a package by their names: each is a file sql/NAME.sql. A
// test of this package checks that every name has a file.
func Statements(files embed.FS) func(name string) string {
	return func(name string) string {
		text, err := files.ReadFile("sql/" + name + ".sql")
		if err != nil {
			panic(err)
		}
		return string(text)
	}
}

// Asker is the database, or a transaction in it.
type Asker interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// All returns every row of a statement, in its order. read converts each from the scanned columns.
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

// Step is a statement with its arguments.
type Step struct {
	statement string
	args      []any
}

// With returns a step.
func With(statement string, args ...any) Step { return Step{statement, args} }

// Do runs statements one after the other, until one fails.
func Do(ctx context.Context, in Asker, steps ...Step) error {
	for _, s := range steps {
		if _, err := in.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// Wrap adds a description of the work to the error of a function, if there is one. It is for defer.
func Wrap(err *error, what string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(what+": %w", append(args, *err)...)
	}
}

// Missing returns none for the error of a missing row, and other errors unchanged.
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
