package formatstest

import (
	"errors"
	"fmt"
	"strings"

	"labour/snapshots"
)

// readCSV reads a file as RFC 4180 says, keeping every character of a text (the
// standard library's reader changes line breaks), and takes the guards off.
func readCSV(raw []byte, schema []snapshots.Column) (f file, err error) {
	lines, err := records(string(raw))
	if err != nil || len(lines) == 0 {
		return f, errors.Join(err, fmt.Errorf("%d lines", len(lines)))
	}
	f.columns = lines[0]
	for i, name := range f.columns {
		if i >= len(schema) || schema[i].Name != name {
			return f, fmt.Errorf("column %d is %s; Parquet has %v", i, name, schema)
		}
	}
	for n, line := range lines[1:] {
		if len(line) != len(schema) {
			return f, fmt.Errorf("line %d has %d cells, not %d", n, len(line), len(schema))
		}
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

// records splits a file into lines of cells.
func records(text string) (out [][]string, err error) {
	var line []string
	for len(text) > 0 {
		cell := ""
		if cell, text, err = next(text); err != nil {
			return nil, err
		}
		line = append(line, cell)
		switch {
		case strings.HasPrefix(text, ","):
			text = text[1:]
		case strings.HasPrefix(text, "\n"):
			out, line, text = append(out, line), nil, text[1:]
		default:
			return nil, fmt.Errorf("no comma or line break before %.20q", text)
		}
	}
	if line != nil {
		return nil, errors.New("the last line does not end")
	}
	return out, nil
}

// next takes one cell off the front.
func next(text string) (cell, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text, ",\n")
		if end < 0 || strings.Contains(text[:end], `"`) {
			return "", "", fmt.Errorf("a cell that does not end, or with a quote inside: %.20q", text)
		}
		return text[:end], text[end:], nil
	}
	text = text[1:]
	for {
		end := strings.IndexByte(text, '"')
		if end < 0 {
			return "", "", errors.New("a quoted cell does not end")
		}
		cell, text = cell+text[:end], text[end+1:]
		if !strings.HasPrefix(text, `"`) {
			return cell, text, nil
		}
		cell, text = cell+`"`, text[1:]
	}
}
