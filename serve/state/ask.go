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

// Statements returns a function from the name of a statement to its SQL. The SQL of NAME is in the
// file sql/NAME.sql of files. The function panics if there is no such file.
func Statements(files embed.FS) func(name string) string {
	return func(name string) string {
		text, err := files.ReadFile("sql/" + name + ".sql")
		if err != nil {
			panic(err)
		}
		return string(text)
	}
}

// Querier runs SQL statements. Both *sql.DB and *sql.Tx implement it.
type Querier interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// QueryAll runs a query and returns every row. It calls read for each row. read must call scan with a
// pointer for each column, and return the row.
func QueryAll[T any](ctx context.Context, from Querier, statement string, read func(scan func(...any) error) (T, error),
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

// Step is an SQL statement with its arguments, for ExecAll.
type Step struct {
	statement string
	args      []any
}

// NewStep returns a Step for a statement and its arguments.
func NewStep(statement string, args ...any) Step { return Step{statement, args} }

// ExecAll runs statements in order. It stops at the first error and returns that error.
func ExecAll(ctx context.Context, in Querier, steps ...Step) error {
	for _, s := range steps {
		if _, err := in.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// WrapError adds a description to *err, unless *err is nil. It is called with defer. what may have verbs
// for args.
func WrapError(err *error, what string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(what+": %w", append(args, *err)...)
	}
}

// ReplaceNoRows returns the error none if err is sql.ErrNoRows. Otherwise it returns err.
func ReplaceNoRows(err, none error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return none
	}
	return err
}

// WordList is a list of words without spaces. A column stores them as one text, separated by
// spaces.
type WordList[T ~string] []T

// Scan implements sql.Scanner.
func (w *WordList[T]) Scan(column any) error {
	*w = nil
	for word := range strings.FieldsSeq(fmt.Sprint(column)) {
		*w = append(*w, T(word))
	}
	return nil
}

// Value implements driver.Valuer.
func (w WordList[T]) Value() (driver.Value, error) {
	return strings.Trim(fmt.Sprint([]T(w)), "[]"), nil
}

// ExecCount runs a statement and returns how many rows it changed.
func ExecCount(ctx context.Context, in Querier, statement string, args ...any) (int64, error) {
	result, err := in.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
