package blsprojections

import (
	"context"
	"fmt"
	"math"
	"regexp"
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
