package skillsprojections

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
	"labour/sources/soc2020"
)

// Keys of the columns of a list of occupations. Error messages name missing columns by these keys.
const (
	codeColumn     = "the code of an occupation"
	nameColumn     = "its name"
	categoryColumn = "the category of demand (set `column` to its name)"
	sectorColumn   = "sector"
	levelColumn    = "geographic level"
	periodColumn   = "time period"
)

var (
	wordPattern   = regexp.MustCompile(`[a-z0-9]+`)
	inYearPattern = regexp.MustCompile(`\b(20[0-9]{2})\b`)
	// socPattern matches "soc" with or without an edition, such as "soc" and "soc2020".
	// socEditionPattern matches an edition directly after "soc". editionPattern matches an edition
	// anywhere. The edition 2018 is that of the American classification.
	socPattern        = regexp.MustCompile(`\bsoc(\d|\b)`)
	socEditionPattern = regexp.MustCompile(`\bsoc ?(1990|2000|2010|2018|2020|90|00|10|20)\b`)
	editionPattern    = regexp.MustCompile(`\b(1990|2000|2010|2018|2020)\b`)
)

// words returns a heading in lower case with single spaces. For example, "SOC2020_code" becomes
// "soc2020 code".
func words(heading string) string {
	return strings.Join(wordPattern.FindAllString(strings.ToLower(heading), -1), " ")
}

// otherSOC returns the edition of the occupational classification (SOC) that a heading names, such
// as "2010". It returns "" if the heading names SOC 2020 or no edition. An edition that follows "SOC"
// takes precedence over a year elsewhere in the heading, as in "2010 SOC code".
func otherSOC(heading string) string {
	head := words(heading)
	if !socPattern.MatchString(head) {
		return ""
	}
	editions := socEditionPattern.FindAllStringSubmatch(head, -1)
	if len(editions) == 0 {
		editions = editionPattern.FindAllStringSubmatch(head, -1)
	}
	other := ""
	for _, m := range editions {
		if m[1] == "2020" || m[1] == "20" {
			return ""
		}
		other = cmp.Or(other, m[1])
	}
	return other
}

// columnOf returns the key of the column with the given heading, or "" if the column is not used. The
// key of a column with employment is its year. A column with codes or names of another edition than
// SOC 2020 is not used.
func (p Publication) columnOf(heading string) string {
	head := words(heading)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(head, s) })
	}
	isDemand := head == "demand" || has("demand") && has("category", "status", "group", "level", "rating")
	year := inYearPattern.FindString(strings.ReplaceAll(head, "soc 2020", "soc"))
	switch {
	case p.CategoryColumn != "" && head == words(p.CategoryColumn):
		return categoryColumn
	case otherSOC(heading) != "":
		return ""
	case head == levelColumn, head == periodColumn:
		return head
	case has("soc", "occupation") && has("title", "name", "description", "label"), head == "occupation",
		head == "priority occupation":
		return nameColumn
	case has("soc", "occupation") && has("code"), head == "soc", head == "soc2020", head == "soc 2020":
		return codeColumn
	case has("sector"):
		return sectorColumn
	case year != "" && has("employment", "demand") && !has("change", "growth", "percent", "share"):
		return year
	case p.CategoryColumn == "" && isDemand:
		return categoryColumn
	}
	return ""
}

// readList reads a list of priority occupations or of occupations in demand. It returns the
// occupations, and a fault for each unusable row.
func readList(sheet sheets.Sheet, p Publication) ([]occupation, []sources.Fault, error) {
	t, err := p.findList(sheet)
	if err != nil {
		return nil, nil, err
	}
	current, faults, err := p.currentRows(t)
	if err != nil {
		return nil, nil, err
	}
	var found []occupation
	index, contradicted := map[string]int{}, map[string]bool{}
	years := t.YearColumns()
	for _, i := range current {
		o, err := occupationOf(t, t.Rows[i], years, p)
		at, again := index[o.soc]
		switch {
		case err != nil:
			faults = append(faults, badValue(t, i, err))
		case !again:
			index[o.soc] = len(found)
			found = append(found, o)
		default:
			if err := found[at].join(o); err != nil {
				faults = append(faults, sources.Fault{Where: t.RowPosition(i), Code: sources.FaultSchema,
					Detail: err.Error()})
				contradicted[o.soc] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(o occupation) bool { return contradicted[o.soc] }), faults, nil
}

// findList finds the table of a list of occupations. If there is no such table, and a heading names
// an edition other than SOC 2020, the error states this edition.
func (p Publication) findList(sheet sheets.Sheet) (sheets.Table, error) {
	needed := []string{codeColumn, nameColumn}
	if p.Kind == KindOccupationsInDemand {
		needed = append(needed, categoryColumn)
	}
	edition := ""
	columnOf := func(heading string) string {
		edition = cmp.Or(edition, otherSOC(heading))
		return p.columnOf(heading)
	}
	t, err := sheets.FindTable(sheet, columnOf, needed...)
	if err != nil && edition != "" {
		err = fmt.Errorf("%w; a heading names SOC %s: take the edition of the file that has codes of SOC 2020", err,
			edition)
	}
	return t, err
}

// currentRows returns the indices of the rows that are used: those for the whole country and the
// newest period. It skips rows without a code or a name, such as headings and notes. It returns the
// faults of the table, and one for each row with an invalid period or with a category but no code.
func (p Publication) currentRows(t sheets.Table) ([]int, []sources.Fault, error) {
	faults := t.Faults
	_, byLevel := t.Columns[levelColumn]
	_, byPeriod := t.Columns[periodColumn]
	rowsOf := map[string][]int{} // by period; "" if the table has no column of periods
	for i, row := range t.Rows {
		isOccupation := codeOf(t, row) != "" && t.Cell(row, nameColumn) != ""
		isRegional := byLevel && !strings.EqualFold(t.Cell(row, levelColumn), "National")
		if name := t.Cell(row, nameColumn); !isOccupation && name != "" && t.Cell(row, categoryColumn) != "" {
			faults = append(faults, badValue(t, i, fmt.Errorf("occupation %.60q has no code of SOC 2020", name)))
		}
		if !isOccupation || isRegional {
			continue
		}
		period := t.Cell(row, periodColumn)
		if err := p.checkPeriod(period); byPeriod && err != nil {
			faults = append(faults, badValue(t, i, err))
			continue
		}
		rowsOf[period] = append(rowsOf[period], i)
	}
	rows, err := newestRows(rowsOf)
	return rows, faults, err
}

// newestRows returns the rows of the newest period. rowsOf maps each period to the indices of its
// rows. If the newest period has fewer than half as many rows as the period before, the file is
// incomplete. This is an error, so that the last complete file is used.
func newestRows(rowsOf map[string][]int) ([]int, error) {
	periods := slices.Sorted(maps.Keys(rowsOf))
	if len(periods) == 0 {
		return nil, nil
	}
	newest := periods[len(periods)-1]
	if len(periods) == 1 {
		return rowsOf[newest], nil
	}
	before := periods[len(periods)-2]
	if 2*len(rowsOf[newest]) < len(rowsOf[before]) {
		return nil, sources.CodedErrorf(sources.FaultIncomplete, "the newest period %s has %d rows and %s has %d; "+
			"the file is not complete and is not used: fetch it again, or ask the publisher",
			newest, len(rowsOf[newest]), before, len(rowsOf[before]))
	}
	return rowsOf[newest], nil
}

// checkPeriod returns an error if a period, such as 2024 or 202425, does not begin with a year, or
// begins in a year after the publication.
func (p Publication) checkPeriod(period string) error {
	first := period[:min(len(period), 4)]
	if !sources.IsYear(first) {
		return fmt.Errorf("time period %.20q does not begin with a year", period)
	}
	published, _ := sources.ParseDate(p.Published) // checked by New
	if year(first) > published.Year {
		return fmt.Errorf("the time period %s begins after the publication on %s; correct the file, or `published`",
			period, published)
	}
	return nil
}

// badValue returns the fault for row i of a table. The row has an invalid cell, and err says why.
func badValue(t sheets.Table, i int, err error) sources.Fault {
	where := t.RowPosition(i)
	return sources.Fault{Where: where, Code: sources.FaultBadValue, Detail: where + ": " + err.Error()}
}

// codeOf returns the code of a row's occupation, without "SOC" before it. It returns "" for a row
// without a code.
func codeOf(t sheets.Table, row []string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.ToUpper(t.Code(row, codeColumn)), "SOC"))
}

func occupationOf(t sheets.Table, row []string, years []string, p Publication) (occupation, error) {
	o := occupation{soc: codeOf(t, row), name: t.Cell(row, nameColumn), signal: signalGap}
	if !soc2020.IsGroup(o.soc) {
		return o, fmt.Errorf("%q is no code of SOC 2020", o.soc)
	}
	if p.Kind == KindOccupationsInDemand {
		return o.withCategory(t.Cell(row, categoryColumn))
	}
	if sector := t.Cell(row, sectorColumn); sector != "" {
		o.sectors = []string{sector}
	}
	// with more than two years it is not known which two make the projection
	if p.EmploymentUnit == "" || len(years) != 2 {
		return o, nil
	}
	var err error
	if o.figures, err = p.employment(t, row, years[0], years[1]); err != nil {
		return o, fmt.Errorf("SOC %s: %w", o.soc, err)
	}
	return o, nil
}

// employment returns the employment of a row's occupation in the years first and second. It returns
// nil if a figure is missing, or if nobody is employed in the year first.
func (p Publication) employment(t sheets.Table, row []string, first, second string) (*figures, error) {
	base, okBase, errBase := t.FigureOrMissing(row, first)
	horizon, okHorizon, errHorizon := t.FigureOrMissing(row, second)
	if err := cmp.Or(errBase, errHorizon); err != nil {
		return nil, err
	}
	bothGiven := okBase && okHorizon
	if !bothGiven || base <= 0 || horizon < 0 {
		return nil, nil
	}
	if p.EmploymentUnit == "people" {
		base, horizon = base/1000, horizon/1000
	}
	if max(base, horizon) > sources.MaxCount/1000 {
		return nil, fmt.Errorf("employment of more than %d people", sources.MaxCount)
	}
	return &figures{baseYear: year(first), horizonYear: year(second), base: base, horizon: horizon,
		net: horizon - base}, nil
}

// withCategory sets the category of demand, such as "critical", and the skills gap signal that
// follows from it. An unknown category is an error.
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

// join adds another row for the same occupation to o. An occupation has several rows if several
// sectors list it as a priority.
//
// If the rows have different figures, join drops them, because each row covers only some of the
// people. Different categories of demand are an error.
func (o *occupation) join(other occupation) error {
	if o.category != other.category {
		return fmt.Errorf(
			"SOC %s is both %s and %s: the file breaks demand down further, and the occupation is not used", o.soc,
			o.category, other.category)
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
