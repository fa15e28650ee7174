package sheets

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/plaintext"
)

// CellText returns the cleaned text of the cell at index column, or "" if the row is too short.
func CellText(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return CleanText(row[column])
}

// CleanText returns the text of a cell as a spreadsheet shows it. For example, ="13-2011" becomes
// 13-2011, and '5434 becomes 5434. It collapses white space and removes invisible characters.
func CleanText(cell string) string {
	s := plaintext.CleanLine(cell)
	if inner, ok := strings.CutPrefix(s, `="`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			return strings.TrimSpace(inner)
		}
	}
	if inner, ok := strings.CutPrefix(s, "'"); ok && inner != "" && isDigit(inner[0]) {
		return inner
	}
	return s
}

// note matches a note mark after a number or code, such as [1], [note 1], [p] for provisional, ¹ or
// *.
var note = regexp.MustCompile(`\s*(?:\[(?:p|r|e|b|f|[0-9]{1,2}|note [0-9]{1,2})\]|[*†‡§¹²³⁰⁴-⁹]+)$`)

// ParseCode returns the code in a cell. It removes note marks such as [1], and ".0" that a
// spreadsheet added.
func ParseCode(cell string) string {
	s := trimMarks(CleanText(cell))
	if whole, ok := strings.CutSuffix(s, ".0"); ok && whole != "" && strings.Trim(whole, "0123456789") == "" {
		return whole
	}
	return s
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func trimMarks(s string) string {
	for s != "" {
		last := s[len(s)-1]
		isLetter := last >= 'A' && last <= 'z' && last != ']' // or a sign between Z and a
		if isDigit(last) || isLetter {
			return s
		}
		cut := note.ReplaceAllString(s, "")
		if cut == s || cut == "" { // a cell with nothing but a mark is a symbol in place of a figure
			return s
		}
		s = cut
	}
	return s
}

// figure matches a printed number. Thousands may be separated by commas, spaces or apostrophes.
var figure = regexp.MustCompile(
	`^[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?: [0-9]{3})+|[0-9]{1,3}(?:['’][0-9]{3})+|` +
		`[0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$`)

// ParseNumber returns the number in a cell, such as "1,234.5 [p]". The second result is false if
// the cell contains no number. A decimal comma, as in 12,5, is not a number.
func ParseNumber(cell string) (float64, bool) {
	s := strings.NewReplacer("\u2212", "-").Replace(trimMarks(CleanText(cell)))
	if !figure.MatchString(s) {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "", "'", "", "’", "").Replace(s), 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// symbols are the texts that publishers print in place of a missing figure, such as "x".
var symbols = strings.Fields("- – — − . .. … ... : * ~ # c f k low n n/a na nil none not-available s u w x z")

// IsMissingFigure reports whether a cell has no figure: it is empty, or it contains a symbol such
// as -, N/A, x or [c].
func IsMissingFigure(cell string) bool {
	s := strings.ToLower(CleanText(cell))
	if len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' {
		s = s[1 : len(s)-1]
	}
	return s == "" || slices.Contains(symbols, s)
}

// Table holds the rows of a sheet below its header. Its methods find a cell by the name of its
// column.
type Table struct {
	Columns map[string]int // position of each column in a row, by the column's name
	Rows    [][]string
	Faults  []sources.Fault // rows that do not fit the columns and are left out of Rows
	// position of each row in the file: "row 7" of a workbook, "line 7" of a CSV file
	places []string
	commas bool // whether a comma in a number may be a decimal comma
}

// TableUnderHeader returns the table below the row with the index header. columns maps column names
// to their indices.
//
// In a CSV file, a row with fewer or more cells than the header becomes a fault. Extra empty cells
// are permitted. Rows at the end may have only one cell, because they may be notes.
func TableUnderHeader(sheet Sheet, header int, columns map[string]int) Table {
	return tableUnder(sheet, header, len(trimEmpty(sheet.Rows[header])), columns)
}

// LeftTableUnderHeader returns the table below a header like TableUnderHeader. It is for a sheet
// with another table on the right: it ignores cells to the right of the last column in columns.
func LeftTableUnderHeader(sheet Sheet, header int, columns map[string]int) Table {
	width := 0
	for _, column := range columns {
		width = max(width, column+1)
	}
	return tableUnder(sheet, header, width, columns)
}

func tableUnder(sheet Sheet, header, width int, columns map[string]int) Table {
	t := Table{Columns: columns, Faults: slices.Clone(sheet.Faults), commas: sheet.Separator == ';'}
	last := len(sheet.Rows)
	for sheet.lines != nil && last > header+1 && len(trimEmpty(sheet.Rows[last-1])) <= 1 {
		last--
	}
	for i := header + 1; i < len(sheet.Rows); i++ {
		row, place := sheet.Rows[i], fmt.Sprintf("row %d", i+1)
		if sheet.lines != nil {
			place = fmt.Sprintf("line %d", sheet.lines[i])
		}
		ragged := sheet.lines != nil && i < last &&
			(len(row) < width || len(trimEmpty(row)) > max(width, len(sheet.Rows[header])))
		if ragged {
			t.Faults = append(t.Faults, sources.Fault{Where: place, Code: sources.FaultBrokenRow,
				Detail: fmt.Sprintf("%s: the row has %d cells and the header %d", place, len(row), width)})
			continue
		}
		t.Rows, t.places = append(t.Rows, row), append(t.places, place)
	}
	return t
}

// trimEmpty returns a row without the empty cells at its end.
func trimEmpty(row []string) []string {
	n := len(row)
	for n > 0 && CleanText(row[n-1]) == "" {
		n--
	}
	return row[:n]
}

// Cell returns the cleaned text of the cell in the named column of a row. It returns "" if the cell
// or the column does not exist.
func (t Table) Cell(row []string, column string) string {
	if at, ok := t.Columns[column]; ok {
		return CellText(row, at)
	}
	return ""
}

// Code returns the code in the named column of a row, without note marks. See ParseCode.
func (t Table) Code(row []string, column string) string { return ParseCode(t.Cell(row, column)) }

// Number returns the number in the named column of a row. The second result is false if there is
// none.
//
// In a CSV file with semicolons, numbers with a comma are invalid, because the comma could be a
// decimal comma.
func (t Table) Number(row []string, column string) (float64, bool) {
	cell := t.Cell(row, column)
	if t.commas && strings.Contains(cell, ",") {
		return 0, false
	}
	return ParseNumber(cell)
}

// FigureOrMissing returns the number in the named column of a row. isGiven is false if the cell is
// empty or has a symbol such as x. Any other cell is an error.
func (t Table) FigureOrMissing(row []string, column string) (n float64, isGiven bool, err error) {
	cell := t.Cell(row, column)
	if IsMissingFigure(cell) {
		return 0, false, nil
	}
	n, ok := t.Number(row, column)
	if !ok {
		return 0, false, fmt.Errorf("cell %d, %s: %.40q is no number", t.Columns[column]+1, column, cell)
	}
	return n, true, nil
}

// YearColumns returns the sorted names of the columns that are years, such as "2024".
func (t Table) YearColumns() []string {
	isNone := func(column string) bool { return !sources.IsYear(column) }
	return slices.DeleteFunc(slices.Sorted(maps.Keys(t.Columns)), isNone)
}

// RowPosition returns the position of a row in the file, such as "row 7" in a workbook or "line 7"
// in a CSV file.
func (t Table) RowPosition(row int) string { return t.places[row] }

// headerRows is the number of rows to search for the header. Titles and notes may come before it.
const headerRows = 60

// FindTableByHeader returns the table below the first row that contains all the column names. names
// must be in lower case. The order and case of the headings do not matter. A repeated column is an
// error.
func FindTableByHeader(sheet Sheet, names ...string) (Table, error) {
	at, columns, err := find(sheet, strings.ToLower, names)
	if err != nil {
		return Table{}, err
	}
	t := TableUnderHeader(sheet, at, columns)
	for i, cell := range sheet.Rows[at] {
		name := strings.ToLower(CleanText(cell))
		if slices.Contains(names, name) && t.Columns[name] != i {
			return t, sources.CodedErrorf(sources.FaultSchema, "the column %s is named twice", name)
		}
	}
	return t, nil
}

// FindTable returns the table below the first row that contains all requiredColumns. "a|b" means
// one of the columns a and b. name is a function that maps a heading to a column name, or to "" for
// a column that is not used. The error lists the missing columns.
func FindTable(sheet Sheet, name func(heading string) string, requiredColumns ...string) (Table, error) {
	at, columns, err := find(sheet, name, requiredColumns)
	if err != nil {
		return Table{}, err
	}
	return TableUnderHeader(sheet, at, columns), nil
}

func find(sheet Sheet, name func(heading string) string,
	needed []string) (header int, columns map[string]int, err error) {
	most, missing := -1, needed
	for i, row := range sheet.Rows[:min(len(sheet.Rows), headerRows)] {
		at := map[string]int{}
		for c := range row {
			column := name(CellText(row, c))
			if _, there := at[column]; !there && column != "" {
				at[column] = c
			}
		}
		lacks := slices.DeleteFunc(slices.Clone(needed), func(n string) bool {
			return slices.ContainsFunc(strings.Split(n, "|"), func(n string) bool { _, ok := at[n]; return ok })
		})
		if len(lacks) == 0 {
			return i, at, nil
		}
		if found := len(needed) - len(lacks); found > most {
			most, missing = found, lacks
		}
	}
	parted := ""
	if sheet.Separator != 0 {
		parted = fmt.Sprintf(
			" (the cells of the CSV file are taken to be parted by %q; its separator should be a comma, semicolon or tab)",
			sheet.Separator)
	}
	return 0, nil, sources.CodedErrorf(sources.FaultColumnMissing, "no row of the first %d names %s%s", headerRows,
		strings.Join(missing, ", "), parted)
}
