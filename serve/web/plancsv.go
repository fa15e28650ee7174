package web

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"labour/serve"
	"labour/serve/formats"
)

// planColumns are the columns of the planner's table as CSV.
var planColumns = []string{"sector", "sector_name", "skill", "skill_name", "adverts_share_pct", "adverts_base",
	"adverts_share_margin_pct", "people_below_share_pct", "score",
	"soc", "occupation", "sources_agreeing", "projected_change_pct", "base_year", "horizon_year", "training_metric",
	"training_subject", "training_period_end",
	"training_value", "training_change_pct", "priorities", "priority_links", "attribution_statement"}

// planCSV serves the planner's table as CSV.
func (s *Site) planCSV(w http.ResponseWriter, r *http.Request) {
	v := &request{Request: r, ctx: r.Context(), at: s.Now().UTC(), base: s.baseOf(r)}
	release, err := s.acquire(v, page{asks: true})
	var d planTable
	if err == nil {
		defer release()
		err = s.Inside.Ask(r.Context(), func(ctx context.Context) error {
			v.ctx = ctx
			d = planOf(v)
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
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="plan-`+cmp.Or(d.Place.Value, "all-places")+`.csv"`)
	w.Header().Set("Cache-Control", serve.PublicCache)
	out := csv.NewWriter(w)
	err = out.Write(planColumns)
	for _, row := range d.Rows {
		err = errors.Join(err, out.Write(row.line(formats.Guarded(strings.Join(statements, " ")))))
	}
	out.Flush()
	if err := errors.Join(err, out.Error()); err != nil {
		s.Log.Info("planner's table", "error", err) // the client may have disconnected
	}
}

// line returns the row as CSV. Figures that are not published are empty.
func (r planRow) line(statements string) []string {
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
	return append(line, formats.Guarded(strings.Join(names, "; ")), formats.Guarded(strings.Join(links, " ")), statements)
}

func year(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}
