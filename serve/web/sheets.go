package web

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/formats"
	"labour/snapshots/figure"
)

// planColumns are the columns of the planner's table as CSV.
var planColumns = []string{"sector", "sector_name", "skill", "skill_name", "adverts_share_pct", "adverts_base",
	"adverts_share_margin_pct", "people_below_share_pct", "score",
	"soc", "occupation", "sources_agreeing", "projected_change_pct", "base_year", "horizon_year", "training_metric",
	"training_subject", "training_period_end",
	"training_value", "training_change_pct", "priorities", "priority_links", "attribution_statement"}

// changeColumns are the columns of the changes of a year as CSV.
var changeColumns = []string{"skill", "skill_name", "quarter", "adverts_share_pct", "adverts_base", "quarter_before",
	"adverts_share_pct_before", "adverts_base_before", "attribution_statement"}

// planCSV serves the planner's table as CSV.
func (s *Site) planCSV(w http.ResponseWriter, r *http.Request) {
	s.sendSheet(w, r, sheet{name: "plan", columns: planColumns, lines: func(v *request) (lines [][]string) {
		for _, row := range planOf(v).Rows {
			lines = append(lines, row.line())
		}
		return lines
	}})
}

// changesOfYear serves every clear change of a year as CSV, those that the page has no room for too.
func (s *Site) changesOfYear(w http.ResponseWriter, r *http.Request) {
	s.sendSheet(w, r, sheet{name: "changes", columns: changeColumns, lines: func(v *request) (lines [][]string) {
		m := moversOf(v, filterOf(v))
		if m == nil {
			return nil
		}
		for _, one := range slices.Concat(m.allUp, m.allDown) {
			lines = append(lines, []string{one.Skill, one.Name, quarterOf(m.now), decimal(m.now.Of(one.Skill)),
				figure.BaseOf(m.now.Adverts).Band, quarterOf(m.before), decimal(m.before.Of(one.Skill)),
				figure.BaseOf(m.before.Adverts).Band})
		}
		return lines
	}})
}

// quarterOf returns a quarter as the month it begins with.
func quarterOf(q api.Quarter) string { return q.From.Format("2006-01") }

// decimal returns the share of a sample as the API prints it.
func decimal(of figure.Sample) string { return string(figure.AppendTenths(nil, of.Share())) }

// sheet is a table of a page as CSV. Each line is without the statements of the sources, its last column.
type sheet struct {
	name    string
	columns []string
	lines   func(v *request) [][]string
}

// sendSheet answers with a sheet.
func (s *Site) sendSheet(w http.ResponseWriter, r *http.Request, of sheet) {
	v := &request{Request: r, ctx: r.Context(), at: s.Now().UTC(), base: s.baseOf(r)}
	release, err := s.acquire(v, page{asks: true})
	var lines [][]string
	if err == nil {
		defer release()
		if v.tag = s.tagOf(v); serve.HasTag(r, v.tag) {
			notModified(w, v.tag)
			return
		}
		err = s.Inside.Ask(r.Context(), func(ctx context.Context) error {
			v.ctx = ctx
			lines = of.lines(v)
			return v.err
		})
	}
	if err != nil {
		s.send(w, v, s.failed(v, err))
		return
	}
	var statements []string
	for _, one := range v.stamp.Statements() {
		statements = append(statements, one.Text)
	}
	credit := formats.Guarded(strings.Join(statements, " "))
	place := cmp.Or(filterOf(v).Place, "all-places")
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+of.name+"-"+place+`.csv"`)
	w.Header().Set("Cache-Control", serve.PublicCache)
	w.Header().Set("ETag", v.tag)
	out := csv.NewWriter(w)
	err = out.Write(of.columns)
	for _, line := range lines {
		err = errors.Join(err, out.Write(append(line, credit)))
	}
	out.Flush()
	if err := errors.Join(err, out.Error()); err != nil {
		s.Log.Info("table as CSV", "table", of.name, "error", err) // the client may have disconnected
	}
}

// line returns the row as CSV. Figures that are not published are empty.
func (r planRow) line() []string {
	token := func(field string, value any) string {
		if shown := shownAs(field, value); shown.class != "none" {
			return shown.token
		}
		return ""
	}
	one := r.Sector
	line := []string{*one.Bucket, *one.BucketName, one.Skill, one.SkillName,
		token("adverts_share_pct", one.AdvertsShare), one.AdvertsBase,
		token("adverts_share_margin_pct", one.AdvertsMargin), token("people_below_share_pct", one.PeopleBelow),
		token("score", one.Score)}
	if o := r.Occupation; o != nil {
		line = append(line, *o.Bucket, *o.BucketName)
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
		line = append(line, c.Metric, formats.Guarded(c.SubjectArea), c.PeriodEnd.Time().Format("2006-01-02"),
			token("value", c.Value), token("change_pct", c.YearOnYear.Change))
	} else {
		line = append(line, "", "", "", "", "")
	}
	var names, links []string
	for _, p := range r.Priorities {
		names, links = append(names, p.Area+": "+p.Name), append(links, p.Link)
	}
	return append(line, formats.Guarded(strings.Join(names, "; ")), formats.Guarded(strings.Join(links, " ")))
}

func year(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
