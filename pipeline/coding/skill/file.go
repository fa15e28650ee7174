package skill

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// fileColumns are the columns of an operator's register; contexts may be left out.
var fileColumns = []string{"slug", "name", "kind", "level", "patterns", "contexts"}

// LoadFile reads an operator's own register: a CSV file with the columns slug, name,
// patterns, level and kind, in any order, and contexts where patterns need them. What
// stands in the columns is as Parse has it.
func LoadFile(path string) (*Register, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("register of skills: %w", err)
	}
	defer file.Close()
	r, err := parseCSV(file)
	if err != nil {
		return nil, fmt.Errorf("register of skills %s: %w", path, err)
	}
	return r, nil
}

func parseCSV(src io.Reader) (*Register, error) {
	rows := csv.NewReader(src)
	header, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	b := newBuilder()
	b.line = 1
	for _, column := range header {
		if !slices.Contains(fileColumns, column) {
			b.fault("column %q is none of %v", column, fileColumns)
		}
	}
	for _, column := range fileColumns[:5] {
		if !slices.Contains(header, column) {
			b.fault("column %q is missing", column)
		}
	}
	if len(b.faults) > 0 {
		return nil, errors.Join(b.faults...)
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return b.finish()
		}
		if err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		b.line, _ = rows.FieldPos(0)
		fields := make([]string, len(fileColumns))
		for i, column := range header {
			fields[slices.Index(fileColumns, column)] = strings.ReplaceAll(row[i], "\n", "|")
		}
		b.entry(fields)
	}
}
