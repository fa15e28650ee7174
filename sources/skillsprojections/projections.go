package skillsprojections

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
)

// allOccupations is the last row of a table, against which the others are judged.
const allOccupations = "all occupations"

var (
	yearPattern   = regexp.MustCompile(`^(?:19|20)[0-9]{2}$`)
	periodPattern = regexp.MustCompile(`^((?:19|20)[0-9]{2})\s*[-–]\s*((?:19|20)[0-9]{2})$`)
)

// layout says where in a sheet of projections everything stands.
type layout struct {
	header                  int // row of the header
	base, horizon           int // columns of employment
	baseYear, horizonYear   int
	net, replacement, total int // columns
}

// projections reads the first block of a sheet: three blocks, of all people, men
// and women, stand side by side, and shares and growth stand below. The table ends
// with all occupations; without it there is nothing to judge an occupation against.
func projections(rows [][]string) ([]occupation, []sources.Fault, error) {
	l, err := layoutOf(rows)
	if err != nil {
		return nil, nil, err
	}
	var found []occupation
	var faults []sources.Fault
	seen := map[string]bool{}
	for i := l.header + 1; i < len(rows); i++ {
		label := sheets.Cell(rows[i], 0)
		if label == "" {
			continue
		}
		o, fault := l.read(rows[i], label)
		where := fmt.Sprintf("row %d", i+1)
		all := strings.EqualFold(label, allOccupations)
		switch {
		case fault != nil && all:
			return nil, nil, schema(fault.Code, "%s: %s", where, fault.Detail)
		case fault != nil:
			fault.Where = where
			faults = append(faults, *fault)
		case all:
			for j := range found {
				found[j].signal = signalOf(*found[j].figures, *o.figures)
			}
			o.signal = signalNone
			return append(found, o), faults, nil
		case seen[o.soc]:
			faults = append(faults, sources.Fault{Where: where, Code: sources.FaultSchema, Detail: fmt.Sprintf("SOC %s is there twice; the first is used", o.soc)})
		default:
			seen[o.soc] = true
			found = append(found, o)
		}
	}
	return nil, nil, schema(sources.FaultIncomplete, "the table ends before its row %q", "All occupations")
}

func (l layout) read(row []string, label string) (occupation, *sources.Fault) {
	soc, name := "", label
	if !strings.EqualFold(label, allOccupations) {
		var ok bool
		if soc, name, ok = coded(label); !ok {
			return occupation{}, &sources.Fault{Code: sources.FaultValue, Detail: fmt.Sprintf("%q is no occupation of SOC 2020", label)}
		}
	}
	var n [5]float64
	for i, column := range []int{l.base, l.horizon, l.net, l.replacement, l.total} {
		v, ok := sheets.Number(sheets.Cell(row, column))
		if !ok || math.Abs(v) > 1e6 || column == l.base && v <= 0 || column == l.horizon && v < 0 {
			return occupation{}, &sources.Fault{Code: sources.FaultValue,
				Detail: fmt.Sprintf("%s: column %d holds no number of thousands of people", label, column+1)}
		}
		n[i] = v
	}
	f := figures{l.baseYear, l.horizonYear, n[0], n[1], n[2], n[3], n[4]}
	if differ(f.net, f.horizon-f.base) || differ(f.total, f.net+f.replacement) {
		return occupation{}, &sources.Fault{Code: sources.FaultValue,
			Detail: label + ": the net change is not the difference of the years, or the total is not net change and replacement"}
	}
	return occupation{soc: soc, name: name, figures: &f}, nil
}

// differ allows for rounding to whole thousands of each of the figures.
func differ(a, b float64) bool { return math.Abs(a-b) > 1.5 }

// layoutOf finds the header: "Levels (000s)", the years, and after a gap "Change",
// "Demand" and "Requirement", with "Net", "Replacement" and "Total" in the row above
// and the period somewhere above them.
func layoutOf(rows [][]string) (layout, error) {
	at := -1
	for i, row := range rows {
		if strings.EqualFold(sheets.Cell(row, 0), "Levels (000s)") {
			at = i
			break
		}
	}
	if at < 0 {
		return layout{}, schema(sources.FaultSchema, "no row begins with %q: take a sheet of occupations, as Occ T1 or Occ T2", "Levels (000s)")
	}
	l := layout{header: at, net: -1, replacement: -1, total: -1}
	years := map[int]int{}
	width := blockWidth(rows[at])
	for c := 1; c < width; c++ {
		cell := sheets.Cell(rows[at], c)
		above := ""
		if at > 0 {
			above = sheets.Cell(rows[at-1], c)
		}
		switch head := strings.ToLower(strings.TrimSpace(above + " " + cell)); {
		case yearPattern.MatchString(cell):
			years[number(cell)] = c
		case head == "net change":
			l.net = c
		case head == "replacement demand":
			l.replacement = c
		case head == "total requirement":
			l.total = c
		case cell != "":
			return layout{}, schema(sources.FaultColumnUnknown, "column %d is %q, which is neither a year nor a demand", c+1, head)
		}
	}
	if l.net < 0 || l.replacement < 0 || l.total < 0 {
		return layout{}, schema(sources.FaultColumnMissing, "net change, replacement demand and total requirement must stand after the years")
	}
	return l.withPeriod(rows, years, width)
}

// withPeriod finds the period of the demands and the columns of its two years.
func (l layout) withPeriod(rows [][]string, years map[int]int, width int) (layout, error) {
	for i := max(0, l.header-4); i < l.header; i++ {
		for c := 1; c < width; c++ {
			if m := periodPattern.FindStringSubmatch(sheets.Cell(rows[i], c)); m != nil {
				l.baseYear, l.horizonYear = number(m[1]), number(m[2])
			}
		}
	}
	var okBase, okHorizon bool
	l.base, okBase = years[l.baseYear]
	l.horizon, okHorizon = years[l.horizonYear]
	if !okBase || !okHorizon || l.baseYear >= l.horizonYear {
		return layout{}, schema(sources.FaultColumnMissing, "no period such as 2020-2035 stands over the demands, or its years have no column")
	}
	return l, nil
}

// blockWidth is where the second block begins, or the width of the row.
func blockWidth(header []string) int {
	for c := 1; c < len(header); c++ {
		if strings.EqualFold(sheets.Cell(header, c), "Levels (000s)") {
			return c
		}
	}
	return len(header)
}

// number is a year that a pattern has admitted.
func number(year string) int {
	n, _ := strconv.Atoi(year)
	return n
}
