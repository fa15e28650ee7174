package formatstest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	"labour/snapshots"
)

// readCSV reads a file, and takes the guards off. The standard library's reader makes \n of
// the line break \r\n, also within a text: so does breaks with what is compared.
func readCSV(raw []byte, schema []snapshots.Column) (f file, err error) {
	if len(raw) == 0 || raw[len(raw)-1] != '\n' {
		return f, errors.New("the last line does not end")
	}
	lines, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		return f, err
	}
	f.columns = lines[0]
	for i, name := range f.columns {
		if i >= len(schema) || schema[i].Name != name {
			return f, fmt.Errorf("column %d is %s; Parquet has %v", i, name, schema)
		}
	}
	for _, line := range lines[1:] {
		row := make([]*string, len(line))
		for i, text := range line {
			row[i] = csvValue(schema[i], text)
		}
		f.rows = append(f.rows, row)
	}
	return f, nil
}

// csvValue is the value of a cell; nil is null.
func csvValue(c snapshots.Column, text string) *string {
	switch {
	case text == "" && c.Nullable:
		return nil
	case c.Type == snapshots.Text && strings.HasPrefix(text, "'"):
		return ptr(text[1:])
	case c.Type == snapshots.Text && text != "" && strings.ContainsAny(text[:1], "=+-@\t\r\n"):
		return ptr("a formula: " + text)
	case c.Type == snapshots.Int64 && text == "<5":
	case c.Type == snapshots.Int64 || c.Type == snapshots.Float64:
		return ptr(rational(text))
	}
	return &text
}

// breaks is a text as readCSV gives it.
func breaks(text *string) *string {
	if text == nil {
		return nil
	}
	return ptr(strings.ReplaceAll(*text, "\r\n", "\n"))
}
