package trace

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"labour/pipeline/cells/engine"
	"labour/snapshots"
)

// Condition is one column of a key with the value that it must have: text as it is,
// numbers in digits, days as 2006-01-02, times as 2006-01-02T15:04:05Z, true or false.
type Condition struct {
	Column string `json:"column"`
	Value  string `json:"value"`
}

// ErrKey means that a key cannot be understood.
var ErrKey = errors.New("the key cannot be understood")

// ParseCondition reads "column=value". The value may be empty and may hold "=".
func ParseCondition(text string) (Condition, error) {
	column, value, ok := strings.Cut(text, "=")
	if !ok || column == "" {
		return Condition{}, fmt.Errorf("%w: %q is not column=value", ErrKey, text)
	}
	return Condition{column, value}, nil
}

//go:embed sql/rows.sql
var rowsSQL string

//go:embed sql/nearest.sql
var nearestSQL string

// search asks for the rows of a table that have a key.
type search struct {
	table  snapshots.Table
	key    []Condition
	values []string // of the conditions, as DuckDB prints them
	duckdb *engine.DuckDB
}

// rows returns how many rows of a file have the key, and the sources that they name.
func rows(ctx context.Context, path string, t snapshots.Table, key []Condition) (n int64, sources []string, err error) {
	if _, err := os.Stat(path); err != nil {
		return 0, nil, err
	}
	s := &search{table: t, key: key}
	if s.duckdb, err = engine.OpenDuckDB(ctx, engine.Limits{}); err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, s.duckdb.Close()) }()
	if err := errors.Join(s.duckdb.Number(ctx, t.Name, path, false), s.prepare(ctx)); err != nil {
		return 0, nil, err
	}
	var named string
	if _, err := s.ask(ctx, rowsSQL, len(key), &n, &named); err != nil {
		return 0, nil, err
	}
	if n == 0 && len(key) > 0 {
		return 0, nil, s.nothing(ctx)
	}
	return n, strings.FieldsFunc(named, func(r rune) bool { return r == ',' }), nil
}

// prepare checks the key, and gives its values to the questions, in variables named as the columns.
func (s *search) prepare(ctx context.Context) error {
	for i, c := range s.key {
		if !slices.Contains(s.table.Sort, c.Column) {
			return &snapshots.UnknownError{What: "column of the key of " + s.table.Name, Name: c.Column,
				Nearest: snapshots.Nearest(c.Column, s.table.Sort)}
		}
		if slices.ContainsFunc(s.key[:i], func(before Condition) bool { return before.Column == c.Column }) {
			return fmt.Errorf("%w: %s is given twice", ErrKey, c.Column)
		}
		column, _ := s.table.Column(c.Column)
		text, err := printed(c.Value, column.Type)
		if err != nil {
			return fmt.Errorf("%w: %s=%s: %w", ErrKey, c.Column, c.Value, err)
		}
		s.values = append(s.values, text)
		if err := s.duckdb.Set(ctx, c.Column, text); err != nil {
			return err
		}
	}
	return nil
}

// printed is a value of a column of that type as DuckDB prints it, a time in microseconds since 1970.
func printed(value string, t snapshots.Type) (string, error) {
	switch t {
	case snapshots.Text:
		return value, nil
	case snapshots.Day:
		d, err := snapshots.ParseDate(value)
		return d.String(), err
	case snapshots.Timestamp:
		at, err := time.Parse(time.RFC3339, value)
		return strconv.FormatInt(at.UnixMicro(), 10), err
	case snapshots.Bool:
		is, err := strconv.ParseBool(value)
		return strconv.FormatBool(is), err
	}
	n, err := strconv.ParseInt(value, 10, 64)
	return strconv.FormatInt(n, 10), err
}

// ask asks a question of the rows that meet the first conditions of the key; false without an answer.
func (s *search) ask(ctx context.Context, question string, conditions int, answer ...any) (bool, error) {
	key, sources, column, value := "true", "''", "", ""
	for _, c := range s.key[:conditions] {
		key += fmt.Sprintf(" AND %s = getvariable('%s')", s.value(c.Column), c.Column)
	}
	for _, name := range s.naming() {
		sources += ", " + name
	}
	if conditions < len(s.key) {
		column = s.key[conditions].Column
		value = s.value(column)
	}
	text := strings.NewReplacer("{table}", s.table.Name, "{key}", key, "{sources}", sources, "{column}", column,
		"{value}", value).Replace(question)
	err := s.duckdb.One(ctx, text, answer...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// value is a column as text.
func (s *search) value(name string) string {
	if column, _ := s.table.Column(name); column.Type == snapshots.Timestamp {
		return "epoch_us(" + name + ")::VARCHAR"
	}
	return name + "::VARCHAR"
}

// naming lists the columns of the table that name sources.
func (s *search) naming() []string {
	if s.table.Name == "sources" {
		return []string{"key"}
	}
	return slices.DeleteFunc(snapshots.SourceColumns(),
		func(name string) bool { _, there := s.table.Column(name); return !there })
}

// nothing returns the error that no row has the key. It names the first condition that none of the
// remaining rows meets, and the values there that are most like it.
func (s *search) nothing(ctx context.Context) error {
	at, nearest := 0, ""
	for i := range s.key {
		found, err := s.ask(ctx, nearestSQL, i, &nearest)
		if err != nil {
			return err
		}
		if at = i; !found || nearest != s.values[i] {
			break
		}
	}
	unknown := &snapshots.UnknownError{What: "row of " + s.table.Name + " with " + s.key[at].Column,
		Name: s.key[at].Value, Nearest: nearest}
	for _, c := range s.key[:at] {
		unknown.What += " beside " + c.Column + "=" + c.Value
	}
	if singles(s.table.Name) { // no other advert is named
		unknown.Nearest = ""
	}
	return unknown
}
