package blsprojections

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/sources"
	"labour/sources/sheets"
)

// projection is the projected employment in one occupation. base and horizon are the employment in
// the first and last year, and net is the difference, all in thousands of jobs. percent is the
// change in per cent.
type projection struct {
	code, name                  string
	baseYear, horizonYear       int
	base, horizon, net, percent float64
	openings                    float64 // job openings per year on average, in thousands
	signal                      string
}

var codePattern = regexp.MustCompile(`^[0-9]{2}-[0-9]{4}$`)

const (
	// allCode is the code of the row with the total of all occupations.
	allCode = "00-0000"
	// summarySuffix ends the codes of major groups. Their rows are totals of several occupations.
	summarySuffix = "-0000"
)

// parse reads a workbook or CSV file of projections, and returns a fault for each unusable row.
// sheet is the name of the workbook's sheet to read. An error has a sources.FaultCode and means that
// the whole file is unusable.
func parse(ctx context.Context, text []byte, sheet string) ([]projection, []sources.Fault, error) {
	list, err := sheets.ReadSheets(ctx, text, sheet)
	if err != nil {
		return nil, nil, err
	}
	l, err := layoutOf(list[0])
	if err != nil {
		return nil, nil, err
	}
	found, all, faults := l.read()
	if len(found) == 0 {
		return nil, nil, sources.CodedErrorf(sources.FaultSuddenlyEmpty, "there is no occupation under the header")
	}
	average := all.percent
	if all.base == 0 { // a file of the Bureau's data tool has no total row, and each line item once
		for _, p := range found {
			all.base += p.base
			all.horizon += p.horizon
		}
		average = math.Round(1000*(all.horizon-all.base)/all.base) / 10
	}
	for i := range found {
		found[i].signal = signalOf(found[i].percent, average)
	}
	return found, faults, nil
}

// signalOf returns an occupation's skills gap signal: "gap", "no_gap" or "none". percent is the
// occupation's projected growth and average is that of all occupations, both in per cent.
func signalOf(percent, average float64) string {
	switch {
	case percent > 0 && percent > average:
		return "gap"
	case percent < 0:
		return "no_gap"
	}
	return "none"
}

// read parses the rows of a projections table. projections are the rows for single occupations.
// total is the row for all occupations, or the zero value if the table has none. faults describes
// the unusable rows.
func (l layout) read() (projections []projection, total projection, faults []sources.Fault) {
	faults = l.Faults
	seen := map[string]bool{}
	_, kinds := l.Columns["kind"]
	for i, row := range l.Rows {
		code := l.Code(row, "code")
		if code == "" || l.Cell(row, l.base)+l.Cell(row, l.horizon)+l.Cell(row, "openings") == "" {
			continue // a note fills only its first cells
		}
		p, err := l.projection(row, code)
		switch {
		case err == nil && code == allCode:
			total = p
		case kinds && !strings.EqualFold(l.Cell(row, "kind"), "Line item"):
		case strings.HasSuffix(code, summarySuffix):
		case err != nil:
			faults = append(faults, sources.Fault{Where: l.RowPosition(i), Code: sources.FaultBadValue, Detail: err.Error()})
		case seen[code]:
			faults = append(faults, sources.Fault{Where: l.RowPosition(i), Code: sources.FaultSchema,
				Detail: code + " is there twice; the first is used"})
		default:
			seen[code] = true
			projections = append(projections, p)
		}
	}
	return projections, total, faults
}

func (l layout) projection(row []string, code string) (projection, error) {
	// Only the first job title is kept: "Actors    * Actress* Monologist" is Actors.
	name, _, _ := strings.Cut(l.Cell(row, "name"), "*")
	p := projection{code: code, name: strings.TrimSpace(name)}
	if !codePattern.MatchString(code) || p.name == "" {
		return p, fmt.Errorf("%q is no code of an occupation, or it has no name", code)
	}
	p.baseYear, _ = strconv.Atoi(l.base) // a year, from YearColumns
	p.horizonYear, _ = strconv.Atoi(l.horizon)
	for column, to := range map[string]*float64{l.base: &p.base, l.horizon: &p.horizon, "net": &p.net,
		"percent": &p.percent, "openings": &p.openings} {
		n, ok := l.Number(row, column)
		if !ok || math.Abs(n) > sources.MaxCount/1000 {
			return p, fmt.Errorf("%s: a figure is missing or is no number of thousands", code)
		}
		*to = n
	}
	hasNegative := p.base <= 0 || p.horizon < 0 || p.openings < 0
	if hasNegative || math.Abs(p.horizon-p.base-p.net) > 0.25 {
		return p, fmt.Errorf("%s: the change is not the difference of the years, or a figure is negative", code)
	}
	if !p.percentFollows() {
		return p, fmt.Errorf("%s: a change of %v per cent does not follow from %v and %v thousand jobs; "+
			"if the column has shares, such as 0.158 for 15.8 per cent, correct the file", code, p.percent, p.base,
			p.horizon)
	}
	return p, nil
}

// rounding is the largest difference between a published figure and the exact one. All figures have
// one decimal. It is a little more than 0.05, because decimals such as 0.05 are not exact here.
const rounding = 0.0501

// percentFollows reports whether the change in per cent is that of the employment in the two years.
// All three figures are rounded, so the smaller the employment, the more they may differ.
func (p projection) percentFollows() bool {
	if p.base <= rounding {
		return true // the employment was perhaps almost zero, so any change is possible
	}
	change := func(base, horizon float64) float64 { return 100 * (horizon - base) / base }
	lowest := change(p.base+rounding, p.horizon-rounding) - rounding
	highest := change(p.base-rounding, p.horizon+rounding) + rounding
	return lowest <= p.percent && p.percent <= highest
}

// evidence returns the projection as a sources.Evidence record. day is the day of release.
func (p projection) evidence(day sources.Date) sources.Evidence {
	w := message.NewPrinter(language.BritishEnglish)
	period := fmt.Sprintf("%d–%02d", p.baseYear, p.horizonYear%100)
	openings := int64(math.Round(p.openings * 1000 * float64(p.horizonYear-p.baseYear)))
	percent := p.percent + 0 // no negative zero
	return sources.Evidence{Source: Key, ID: "projections/" + p.code, Published: day, Kind: "projection",
		Signal: p.signal,
		Title:  "Employment projections " + period + ": " + p.name,
		Statement: w.Sprintf(
			"%s (US SOC 2018 %s): employment %.1f thousand in %s, projected %.1f thousand in %s (%+.1f per cent); "+
				"%.1f thousand openings a year on average.", p.name, p.code, p.base, strconv.Itoa(p.baseYear),
			p.horizon,
			strconv.Itoa(p.horizonYear), percent, p.openings),
		SOC: p.code, Class: "SOC2018-US", Occupation: p.name, Country: "US",
		Link:     "https://www.bls.gov/emp/tables/emp-by-detailed-occupation.htm",
		BaseYear: p.baseYear, HorizonYear: p.horizonYear, ChangePct: &percent, Openings: &openings}
}

// layout is a projections table with the names of its year columns. Its headings contain years, so
// they change with every edition.
type layout struct {
	sheets.Table
	// first and last year of the projection, such as "2024"; also names of columns
	base, horizon string
}

// headerRows is the number of rows to search for the first occupation, from the top of the sheet.
const headerRows = 40

var (
	spanPattern = regexp.MustCompile(`(?:19|20)[0-9]{2}\s*[-–—]\s*(?:[0-9]{4}|[0-9]{2})`)
	anyYear     = regexp.MustCompile(`\b(?:19|20)[0-9]{2}\b`)
	noteMark    = regexp.MustCompile(`\([0-9]\)`) // matches the mark of a footnote, such as (1)
)

// layoutOf finds the projections table in a sheet. The table begins at the first row with an
// occupation code, and its header is above that row.
func layoutOf(sheet sheets.Sheet) (l layout, err error) {
	rows := sheet.Rows
	code := 0
	isCode := func(cell string) bool { return codePattern.MatchString(sheets.CleanText(cell)) }
	first := slices.IndexFunc(rows[:min(len(rows), headerRows)], func(row []string) bool {
		code = 1 + slices.IndexFunc(row[min(len(row), 1):min(len(row), 4)], isCode)
		return code > 0
	})
	if first < 0 {
		return l, sources.CodedErrorf(sources.FaultSchema,
			"no row of the first %d has a code such as 13-2011 after the title of an occupation", headerRows)
	}
	columns := map[string]int{"name": code - 1, "code": code}
	for i, head := range headings(rows[:first]) {
		column := columnOf(head)
		if _, there := columns[column]; !there && i > code && column != "" {
			columns[column] = i
		}
	}
	table := sheets.TableUnderHeader(sheet, first-1, columns)
	years := table.YearColumns()
	for _, column := range []string{"net", "percent", "openings"} {
		if _, ok := columns[column]; !ok || len(years) != 2 {
			return l, sources.CodedErrorf(sources.FaultColumnMissing,
				"the header must name employment in two years (it has %d), "+
					"its change as number and per cent, and openings", len(years))
		}
	}
	return layout{table, years[0], years[1]}, nil
}

// columnOf returns this package's name for the column with the given heading, such as "openings".
// It returns "" for columns that are not used.
func columnOf(head string) string {
	has := func(s string) bool { return strings.Contains(head, s) }
	switch {
	case has("occupation type"):
		return "kind"
	case has("openings"):
		return "openings"
	case has("change") && has("percent"):
		return "percent"
	case has("change"):
		return "net"
	case has("employment") && !has("percent") && !has("distribution"):
		if years := anyYear.FindAllString(spanPattern.ReplaceAllString(head, ""), -1); len(years) == 1 {
			return years[0]
		}
	}
	return ""
}

// headings joins the rows of a table header into one heading per column, in lower case. The text of
// a merged cell applies to all columns below it.
func headings(rows [][]string) []string {
	var table [][]string
	width := 0
	for _, row := range rows {
		blank := func(cell string) bool { return sheets.CleanText(cell) == "" }
		if len(slices.DeleteFunc(slices.Clone(row), blank)) > 1 { // a title is the only cell of its row
			table = append(table, row)
			width = max(width, len(row))
		}
	}
	heads := make([]string, width)
	for r, row := range table {
		last := ""
		for i := range width {
			cell := sheets.CellText(row, i)
			begins := func(upper []string) bool { return sheets.CellText(upper, i) != "" }
			if cell != "" || slices.ContainsFunc(table[:r], begins) {
				last = cell
			}
			heads[i] = strings.TrimSpace(heads[i] + " " + strings.ToLower(noteMark.ReplaceAllString(last, "")))
		}
	}
	return heads
}
