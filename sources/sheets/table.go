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
	"labour/sources/plaintext"
)

// Cell returns a cell of a row, cleaned by Text; "" beyond its end.
func Cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return Text(row[column])
}

// Text returns the intended text of a cell. It removes the formula ="13-2011" and the apostrophe of
// '5434, which keep a spreadsheet from treating a code as a date or a number. White space is
// collapsed and invisible marks are removed.
func Text(cell string) string {
	s := plaintext.Plain(cell)
	if inner, ok := strings.CutPrefix(s, `="`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			return strings.TrimSpace(inner)
		}
	}
	if inner, ok := strings.CutPrefix(s, "'"); ok && inner != "" && inner[0] >= '0' && inner[0] <= '9' {
		return inner
	}
	return s
}

// note matches a note mark after a number or code: [p], [1], [note 1], ¹, *, †. A letter in
// brackets marks the quality of the figure (provisional, revised, estimated, a break in the
// series).
var note = regexp.MustCompile(`\s*(?:\[(?:p|r|e|b|f|[0-9]{1,2}|note [0-9]{1,2})\]|[*†‡§¹²³⁰⁴-⁹]+)$`)

// Code returns the code in a cell: Text without a note mark after it, and without the decimals that
// a spreadsheet adds to a code that it treats as a number.
func Code(cell string) string {
	s := unmarked(Text(cell))
	if whole, ok := strings.CutSuffix(s, ".0"); ok && whole != "" && strings.Trim(whole, "0123456789") == "" {
		return whole
	}
	return s
}

func unmarked(s string) string {
	for s != "" {
		if last := s[len(s)-1]; last >= '0' && last <= '9' || last >= 'A' && last <= 'z' && last != ']' {
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

// figure matches a printed number: with commas, spaces or apostrophes between thousands, or
// without.
var figure = regexp.MustCompile(
	`^[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?: [0-9]{3})+|[0-9]{1,3}(?:['’][0-9]{3})+|[0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$`)

// Number returns the number in a cell: digits with an optional sign, decimals, and commas or spaces
// between thousands; a note mark may follow. A dash, a symbol, N/A, an infinity and a hexadecimal
// number are not numbers, and neither is 12,5.
func Number(cell string) (float64, bool) {
	s := strings.NewReplacer("\u2212", "-").Replace(unmarked(Text(cell)))
	if !figure.MatchString(s) {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "", "'", "", "’", "").Replace(s), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0, false
	}
	return n, true
}

// symbols are the marks for a missing figure.
var symbols = strings.Fields("- – — − . .. … ... : * ~ # c f k low n n/a na nil none not-available s u w x z")

// Absent reports whether a cell marks that there is no figure: it is empty, or has a symbol such as
// -, N/A, x or [c].
func Absent(cell string) bool {
	s := strings.ToLower(Text(cell))
	if len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' {
		s = s[1 : len(s)-1]
	}
	return s == "" || slices.Contains(symbols, s)
}

// Table holds the rows under a header.
type Table struct {
	Columns map[string]int // position of each column, by name
	Rows    [][]string
	Faults  []sources.Fault // rows of the file that do not fit these columns and are not in Rows
	places  []string        // position of each row: "row 7" of a workbook, "line 7" of CSV
	commas  bool            // a comma in a number may be a decimal comma
}

// TableUnder returns the table under a row of a sheet, counted from 0. A row of CSV must have as
// many cells as the header; further cells must be empty. Notes under the last row fill only the
// first cell.
func TableUnder(sheet Sheet, header int, columns map[string]int) Table {
	return under(sheet, header, len(filled(sheet.Rows[header])), columns)
}

// BlockUnder does what TableUnder does for the first of several tables next to each other: a row
// ends at the last of these columns, and later cells belong to another table.
func BlockUnder(sheet Sheet, header int, columns map[string]int) Table {
	width := 0
	for _, column := range columns {
		width = max(width, column+1)
	}
	return under(sheet, header, width, columns)
}

func under(sheet Sheet, header, width int, columns map[string]int) Table {
	t := Table{Columns: columns, Faults: slices.Clone(sheet.Faults), commas: sheet.Separator == ';'}
	last := len(sheet.Rows)
	for sheet.lines != nil && last > header+1 && len(filled(sheet.Rows[last-1])) <= 1 {
		last--
	}
	for i := header + 1; i < len(sheet.Rows); i++ {
		row, place := sheet.Rows[i], fmt.Sprintf("row %d", i+1)
		if sheet.lines != nil {
			place = fmt.Sprintf("line %d", sheet.lines[i])
		}
		ragged := sheet.lines != nil && i < last &&
			(len(row) < width || len(filled(row)) > max(width, len(sheet.Rows[header])))
		if ragged {
			t.Faults = append(t.Faults, sources.Fault{Where: place, Code: sources.FaultRow,
				Detail: fmt.Sprintf("%s: the row has %d cells and the header %d", place, len(row), width)})
			continue
		}
		t.Rows, t.places = append(t.Rows, row), append(t.places, place)
	}
	return t
}

// filled returns a row without the empty cells at its end.
func filled(row []string) []string {
	n := len(row)
	for n > 0 && Text(row[n-1]) == "" {
		n--
	}
	return row[:n]
}

// Cell returns the cell of a row in a column, cleaned by Text; "" if there is none.
func (t Table) Cell(row []string, column string) string {
	if at, ok := t.Columns[column]; ok {
		return Cell(row, at)
	}
	return ""
}

// Code returns the code in a cell, as Code reads it.
func (t Table) Code(row []string, column string) string { return Code(t.Cell(row, column)) }

// Number returns the number in a cell, see the function Number. If semicolons separate the cells, a
// comma may be a decimal comma, so a number with a comma is invalid.
func (t Table) Number(row []string, column string) (float64, bool) {
	cell := t.Cell(row, column)
	if t.commas && strings.Contains(cell, ",") {
		return 0, false
	}
	return Number(cell)
}

// Figure returns the number in a cell. given is false if the cell marks a missing figure, see
// Absent. It is an error if the cell is neither.
func (t Table) Figure(row []string, column string) (n float64, given bool, err error) {
	cell := t.Cell(row, column)
	if Absent(cell) {
		return 0, false, nil
	}
	n, ok := t.Number(row, column)
	if !ok {
		return 0, false, fmt.Errorf("cell %d, %s: %.40q is no number", t.Columns[column]+1, column, cell)
	}
	return n, true, nil
}

var yearPattern = regexp.MustCompile(`^(?:19|20)[0-9]{2}$`)

// Years returns the columns whose names are years, in order.
func (t Table) Years() []string {
	isNone := func(column string) bool { return !yearPattern.MatchString(column) }
	return slices.DeleteFunc(slices.Sorted(maps.Keys(t.Columns)), isNone)
}

// Where returns the position of a row of the table: "row 7" of a sheet, "line 7" of a CSV file.
func (t Table) Where(row int) string { return t.places[row] }

// headerRows is the number of rows that are searched for a header: titles and notes are above it.
const headerRows = 60

// Header finds the row that contains all these column names, in any order and case. A column that
// is missing or occurs twice is an error, which names it.
func Header(sheet Sheet, names ...string) (Table, error) {
	at, columns, err := find(sheet, strings.ToLower, names)
	if err != nil {
		return Table{}, err
	}
	t := TableUnder(sheet, at, columns)
	for i, cell := range sheet.Rows[at] {
		name := strings.ToLower(Text(cell))
		if slices.Contains(names, name) && t.Columns[name] != i {
			return t, sources.Codedf(sources.FaultSchema, "the column %s is named twice", name)
		}
	}
	return t, nil
}

// Find finds the row that contains all the needed columns; "a|b" needs one of two. name returns the
// column for a heading, or "" for none; if several headings have the same column, the first counts.
// The error names the missing columns.
func Find(sheet Sheet, name func(heading string) string, needed ...string) (Table, error) {
	at, columns, err := find(sheet, name, needed)
	if err != nil {
		return Table{}, err
	}
	return TableUnder(sheet, at, columns), nil
}

func find(sheet Sheet, name func(heading string) string,
	needed []string) (header int, columns map[string]int, err error) {
	most, missing := -1, needed
	for i, row := range sheet.Rows[:min(len(sheet.Rows), headerRows)] {
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
			return i, at, nil
		}
		if found := len(needed) - len(lacks); found > most {
			most, missing = found, lacks
		}
	}
	parted := ""
	if sheet.Separator != 0 {
		parted = fmt.Sprintf(
			" (the cells of the CSV file are taken to be parted by %q; its separator should be a comma, semicolon or tab)", sheet.Separator)
	}
	return 0, nil, sources.Codedf(sources.FaultColumnMissing, "no row of the first %d names %s%s", headerRows,
		strings.Join(missing, ", "), parted)
}
