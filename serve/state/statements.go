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

// Statements returns a function that reads SQL statements from files. For the name NAME, that
// function returns the content of sql/NAME.sql. It panics if there is no such file.
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

// QueryAll runs a query and returns all rows. It calls read for each row. read must call scan with
// one pointer for each column, and return the row.
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

// BoundStatement is an SQL statement with its arguments. ExecAll runs it.
type BoundStatement struct {
	statement string
	args      []any
}

// NewBoundStatement returns an SQL statement with its arguments, for ExecAll.
func NewBoundStatement(statement string, args ...any) BoundStatement {
	return BoundStatement{statement, args}
}

// ExecAll runs SQL statements in order. It stops at the first error and returns that error.
func ExecAll(ctx context.Context, in Querier, steps ...BoundStatement) error {
	for _, s := range steps {
		if _, err := in.ExecContext(ctx, s.statement, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// WrapError adds a description to the error *err, unless *err is nil. format and args give the
// description, as in fmt.Sprintf. Use it with defer.
func WrapError(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(format+": %w", append(args, *err)...)
	}
}

// ReplaceNoRows returns the error none if err is sql.ErrNoRows. Otherwise it returns err.
func ReplaceNoRows(err, none error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return none
	}
	return err
}

// WordList is a list of words, such as the scopes of a key. A database column stores it as one text
// with spaces between the words.
type WordList[T ~string] []T

// Scan reads the list from a database column. It splits the text at its spaces.
func (w *WordList[T]) Scan(column any) error {
	*w = nil
	for word := range strings.FieldsSeq(fmt.Sprint(column)) {
		*w = append(*w, T(word))
	}
	return nil
}

// Value returns the text that a database column stores: the words with spaces between them.
func (w WordList[T]) Value() (driver.Value, error) {
	return strings.Trim(fmt.Sprint([]T(w)), "[]"), nil
}

// ExecCount runs an SQL statement and returns the number of rows that it changed.
func ExecCount(ctx context.Context, in Querier, statement string, args ...any) (int64, error) {
	result, err := in.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
