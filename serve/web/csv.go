package web

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/serve/formats"
	"labour/snapshots/figure"
)

// planColumns lists the column names of the CSV file of the planner's table.
var planColumns = []string{"sector", "sector_name", "skill", "skill_name", "adverts_share_pct", "adverts_base",
	"adverts_share_margin_pct", "people_below_share_pct", "score",
	"soc", "occupation", "sources_agreeing", "projected_change_pct", "base_year", "horizon_year", "training_metric",
	"training_subject", "training_period_end",
	"training_value", "training_change_pct", "training_correction", "priorities", "priority_links",
	"attribution_statement"}

// changeColumns lists the column names of the CSV file that compares a quarter with the same
// quarter a year before.
var changeColumns = []string{"skill", "skill_name", "quarter", "adverts_share_pct", "adverts_base", "quarter_before",
	"adverts_share_pct_before", "adverts_base_before", "attribution_statement"}

// sheet returns the HTTP handler for a CSV file of figures. show makes the file.
func (s *Site) sheet(show func(*request) view) http.HandlerFunc {
	return s.handler(page{queries: true, show: show}, s.send).ServeHTTP
}

// planCSV returns the planner's table as a CSV file.
func planCSV(v *request) view {
	var lines [][]string
	d := planOf(v)
	for _, row := range d.Rows {
		lines = append(lines, row.line(d.Corrections))
	}
	return sheetOf(v, "plan", planColumns, lines)
}

// changesOfYear returns all significant changes of shares of adverts within a year, as a CSV file.
// The page of changes shows only the largest ones.
func changesOfYear(v *request) view {
	var lines [][]string
	if m := moversOf(v, filterOf(v)); m != nil {
		for _, one := range slices.Concat(m.allUp, m.allDown) {
			lines = append(lines, []string{one.Skill, formats.EscapeFormula(one.Name),
				quarterOf(m.now), decimal(m.now.AdvertsRequiring(one.Skill)),
				figure.BaseOf(m.now.Adverts).Band,
				quarterOf(m.before), decimal(m.before.AdvertsRequiring(one.Skill)),
				figure.BaseOf(m.before.Adverts).Band})
		}
	}
	return sheetOf(v, "changes", changeColumns, lines)
}

// quarterOf returns the first month of a calendar quarter as text, such as "2026-07".
func quarterOf(q api.Quarter) string { return q.From.Format("2006-01") }

// decimal returns the share of adverts in sample that require the skill, in per cent with one
// decimal as in the API.
func decimal(sample figure.AdvertSample) string {
	return string(figure.AppendTenths(nil, sample.Share()))
}

// sheetOf returns a table as a CSV file. The name of the file begins with name. columns has the
// names of the columns, and lines has the fields of each line. sheetOf adds a last column with the
// attribution statements of the page's sources.
func sheetOf(v *request, name string, columns []string, lines [][]string) view {
	var statements []string
	for _, one := range v.stamp.Statements() {
		statements = append(statements, one.Text)
	}
	credit := formats.EscapeFormula(strings.Join(statements, " "))
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	err := out.Write(columns)
	for _, line := range lines {
		err = errors.Join(err, out.Write(append(line, credit)))
	}
	out.Flush()
	v.fail(errors.Join(err, out.Error()))
	return view{body: b.Bytes(), kind: "text/csv; charset=utf-8",
		name: name + "-" + cmp.Or(filterOf(v).Place, "all-places") + ".csv"}
}

// line returns a row of the planner's table as the fields of a CSV line. A figure that is not
// published is an empty field. made finds the operator's corrections of the training figures.
func (r planRow) line(made corrections) []string {
	token := func(field string, value any) string {
		if shown := shownAs(field, value); shown.class != "none" {
			return shown.token
		}
		return ""
	}
	one := r.Sector
	line := []string{*one.Bucket, formats.EscapeFormula(*one.BucketName), one.Skill,
		formats.EscapeFormula(one.SkillName),
		token("adverts_share_pct", one.AdvertsShare), one.AdvertsBase,
		token("adverts_share_margin_pct", one.AdvertsMargin), token("people_below_share_pct", one.PeopleBelow),
		token("score", one.Score)}
	if o := r.Occupation; o != nil {
		line = append(line, *o.Bucket, formats.EscapeFormula(*o.BucketName))
	} else {
		line = append(line, "", "")
	}
	if f := r.Forecast; f != nil {
		line = append(line, strconv.Itoa(f.SourcesAgreeing), token("projected_change_pct", f.ProjectedChange),
			year(f.BaseYear), year(f.HorizonYear))
	} else {
		line = append(line, "", "", "", "")
	}
	if c := r.Training; c != nil {
		line = append(line, c.Metric, formats.EscapeFormula(c.SubjectArea), c.PeriodEnd.Time().Format("2006-01-02"),
			token("value", c.Value), token("change_pct", c.YearOnYear.Change),
			formats.EscapeFormula(made.sentencesOn(*c)))
	} else {
		line = append(line, "", "", "", "", "", "")
	}
	var names, links []string
	for _, p := range r.Priorities {
		names, links = append(names, p.Area+": "+p.Name), append(links, p.Link)
	}
	return append(line, formats.EscapeFormula(strings.Join(names, "; ")), formats.EscapeFormula(strings.Join(links, " ")))
}

func year(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
