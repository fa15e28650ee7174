package formats

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// CSV writes a file as CSV.
func (l *Layout[R]) CSV(w io.Writer, f File[R]) error {
	out, columns := csv.NewWriter(w), l.Columns()
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.Name
	}
	// The writer keeps its first error; Error below gives it.
	_ = out.Write(line)
	value := l.cells(f)
	for row := range f.Rows {
		for i, c := range columns {
			line[i] = cell(c, value(row, i))
		}
		_ = out.Write(line)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write %s as CSV: %w", f.Endpoint, err)
	}
	return nil
}

// cell writes one value. An empty cell is null, and nothing else in a column that
// can be null.
func cell(c snapshots.Column, v parquetio.Value) string {
	if v.Null {
		return ""
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
	case snapshots.Decimal1:
		return string(figure.AppendTenths(nil, figure.Tenths(v.Int)))
	case snapshots.Decimal2:
		return string(figure.AppendHundredths(nil, v.Int))
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
