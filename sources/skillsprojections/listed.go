package skillsprojections

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
)

// headerRows is how far down a header is looked for: titles and notes stand above.
const headerRows = 60

// columns says where in a list of occupations everything stands; -1 = absent.
type columns struct {
	code, name, sector, category, level, period int
	baseYear, horizonYear, base, horizon        int
}

var (
	wordPattern   = regexp.MustCompile(`[a-z0-9]+`)
	inYearPattern = regexp.MustCompile(`\b(20[0-9]{2})\b`)
)

// words is a header in lower case with single spaces: "SOC2020_code" is "soc2020 code".
func words(header string) string {
	return strings.Join(wordPattern.FindAllString(strings.ToLower(header), -1), " ")
}

// columnsOf reads a header; ok is false when the row is none: it names a code and a
// name of occupations, and for occupations in demand a category.
func columnsOf(row []string, p Publication) (c columns, ok bool) {
	c = columns{-1, -1, -1, -1, -1, -1, 0, 0, -1, -1}
	put := func(at *int, i int) {
		if *at < 0 {
			*at = i
		}
	}
	years := map[int]int{}
	for i := range row {
		head := words(sheets.Cell(row, i))
		has := func(parts ...string) bool {
			return slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(head, s) })
		}
		year := inYearPattern.FindString(strings.ReplaceAll(head, "soc 2020", "soc"))
		switch {
		case p.Column != "" && head == words(p.Column):
			c.category = i
		case head == "geographic level":
			c.level = i
		case head == "time period":
			c.period = i
		case has("soc", "occupation") && has("title", "name", "description", "label"), head == "occupation", head == "priority occupation":
			put(&c.name, i)
		case has("soc", "occupation") && has("code"), head == "soc", head == "soc2020", head == "soc 2020":
			put(&c.code, i)
		case has("sector"):
			put(&c.sector, i)
		case year != "" && has("employment", "demand") && !has("change", "growth", "percent", "share"):
			years[number(year)] = i
		case p.Column == "" && has("demand") && has("category", "status", "group", "level", "rating"), head == "demand":
			put(&c.category, i)
		}
	}
	c.setYears(years)
	return c, c.code >= 0 && c.name >= 0 && (p.Kind != KindInDemand || c.category >= 0)
}

// setYears takes the columns of exactly two years; of more it is not known which
// two make the projection.
func (c *columns) setYears(years map[int]int) {
	if len(years) != 2 {
		return
	}
	both := slices.Sorted(maps.Keys(years))
	c.baseYear, c.horizonYear = both[0], both[1]
	c.base, c.horizon = years[both[0]], years[both[1]]
}

// listed reads a list of priority occupations or of occupations in demand. Rows
// without a code are headings and notes.
func listed(rows [][]string, p Publication) ([]occupation, []sources.Fault, error) {
	for i := range min(len(rows), headerRows) {
		if c, ok := columnsOf(rows[i], p); ok {
			found, faults := c.read(rows[i+1:], i+2, p)
			return found, faults, nil
		}
	}
	what := "a code and a name of occupations"
	if p.Kind == KindInDemand {
		what += " and the category of demand (set `column` to its name)"
	}
	return nil, nil, schema(sources.FaultColumnMissing, "no row of the first %d names %s", headerRows, what)
}

// read reads the rows under the header; the first of them is row `first` of the sheet.
func (c columns) read(rows [][]string, first int, p Publication) ([]occupation, []sources.Fault) {
	var found []occupation
	var faults []sources.Fault
	index, contradicted := map[string]int{}, map[string]bool{}
	latest := c.latest(rows)
	for i, row := range rows {
		code := strings.TrimSpace(strings.TrimPrefix(strings.ToUpper(sheets.Cell(row, c.code)), "SOC"))
		if code == "" || !c.wanted(row, latest) {
			continue
		}
		where := fmt.Sprintf("row %d", first+i)
		o, err := c.occupation(row, code, p)
		at, again := index[o.soc]
		switch {
		case err != nil && sheets.Cell(row, c.name) == "":
			// A note under the table, in its first column.
		case err != nil:
			faults = append(faults, sources.Fault{Where: where, Code: sources.FaultValue, Detail: err.Error()})
		case !again:
			index[o.soc] = len(found)
			found = append(found, o)
		default:
			if err := found[at].join(o); err != nil {
				faults = append(faults, sources.Fault{Where: where, Code: sources.FaultSchema, Detail: err.Error()})
				contradicted[o.soc] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(o occupation) bool { return contradicted[o.soc] }), faults
}

// latest is the newest time_period of a file that has that column.
func (c columns) latest(rows [][]string) string {
	newest := ""
	for _, row := range rows {
		newest = max(newest, sheets.Cell(row, c.period))
	}
	return newest
}

// wanted says that a row is national and of the newest period.
func (c columns) wanted(row []string, latest string) bool {
	return (c.level < 0 || strings.EqualFold(sheets.Cell(row, c.level), "National")) &&
		(c.period < 0 || sheets.Cell(row, c.period) == latest)
}

func (c columns) occupation(row []string, code string, p Publication) (occupation, error) {
	o := occupation{soc: code, name: sheets.Cell(row, c.name), signal: signalGap}
	if !socPattern.MatchString(code) {
		return o, fmt.Errorf("%q is no code of SOC 2020", code)
	}
	if o.name == "" {
		return o, fmt.Errorf("SOC %s has no name", code)
	}
	if p.Kind == KindInDemand {
		return o.withCategory(sheets.Cell(row, c.category))
	}
	if sector := sheets.Cell(row, c.sector); sector != "" {
		o.sectors = []string{sector}
	}
	if p.Unit != "" && c.horizon >= 0 {
		base, okBase := sheets.Number(sheets.Cell(row, c.base))
		horizon, okHorizon := sheets.Number(sheets.Cell(row, c.horizon))
		if okBase && okHorizon && base > 0 && horizon >= 0 {
			if p.Unit == "people" {
				base, horizon = base/1000, horizon/1000
			}
			o.figures = &figures{baseYear: c.baseYear, horizonYear: c.horizonYear, base: base, horizon: horizon, net: horizon - base}
		}
	}
	return o, nil
}

// withCategory sets the category of demand and what it points to.
func (o occupation) withCategory(category string) (occupation, error) {
	o.category = category
	switch said := words(category); said {
	case "critical", "critical demand", "in critical demand":
		o.signal, o.category = signalGap, "in critical demand"
	case "elevated", "elevated demand", "in elevated demand":
		o.signal, o.category = signalGap, "in elevated demand"
	case "not in demand", "not in high demand", "no demand", "lower demand":
		o.signal, o.category = signalNoGap, "not in demand"
	case "z", "x", "c", "":
		o.signal, o.category = signalNone, "demand not published"
	default:
		return o, fmt.Errorf("SOC %s: demand %q is neither critical, elevated nor not in demand", o.soc, category)
	}
	return o, nil
}

// join adds another row of the same occupation: an occupation may be a priority of
// several sectors. Figures that differ are those of parts of it, and none is used.
func (o *occupation) join(other occupation) error {
	if o.category != other.category {
		return fmt.Errorf("SOC %s is both %s and %s: the file breaks demand down further, and the occupation is not used", o.soc, o.category, other.category)
	}
	for _, s := range other.sectors {
		if !slices.Contains(o.sectors, s) {
			o.sectors = append(o.sectors, s)
		}
	}
	if o.figures == nil || other.figures == nil || *o.figures != *other.figures {
		o.figures = nil
	}
	return nil
}
