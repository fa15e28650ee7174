package formats

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// CSV writes a file as CSV.
func (l *Layout[R]) CSV(w io.Writer, f File[R]) error {
	value := l.cells(f)
	err := writeCSV(w, l.Columns(), func(yield func(func(column int) parquetio.Value) bool) {
		for row := range f.Rows {
			if !yield(func(column int) parquetio.Value { return value(row, column) }) {
				return
			}
		}
	})
	if err != nil {
		return fmt.Errorf("write %s as CSV: %w", f.Endpoint, err)
	}
	return nil
}

// StreamCSV writes rows as CSV while they come. They bring their own statement.
func (l *Layout[R]) StreamCSV(w io.Writer, rows iter.Seq[R]) error {
	err := writeCSV(w, l.Columns(), func(yield func(func(column int) parquetio.Value) bool) {
		for r := range rows {
			row := reflect.ValueOf(&r).Elem()
			if !yield(func(column int) parquetio.Value {
				return l.columns[column].value(row.FieldByIndex(l.columns[column].index))
			}) {
				return
			}
		}
	})
	if err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// writeCSV writes a header and rows, each of which gives the value of a column. It
// stops at the first error of the writer.
func writeCSV(w io.Writer, columns []snapshots.Column, rows iter.Seq[func(column int) parquetio.Value]) error {
	out, line := csv.NewWriter(w), make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.Name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for value := range rows {
		for i, c := range columns {
			line[i] = cell(c, value(i))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cell writes one value. An empty cell is null, and nothing else in a column that
// can be null; a count of 1 to 4 people is null with the text that JSON has.
func cell(c snapshots.Column, v parquetio.Value) string {
	if v.Null {
		return v.Text
	}
	switch c.Type {
	case snapshots.Text:
		if v.Text == "" && c.Nullable {
			return guard
		}
		return guarded(v.Text)
	case snapshots.Bool:
		return strconv.FormatBool(v.Int != 0)
	case snapshots.Day:
		return time.Unix(v.Int*secondsPerDay, 0).UTC().Format(time.DateOnly)
	case snapshots.Timestamp:
		return time.UnixMicro(v.Int).UTC().Format(time.RFC3339)
	case snapshots.Float64:
		return v.Text
	}
	return strconv.FormatInt(v.Int, 10)
}

// guard goes in front of a text that a spreadsheet would take for a formula.
const guard = "'"

// guarded puts the guard in front of a text that begins with what spreadsheets take
// for a formula (the list is OWASP's), or with a guard itself.
func guarded(text string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", guard} {
		if strings.HasPrefix(text, start) {
			return guard + text
		}
	}
	return text
}
