package formats

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"labour/snapshots"
)

// WriteCSV writes the rows of an API response as a CSV file.
func (l *Layout[R]) WriteCSV(w io.Writer, f Response[R]) error {
	rows, err := l.rows(f)
	out := csv.NewWriter(w)
	line := make([]string, len(l.Columns))
	for i, c := range l.Columns {
		line[i] = c.Name
	}
	err = errors.Join(err, out.Write(line))
	for _, r := range rows {
		for i, c := range l.Columns {
			line[i] = cell(c, r[c.Name])
		}
		err = errors.Join(err, out.Write(line))
	}
	out.Flush()
	if err := errors.Join(err, out.Error()); err != nil {
		return fmt.Errorf("write %s as CSV: %w", f.Endpoint, err)
	}
	return nil
}

// cell returns the text of a value in a CSV file. In a column that can be null, an empty cell means
// null, and an empty text is written as an apostrophe. Percentages always have a decimal. Texts
// that a spreadsheet would read as a formula are escaped.
func cell(c snapshots.Column, value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		if value == "" && c.Nullable {
			return guard
		}
		return EscapeFormula(value)
	case json.Number:
		if c.Type == snapshots.TypeFloat64 && !strings.Contains(value.String(), ".") {
			return value.String() + ".0"
		}
	}
	return fmt.Sprint(value)
}

// guard is an apostrophe. It is put before a text that a spreadsheet would read as a formula.
const guard = "'"

// EscapeFormula puts an apostrophe before a text that a spreadsheet would read as a formula, such
// as one that begins with "=". It also does so if the text begins with an apostrophe. A reader can
// therefore always remove one leading apostrophe.
func EscapeFormula(text string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", guard} {
		if strings.HasPrefix(text, start) {
			return guard + text
		}
	}
	return text
}
