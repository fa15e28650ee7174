package sheets

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
)

// Cell is a cell of a row, cleaned by Text; "" beyond its end.
func Cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return Text(row[column])
}

// Text is a cell as it is meant: the formula ="13-2011", which keeps a spreadsheet
// from taking a code for a date, is its text, and white space is single.
func Text(cell string) string {
	s := strings.Join(strings.Fields(cell), " ")
	if inner, ok := strings.CutPrefix(s, `="`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			return strings.TrimSpace(inner)
		}
	}
	return s
}

// Number is the number in a cell: digits with an optional sign, decimals and commas between
// thousands. A dash, a symbol, N/A, an infinity and a hexadecimal number are none.
func Number(cell string) (float64, bool) {
	s := strings.ReplaceAll(Text(cell), ",", "")
	if s == "" || strings.Trim(s, "0123456789.+-eE") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0, false
	}
	return n, true
}

// Table is the rows under a header.
type Table struct {
	Columns map[string]int // where each column stands, by its name
	Rows    [][]string
	first   int // which row of the sheet the first of Rows is, counted from 1
}

// Under returns the table under a row of a sheet, counted from 0.
func Under(rows [][]string, header int, columns map[string]int) Table {
	return Table{columns, rows[header+1:], header + 2}
}

// Cell is the cell of a row in a column, cleaned by Text; "" where there is none.
func (t Table) Cell(row []string, column string) string {
	if at, ok := t.Columns[column]; ok {
		return Cell(row, at)
	}
	return ""
}

// Number is the number in a cell, as Number reads it.
func (t Table) Number(row []string, column string) (float64, bool) {
	return Number(t.Cell(row, column))
}

var yearPattern = regexp.MustCompile(`^(?:19|20)[0-9]{2}$`)

// Years are the columns that a year names, in order.
func (t Table) Years() []string {
	isNone := func(column string) bool { return !yearPattern.MatchString(column) }
	return slices.DeleteFunc(slices.Sorted(maps.Keys(t.Columns)), isNone)
}

// Where says where a row of the table stands in the sheet: "row 7".
func (t Table) Where(row int) string { return fmt.Sprintf("row %d", t.first+row) }

// headerRows is how far down a header is looked for: titles and notes stand above.
const headerRows = 60

// Header finds the row that names all these columns, in any order and case. A column that is
// missing or named twice refuses the table; the error says which.
func Header(rows [][]string, names ...string) (Table, error) {
	t, err := Find(rows, strings.ToLower, names...)
	if err != nil {
		return t, err
	}
	for i, cell := range rows[t.first-2] {
		name := strings.ToLower(Text(cell))
		if slices.Contains(names, name) && t.Columns[name] != i {
			return t, sources.Codedf(sources.FaultSchema, "the column %s is named twice", name)
		}
	}
	return t, nil
}

// Find finds the row that names all the needed columns; "a|b" needs one of two. name gives the
// column that a heading stands for, and "" for none; of several headings of one column the first
// counts. The error says which columns are missing.
func Find(rows [][]string, name func(heading string) string, needed ...string) (Table, error) {
	most, missing := -1, needed
	for i, row := range rows[:min(len(rows), headerRows)] {
		at := map[string]int{}
		for c := range row {
			column := name(Cell(row, c))
			if _, there := at[column]; !there && column != "" {
				at[column] = c
			}
		}
		lacks := slices.DeleteFunc(slices.Clone(needed), func(n string) bool {
			return slices.ContainsFunc(strings.Split(n, "|"), func(n string) bool { _, ok := at[n]; return ok })
		})
		if len(lacks) == 0 {
			return Under(rows, i, at), nil
		}
		if found := len(needed) - len(lacks); found > most {
			most, missing = found, lacks
		}
	}
	return Table{}, sources.Codedf(sources.FaultColumnMissing, "no row of the first %d names %s", headerRows, strings.Join(missing, ", "))
}
