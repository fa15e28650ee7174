package skillsprojections

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
	"labour/sources/soc2020"
)

// allOccupations is the label of a table's last row, the total of all occupations.
const allOccupations = "all occupations"

// firstHeading is the text in the first cell of a sheet's header.
const firstHeading = "Levels (000s)"

var (
	periodPattern = regexp.MustCompile(`^((?:19|20)[0-9]{2})\s*[-–]\s*((?:19|20)[0-9]{2})$`)
	demands       = []string{"net change", "replacement demand", "total requirement"}
)

// layout is the first table of a sheet. Its columns are the employment in several years, and the
// demand for people between two of these years.
type layout struct {
	sheets.Table
	// first and last year of the projection, such as "2020"; also names of columns
	base, horizon string
}

// projections reads the first of three tables in a sheet, and returns a fault for each unusable row.
// This table is about all people; the other two are about men and about women. The table must end
// with the row for all occupations, because other rows are compared with it.
func projections(sheet sheets.Sheet, _ Publication) ([]occupation, []sources.Fault, error) {
	l, err := layoutOf(sheet)
	if err != nil {
		return nil, nil, err
	}
	var found []occupation
	faults := l.Faults
	seen := map[string]bool{}
	for i, row := range l.Rows {
		label, where := sheets.CellText(row, 0), l.RowPosition(i)
		if label == "" {
			continue
		}
		o, err := l.read(row, label)
		all := strings.EqualFold(label, allOccupations)
		switch {
		case err != nil && all:
			return nil, nil, sources.CodedErrorf(sources.FaultBadValue, "%s: %w", where, err)
		case err != nil:
			faults = append(faults, sources.Fault{Where: where, Code: sources.FaultBadValue, Detail: err.Error()})
		case all:
			for j := range found {
				found[j].signal = signalOf(*found[j].figures, *o.figures)
			}
			o.signal = signalNone
			return append(found, o), faults, nil
		case seen[o.soc]:
			faults = append(faults, sources.Fault{Where: where, Code: sources.FaultSchema,
				Detail: "SOC " + o.soc + " is there twice; the first is used"})
		default:
			seen[o.soc] = true
			found = append(found, o)
		}
	}
	return nil, nil, sources.CodedErrorf(sources.FaultIncomplete, "the table ends before its row %q", "All occupations")
}

func (l layout) read(row []string, label string) (occupation, error) {
	o := occupation{name: label}
	if !strings.EqualFold(label, allOccupations) {
		var ok bool
		if o.soc, o.name, ok = splitCode(label); !ok || !soc2020.IsGroup(o.soc) {
			return o, fmt.Errorf("%q is no occupation of SOC 2020", label)
		}
	}
	var n []float64
	for _, column := range append([]string{l.base, l.horizon}, demands...) {
		v, ok := l.Number(row, column)
		tooLow := column == l.base && v <= 0 || column == l.horizon && v < 0
		if !ok || tooLow || math.Abs(v) > sources.MaxCount/1000 {
			return o, fmt.Errorf("%s: column %d holds no number of thousands of people", label, l.Columns[column]+1)
		}
		n = append(n, v)
	}
	f := figures{year(l.base), year(l.horizon), n[0], n[1], n[2], n[3], n[4]}
	if differ(f.net, f.horizon-f.base) || differ(f.total, f.net+f.replacement) {
		return o, fmt.Errorf(
			"%s: the net change is not the difference of the years, or the total is not net change and replacement",
			label)
	}
	o.figures = &f
	return o, nil
}

// differ reports whether two figures, in thousands of people, differ by more than rounding to whole
// thousands explains. The limit is 1.5.
func differ(a, b float64) bool { return math.Abs(a-b) > 1.5 }

// layoutOf finds the header of a sheet's first table and returns the table with its columns.
func layoutOf(sheet sheets.Sheet) (l layout, err error) {
	rows := sheet.Rows
	begins := func(cell string) bool { return strings.EqualFold(sheets.CleanText(cell), firstHeading) }
	at := slices.IndexFunc(rows, func(row []string) bool { return len(row) > 0 && begins(row[0]) })
	if at < 0 {
		return l, sources.CodedErrorf(sources.FaultSchema,
			"no row begins with %q: take a sheet of occupations, as Occ T1 or Occ T2", firstHeading)
	}
	above, header := rows[max(0, at-4):at], rows[at][1:]
	if second := slices.IndexFunc(header, begins); second >= 0 {
		header = header[:second]
	}
	columns := map[string]int{}
	for c := 1; c <= len(header); c++ {
		cell, over := sheets.CellText(rows[at], c), ""
		if at > 0 {
			over = sheets.CellText(rows[at-1], c)
		}
		switch head := strings.ToLower(strings.TrimSpace(over + " " + cell)); {
		case sources.IsYear(cell):
			columns[cell] = c
		case slices.Contains(demands, head):
			columns[head] = c
		case cell != "":
			return l, sources.CodedErrorf(sources.FaultColumnUnknown,
				"column %d is %q, which is neither a year nor a demand", c+1, head)
		}
		for _, row := range above {
			if m := periodPattern.FindStringSubmatch(sheets.CellText(row, c)); m != nil {
				l.base, l.horizon = m[1], m[2]
			}
		}
	}
	l.Table = sheets.LeftTableUnderHeader(sheet, at, columns)
	for _, column := range append([]string{l.base, l.horizon}, demands...) {
		if _, ok := columns[column]; !ok || l.base >= l.horizon {
			return l, sources.CodedErrorf(sources.FaultColumnMissing,
				"net change, replacement demand and total requirement must follow "+
					"the years, with a period such as 2020-2035 over them whose years have a column")
		}
	}
	return l, nil
}

// year converts a year in digits to a number.
func year(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
