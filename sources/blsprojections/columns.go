package blsprojections

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
)

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
