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

// Statements returns a function that reads SQL statements from files. That function returns the
// content of sql/NAME.sql for the name NAME. It panics if there is no such file.
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

// QueryAll runs a query and returns every row. For each row it calls read, which must call scan
// with a pointer for each column and return the row.
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

// BoundStatement is an SQL statement with its arguments, to be run by ExecAll.
type BoundStatement struct {
	statement string
	args      []any
}

// NewBoundStatement returns a BoundStatement for a statement and its arguments.
func NewBoundStatement(statement string, args ...any) BoundStatement {
	return BoundStatement{statement, args}
}

// ExecAll runs SQL statements in order. It stops at the first error and returns it.
func ExecAll(ctx context.Context, in Querier, steps ...BoundStatement) error {
	for _, s := range steps {
		if _, err := in.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// WrapError adds a description to the error *err, unless *err is nil. format and args make up the
// description, as in fmt.Sprintf. Callers use WrapError in a defer statement.
func WrapError(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(format+": %w", append(args, *err)...)
	}
}

// ReplaceNoRows returns the error in the argument none if err is sql.ErrNoRows. Otherwise it
// returns err.
func ReplaceNoRows(err, none error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return none
	}
	return err
}

// WordList is a list of words without spaces. A database column stores the list as one text,
// separated by spaces.
type WordList[T ~string] []T

// Scan implements sql.Scanner: it splits the text of a database column at its spaces.
func (w *WordList[T]) Scan(column any) error {
	*w = nil
	for word := range strings.FieldsSeq(fmt.Sprint(column)) {
		*w = append(*w, T(word))
	}
	return nil
}

// Value implements driver.Valuer: it joins the words with spaces.
func (w WordList[T]) Value() (driver.Value, error) {
	return strings.Trim(fmt.Sprint([]T(w)), "[]"), nil
}

// ExecCount runs an SQL statement and returns how many rows it changed.
func ExecCount(ctx context.Context, in Querier, statement string, args ...any) (int64, error) {
	result, err := in.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
