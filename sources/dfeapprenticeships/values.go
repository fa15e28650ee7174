package dfeapprenticeships

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/sheets"
)

// figure parses a cell with a count of people, and returns the figure or a symbol:
//
//   - 0 and whole numbers from 5 to sources.MaxCount are returned as they are
//   - a number from 1 to 4 gives SymbolUnderFive
//   - the symbols c, x, z, u, : and an empty cell give SymbolNotPublished
//   - the symbols low, k and ~ have the meaning lowMeans
//
// Any other cell is an error. A symbol may be in brackets, such as [c].
func figure(cell, lowMeans string) (int64, sources.FigureSymbol, error) {
	s := sheets.CleanText(cell)
	if len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' {
		s = s[1 : len(s)-1]
	}
	switch strings.ToLower(s) {
	case "", "c", "x", "z", "u", ":":
		return 0, sources.SymbolNotPublished, nil
	case "low", "k", "~":
		if lowMeans == LowMeansUnderFive {
			return 0, sources.SymbolUnderFive, nil
		}
		return 0, sources.SymbolNotPublished, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil { // as a spreadsheet writes it, or with a note mark
		number, ok := sheets.ParseNumber(s)
		n = int64(min(number, sources.MaxCount+1))
		isWhole := ok && number == math.Trunc(number)
		if isWhole && !strings.ContainsAny(s, "eE.") {
			err = nil
		}
	}
	hasSign := s[0] == '+' || s[0] == '-'
	if err != nil || n < 0 || hasSign {
		return 0, "", fmt.Errorf("%.40q is neither a count from 0 nor a known symbol", cell)
	}
	if n > sources.MaxCount {
		return 0, "", fmt.Errorf("%.40q is more than %d, the most that a count can be", cell, sources.MaxCount)
	}
	if n >= 1 && n <= 4 {
		return 0, sources.SymbolUnderFive, nil
	}
	return n, sources.SymbolNone, nil
}

// span is the period that a figure covers. covers describes it, for example "academic year to
// April". Figures with different descriptions are never compared.
type span struct {
	start, end sources.Date
	covers     string
}

var yearsPattern = regexp.MustCompile(`^((?:19|20|21)\d\d)(?:/?(\d\d))?$`)

// period returns the first and last day of an academic, financial or calendar year. p is the year as
// sheets.CleanText returns it, such as "202425" or "2024". identifier is the cell with the type of
// year. covers gives the months for an academic year.
//
// A full academic year ends on 31 July, and one to April ends on 30 April. Terms and quarters are
// errors.
func period(p, identifier, covers string) (span, error) {
	kind := strings.ToLower(sheets.CleanText(identifier))
	year, known := columns.Periods[kind]
	if kind == "academic year" {
		year, known = columns.Periods[kind+" "+covers]
	}
	if !known {
		return span{}, fmt.Errorf("time_identifier %.40q is not an academic, financial or calendar year", identifier)
	}
	m := yearsPattern.FindStringSubmatch(p)
	if m == nil || (m[2] == "") != (kind == "calendar year") {
		return span{}, fmt.Errorf("time_period %.20q is no %s: a calendar year is 2024, the others are 202425", p, kind)
	}
	y, _ := strconv.Atoi(m[1]) // four digits
	if m[2] != "" && m[2] != fmt.Sprintf("%02d", (y+1)%100) {
		return span{}, fmt.Errorf("time_period %.20q: the second year does not follow the first", p)
	}
	end := y
	if year.To < year.From {
		end++
	}
	// The last day of a month is day 0 of the next.
	last := time.Date(end, year.To+1, 0, 0, 0, 0, 0, time.UTC)
	return span{sources.Date{Year: y, Month: year.From, Day: 1}, sources.DateOf(last), year.Words}, nil
}

// subjectArea returns the current name of a subject area that was renamed, and "Total" for "All". It
// returns other names unchanged.
func subjectArea(cell string) string {
	s := sheets.CleanText(cell)
	if now, ok := columns.SubjectNames[strings.ToLower(s)]; ok {
		return now
	}
	return s
}
