package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Condition is one column of a key with the value that it must have: text as it is,
// numbers in digits, days as 2006-01-02, times as 2006-01-02T15:04:05Z, true or false.
type Condition struct {
	Column string `json:"column"`
	Value  string `json:"value"`
}

// ErrKey says that a key cannot be understood.
var ErrKey = errors.New("the key cannot be understood")

// ParseCondition reads "column=value". The value may be empty and may hold "=".
func ParseCondition(text string) (Condition, error) {
	column, value, ok := strings.Cut(text, "=")
	if !ok || column == "" {
		return Condition{}, fmt.Errorf("%w: %q is not column=value", ErrKey, text)
	}
	return Condition{column, value}, nil
}

// found is what a search for a key found.
type found struct {
	rows    int64
	sources map[string]bool
}

// fromKinds takes the sources of the table's kinds, where the rows name none.
func (f *found) fromKinds(table string, known []snapshots.SourcesRow) {
	for _, s := range known {
		if slices.Contains(snapshots.SourceKinds(table), s.Kind) {
			f.sources[s.Key] = true
		}
	}
}

// pass is a pass over the file of a table.
type pass struct {
	table   snapshots.Table
	types   []snapshots.Type // of the conditions
	want    []parquetio.Value
	key     []Condition
	named   int // columns that name sources, read after those of the key
	deepest int // most conditions that one row met, in their order, before one it did not
	nearest string
	any     bool // nearest holds a value
	found   found
}

// search reads the key and the columns that name sources of every row, once.
func search(ctx context.Context, path string, t snapshots.Table, key []Condition) (*found, error) {
	s := &pass{table: t, key: key, found: found{sources: map[string]bool{}}}
	columns, err := s.prepare()
	if err != nil {
		return nil, err
	}
	err = parquetio.Scan(path, columns, func(row int64, values []parquetio.Value) error {
		if row%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.row(values)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if s.found.rows == 0 && len(key) > 0 {
		return nil, s.nothing()
	}
	return &s.found, nil
}

// prepare checks the key, and gives the columns to read: the key's first.
func (s *pass) prepare() ([]string, error) {
	var columns []string
	for _, c := range s.key {
		if !slices.Contains(s.table.Sort, c.Column) {
			return nil, &snapshots.UnknownError{What: "column of the key of " + s.table.Name, Name: c.Column, Nearest: snapshots.Nearest(c.Column, s.table.Sort)}
		}
		if slices.Contains(columns, c.Column) {
			return nil, fmt.Errorf("%w: %s is given twice", ErrKey, c.Column)
		}
		column, _ := s.table.Column(c.Column)
		want, err := parseValue(c.Value, column.Type)
		if err != nil {
			return nil, fmt.Errorf("%w: %s=%s: %w", ErrKey, c.Column, c.Value, err)
		}
		columns, s.types, s.want = append(columns, c.Column), append(s.types, column.Type), append(s.want, want)
	}
	names := snapshots.SourceColumns()
	if s.table.Name == "sources" {
		names = []string{"key"}
	}
	for _, name := range names {
		if _, there := s.table.Column(name); there {
			columns = append(columns, name)
		}
	}
	s.named = len(columns) - len(s.want)
	if len(columns) == 0 { // the rows are counted all the same
		columns = s.table.Sort[:1]
	}
	return columns, nil
}

// row takes one row: the values of the key, then the sources.
func (s *pass) row(values []parquetio.Value) {
	for i, want := range s.want {
		if values[i] != want {
			s.missed(i, values[i])
			return
		}
	}
	s.found.rows++
	for _, v := range values[len(s.want) : len(s.want)+s.named] {
		for key := range strings.SplitSeq(v.Text, ",") {
			if key != "" && !s.found.sources[key] {
				s.found.sources[strings.Clone(key)] = true
			}
		}
	}
}

// missed remembers the nearest value of the first condition that no row meets.
func (s *pass) missed(at int, v parquetio.Value) {
	if at < s.deepest {
		return
	}
	text := printed(v, s.types[at])
	if at > s.deepest || !s.any {
		s.deepest, s.nearest, s.any = at, text, true
	} else if text != s.nearest {
		s.nearest = snapshots.Nearest(s.key[at].Value, []string{s.nearest, text})
	}
}

// nothing says that no row has the key.
func (s *pass) nothing() error {
	at := s.key[s.deepest]
	what := "row of " + s.table.Name + " with " + at.Column
	for _, c := range s.key[:s.deepest] {
		what += " beside " + c.Column + "=" + c.Value
	}
	if singles(s.table.Name) { // no other advert is named
		return &snapshots.UnknownError{What: what, Name: at.Value}
	}
	return &snapshots.UnknownError{What: what, Name: at.Value, Nearest: s.nearest}
}

// parseValue reads a value of a column of that type.
func parseValue(text string, t snapshots.Type) (v parquetio.Value, err error) {
	switch t {
	case snapshots.Text:
		v.Text = text
	case snapshots.Day:
		d, perr := snapshots.ParseDate(text)
		v.Int, err = d.Unix()/(24*60*60), perr
	case snapshots.Timestamp:
		at, perr := time.Parse(time.RFC3339, text)
		v.Int, err = at.UnixMicro(), perr
	case snapshots.Bool:
		is, perr := strconv.ParseBool(text)
		if err = perr; is {
			v.Int = 1
		}
	case snapshots.Int8, snapshots.Int16, snapshots.Int32, snapshots.Int64:
		v.Int, err = strconv.ParseInt(text, 10, 64)
	default:
		err = fmt.Errorf("a column of type %s is in no key", t)
	}
	return v, err
}

func printed(v parquetio.Value, t snapshots.Type) string {
	switch {
	case v.Null:
		return ""
	case t == snapshots.Text:
		return strings.Clone(v.Text)
	case t == snapshots.Day:
		return time.Unix(v.Int*24*60*60, 0).UTC().Format(time.DateOnly)
	case t == snapshots.Timestamp:
		return time.UnixMicro(v.Int).UTC().Format(time.RFC3339)
	case t == snapshots.Bool:
		return strconv.FormatBool(v.Int != 0)
	}
	return strconv.FormatInt(v.Int, 10)
}
