package yeartest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"labour/snapshots/parquetio"
)

// figures are the rows of a table: what a row is of, and what it says.
type figures map[string]string

// edition of the disk format, as far as comparing needs it: the columns of each table.
type columns map[string]map[string]string

// columnsOf reads the columns of each table, and their types, from the manifest.
func columnsOf(dir string) (columns, error) {
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, err
	}
	var m struct {
		Tables []struct {
			Name    string
			Columns []struct{ Name, Type string }
		}
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	all := columns{}
	for _, t := range m.Tables {
		all[t.Name] = map[string]string{}
		for _, c := range t.Columns {
			all[t.Name][c.Name] = c.Type
		}
	}
	return all, nil
}

func (c columns) has(table, column string) bool { return c[table][column] != "" }

// rows reads columns of a table as text: the values of each row.
func (c columns) rows(dir, table string, names ...string) ([][]string, error) {
	return c.read(filepath.Join(dir, "tables", table+".parquet"), table, names...)
}

// read reads a file that has the columns of a table.
func (c columns) read(file, table string, names ...string) ([][]string, error) {
	var rows [][]string
	for values, err := range parquetio.ScanColumns(file, names) {
		if err != nil {
			return nil, err
		}
		row := make([]string, len(names))
		for i, name := range names {
			row[i] = text(c[table][name], values[i])
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// text writes a value as the oracle writes it.
func text(kind string, v parquetio.Value) string {
	switch {
	case v.IsNull:
		return "null"
	case kind == "string":
		return strings.Clone(v.Text)
	case kind == "date":
		return date(time.Unix(v.Int*86400, 0))
	case kind == "timestamp":
		return time.UnixMicro(v.Int).UTC().Format(time.RFC3339)
	case strings.HasPrefix(kind, "decimal"):
		return tenths(v.Int)
	case kind == "bool":
		return fmt.Sprint(v.Int == 1)
	}
	return fmt.Sprint(v.Int)
}

// tenths writes a percentage with one decimal.
func tenths(n int64) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%d", sign, n/10, n%10)
}

// line joins values to a key or a row.
func line(values ...any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, " | ")
}

// table reads a table: the first keys columns are what a row is of. A printed count that has a
// status column next to it is read as it is shown.
func (c columns) table(dir, name string, keys, values []string) (figures, error) {
	names := slices.Concat(keys, values)
	counts := map[int]int{}
	for i, v := range values {
		if c.has(name, v+"_status") {
			counts[len(keys)+i] = len(names)
			names = append(names, v+"_status")
		}
	}
	rows, err := c.rows(dir, name, names...)
	if err != nil {
		return nil, err
	}
	read := figures{}
	for _, row := range rows {
		for i, status := range counts {
			row[i] = shown(row[i], row[status])
		}
		of := strings.Join(row[:len(keys)], " | ")
		if _, twice := read[of]; twice {
			return nil, fmt.Errorf("%s has %s twice", name, of)
		}
		read[of] = strings.Join(row[len(keys):len(keys)+len(values)], " | ")
	}
	return read, nil
}

// shown returns a count of people as it is printed.
func shown(value, status string) string {
	switch status {
	case "number":
		return value
	case "under_5":
		return "<5"
	}
	return "null"
}

// difference is a row that is not what it must be.
type difference struct{ of, want, got string }

func (d difference) String() string { return fmt.Sprintf("%s: want %s, got %s", d.of, d.want, d.got) }

// compare returns the rows that differ. empty is the text of a row that may be missing.
func compare(want, got figures, empty string) []difference {
	var differing []difference
	for _, of := range slices.Sorted(maps.Keys(want)) {
		if is, ok := got[of]; !ok && want[of] != empty {
			differing = append(differing, difference{of, want[of], "no row"})
		} else if ok && is != want[of] {
			differing = append(differing, difference{of, want[of], is})
		}
	}
	for _, of := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[of]; !ok && got[of] != empty {
			differing = append(differing, difference{of, "no row", got[of]})
		}
	}
	return differing
}
