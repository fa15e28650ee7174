package blsprojections

import (
	"context"
	"fmt"
	"maps"
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

// projection is the projection of one occupation, in thousands.
type projection struct {
	code, name                  string
	baseYear, horizonYear       int
	base, horizon, net, percent float64
	openings                    float64 // a year, on average
	signal                      string
}

var (
	codePattern = regexp.MustCompile(`^[0-9]{2}-[0-9]{4}$`)
	yearPattern = regexp.MustCompile(`^(?:19|20)[0-9]{2}$`)
)

// allCode is the row of all occupations, and summarySuffix ends the codes of major
// groups, where the file does not say which rows are sums.
const (
	allCode       = "00-0000"
	summarySuffix = "-0000"
)

// parse reads a workbook or CSV. The error says that nothing of it can be used, and
// has a sources.FaultCode.
func parse(ctx context.Context, text []byte, sheet string) ([]projection, []sources.Fault, error) {
	list, err := sheets.Read(ctx, text, sheet)
	if err != nil {
		return nil, nil, err
	}
	rows := list[0].Rows
	c, err := columnsOf(rows)
	if err != nil {
		return nil, nil, err
	}
	found, all, faults := c.read(rows)
	if len(found) == 0 {
		return nil, nil, sources.Coded(sources.FaultEmpty, fmt.Errorf("there is no occupation under the header"))
	}
	average := all.percent
	if all.base == 0 { // the data tool gives no row of all occupations, and each line item once
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

// signalOf applies the rule of the package comment to percentages with one decimal, as published.
func signalOf(percent, average float64) string {
	switch {
	case percent > 0 && percent > average:
		return "gap"
	case percent < 0:
		return "no_gap"
	}
	return signalNone
}

// read reads the rows under the header, and that of all occupations, which is zero
// when there is none.
func (c columns) read(rows [][]string) (found []projection, all projection, faults []sources.Fault) {
	seen := map[string]bool{}
	for i := c.first; i < len(rows); i++ {
		code := sheets.Cell(rows[i], c.code)
		if code == "" || c.isNote(rows[i]) {
			continue
		}
		where := fmt.Sprintf("row %d", i+1)
		p, err := c.projection(rows[i], code)
		switch {
		case err == nil && code == allCode:
			all = p
		case c.kind >= 0 && !strings.EqualFold(sheets.Cell(rows[i], c.kind), "Line item"):
		case strings.HasSuffix(code, summarySuffix):
		case err != nil:
			faults = append(faults, sources.Fault{Where: where, Code: sources.FaultValue, Detail: err.Error()})
		case seen[code]:
			faults = append(faults, sources.Fault{Where: where, Code: sources.FaultSchema, Detail: fmt.Sprintf("%s is there twice; the first is used", code)})
		default:
			seen[code] = true
			found = append(found, p)
		}
	}
	return found, all, faults
}

// isNote says that a row holds a note: nothing but its first cells.
func (c columns) isNote(row []string) bool {
	return sheets.Cell(row, c.base)+sheets.Cell(row, c.horizon)+sheets.Cell(row, c.openings) == ""
}

func (c columns) projection(row []string, code string) (projection, error) {
	p := projection{code: code, name: nameOf(sheets.Cell(row, c.name)), baseYear: c.baseYear, horizonYear: c.horizonYear}
	if !codePattern.MatchString(code) || p.name == "" {
		return p, fmt.Errorf("%q is no code of an occupation, or it has no name", code)
	}
	for column, to := range map[int]*float64{c.base: &p.base, c.horizon: &p.horizon, c.net: &p.net, c.percent: &p.percent, c.openings: &p.openings} {
		n, ok := sheets.Number(sheets.Cell(row, column))
		if !ok || math.Abs(n) > 1e6 {
			return p, fmt.Errorf("%s: a figure is missing or is no number of thousands", code)
		}
		*to = n
	}
	if p.base <= 0 || p.horizon < 0 || p.openings < 0 || math.Abs(p.horizon-p.base-p.net) > 0.25 {
		return p, fmt.Errorf("%s: the change is not the difference of the years, or a figure is negative", code)
	}
	return p, nil
}

// nameOf takes the other titles off: "Actors    * Actress* Monologist" is Actors.
func nameOf(title string) string {
	name, _, _ := strings.Cut(title, "*")
	return strings.TrimSpace(name)
}

// evidence makes the record of an occupation.
func (p projection) evidence(day sources.Date) sources.Evidence {
	w := message.NewPrinter(language.BritishEnglish)
	period := fmt.Sprintf("%d–%02d", p.baseYear, p.horizonYear%100)
	openings := int64(math.Round(p.openings * 1000 * float64(p.horizonYear-p.baseYear)))
	percent := p.percent + 0 // no negative zero
	return sources.Evidence{Source: Key, ID: "projections/" + p.code, Published: day, Kind: "projection", Signal: p.signal,
		Title: "Employment projections " + period + ": " + p.name,
		Statement: w.Sprintf("%s (US SOC 2018 %s): employment %.1f thousand in %s, projected %.1f thousand in %s (%+.1f per cent); "+
			"%.1f thousand openings a year on average.", p.name, p.code, p.base, strconv.Itoa(p.baseYear), p.horizon,
			strconv.Itoa(p.horizonYear), percent, p.openings),
		SOC: p.code, Class: class, Occupation: p.name, Country: country, Link: "https://www.bls.gov/emp/tables/emp-by-detailed-occupation.htm",
		BaseYear: p.baseYear, HorizonYear: p.horizonYear, ChangePct: &percent, Openings: &openings}
}

// columns says where in a table of projections everything stands. Their headers carry the years and
// change with every edition. kind is -1 where rows do not say whether they are sums.
type columns struct {
	first                                 int // first row of occupations
	name, code, kind                      int
	base, horizon, net, percent, openings int
	baseYear, horizonYear                 int
}

// headerRows is how far down the first occupation is looked for.
const headerRows = 40

var (
	spanPattern = regexp.MustCompile(`(?:19|20)[0-9]{2}\s*[-–—]\s*(?:[0-9]{4}|[0-9]{2})`)
	anyYear     = regexp.MustCompile(`\b(?:19|20)[0-9]{2}\b`)
	noteMark    = regexp.MustCompile(`\([0-9]\)`) // marks of notes
)

// columnsOf finds the first row with a code and reads the header over it.
func columnsOf(rows [][]string) (columns, error) {
	c := columns{kind: -1, base: -1, horizon: -1, net: -1, percent: -1, openings: -1}
	for c.first < len(rows) && c.first < headerRows && c.code == 0 {
		for i := 1; i < min(len(rows[c.first]), 4); i++ {
			if codePattern.MatchString(sheets.Cell(rows[c.first], i)) {
				c.name, c.code = i-1, i
			}
		}
		c.first++
	}
	if c.code == 0 {
		return c, sources.Coded(sources.FaultSchema, fmt.Errorf("no row of the first %d has a code such as 13-2011 after the title of an occupation", headerRows))
	}
	c.first--
	heads := headings(rows[:c.first])
	years := map[int]int{}
	for i := c.code + 1; i < len(heads); i++ {
		c.place(i, heads[i], years)
	}
	if len(years) != 2 || c.net < 0 || c.percent < 0 || c.openings < 0 {
		return c, sources.Coded(sources.FaultColumnMissing, fmt.Errorf("the header must name employment in two years (it has %d), "+
			"its change as number and per cent, and openings", len(years)))
	}
	both := slices.Sorted(maps.Keys(years))
	c.baseYear, c.horizonYear = both[0], both[1]
	c.base, c.horizon = years[both[0]], years[both[1]]
	return c, nil
}

// place says what one column is by its heading. The first that fits is taken.
func (c *columns) place(i int, head string, years map[int]int) {
	put := func(at *int) {
		if *at < 0 {
			*at = i
		}
	}
	has := func(s string) bool { return strings.Contains(head, s) }
	rest := spanPattern.ReplaceAllString(head, "")
	switch {
	case has("occupation type"):
		put(&c.kind)
	case has("openings"):
		put(&c.openings)
	case has("change") && has("percent"):
		put(&c.percent)
	case has("change"):
		put(&c.net)
	case has("employment") && !has("percent") && !has("distribution"):
		if found := anyYear.FindAllString(rest, -1); len(found) == 1 {
			year, _ := strconv.Atoi(found[0])
			if _, twice := years[year]; !twice {
				years[year] = i
			}
		}
	}
}

// headings joins the rows of a header column by column, in lower case. A cell that
// is merged over several columns has its text in the first of them only; it holds
// for those to its right that stand under the same cells.
func headings(rows [][]string) []string {
	var table [][]string
	width := 0
	for _, row := range rows {
		if filled(row) > 1 { // a title stands alone in its row
			table = append(table, row)
			width = max(width, len(row))
		}
	}
	heads := make([]string, width)
	for r, row := range table {
		last := ""
		for i := range width {
			cell := sheets.Cell(row, i)
			if cell != "" || beginsAbove(table[:r], i) {
				last = cell
			}
			heads[i] = strings.TrimSpace(heads[i] + " " + strings.ToLower(noteMark.ReplaceAllString(last, "")))
		}
	}
	return heads
}

// beginsAbove says that a cell of an upper row begins at this column.
func beginsAbove(rows [][]string, column int) bool {
	return slices.ContainsFunc(rows, func(row []string) bool { return sheets.Cell(row, column) != "" })
}

func filled(row []string) int {
	n := 0
	for i := range row {
		if sheets.Cell(row, i) != "" {
			n++
		}
	}
	return n
}
