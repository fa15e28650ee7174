package web

import (
	"html/template"
	"time"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

// trendMonths is how many months a line goes back, whatever the period of the filters.
const trendMonths = 24

// fewInMonth is the number of adverts under which a month has too few to draw: if half of the
// months have fewer, the line is by quarter.
const fewInMonth = 50

// trendLine is the drawing of a share of adverts over time.
type trendLine struct {
	Drawing template.HTML
	Step    string // month or quarter
	Note    string // how to read it
}

// trendOf draws the share of adverts that ask for a skill, by month or, where the months have few
// adverts, by quarter: in a place, with that of all places behind it. rows are those of the months.
func trendOf(v *request, f filter, d *skillView) (line trendLine) {
	if len(d.Rows) < 2 {
		return line
	}
	line.Step = "month"
	if fewPerMonth(d.Rows) {
		line.Step = "quarter"
	}
	drawn := chart.Trend{
		Label:  "Share of adverts asking for " + d.Name + " by " + line.Step,
		Points: trendPoints(v, f, d, line.Step),
	}
	if running := runningDay(v.snapshot.AsOf(), line.Step); running != "" {
		drawn.Running = running
	}
	if f.Place != "" {
		wider := f
		wider.Place = ""
		whole := &skillView{Skill: d.Skill}
		if line.Step == "month" {
			whole.Rows = brokenDown(v, "The line of all places", wider.lastMonths(), d.Skill, api.ByMonth,
				perPage(api.ByMonth))
		}
		drawn.Behind = trendPoints(v, wider, whole, line.Step)
	}
	line.Drawing, line.Note = drawn.Draw(shareInWords), trendNote(line.Step, f.Place != "")
	return line
}

// lastMonths returns the filter over all months of a line.
func (f filter) lastMonths() filter {
	f.Window = trendMonths
	return f
}

// trendNote returns the note on how to read a line.
func trendNote(step string, withAll bool) string {
	note := "Share of the adverts of each " + step + " that ask for the skill, of the last 24 months. " +
		"The band is the margin: in 95 of 100 cases the true share lies in it. " +
		"Hollow dot: the " + step + " so far. A " + step + " without a dot has too few adverts to show."
	if step == "quarter" {
		note += " The months here have fewer than 50 adverts, so they are added up to quarters."
	}
	if withAll {
		note += " The grey line is all places."
	}
	return note
}

// fewPerMonth reports whether half of the months or more have fewer adverts than can be drawn.
func fewPerMonth(rows []bucketRow) bool {
	few := 0
	for _, r := range rows {
		if r.Asked.Adverts < fewInMonth {
			few++
		}
	}
	return 2*few >= len(rows)
}

// runningDay returns the last day of a month or quarter that is not over; empty if it is.
func runningDay(asOf time.Time, step string) string {
	next := asOf.AddDate(0, 0, 1)
	over := next.Day() == 1
	if step == "quarter" {
		over = over && api.QuarterOf(next).Equal(next)
	}
	if over {
		return ""
	}
	return "to " + asOf.Format("2 Jan")
}

// trendPoints returns the points of a line up to the current month or quarter. One in which no advert
// asks is at 0; one with too few adverts is a gap.
func trendPoints(v *request, f filter, d *skillView, step string) []chart.Point {
	if step == "month" {
		return monthPoints(d.Rows, v.snapshot.AsOf())
	}
	q := f.query()
	q.Skill = d.Skill
	p, err := v.snapshot.Quarters(v.ctx, q)
	if v.fail(err); err != nil {
		return nil
	}
	took(v, p)
	return quarterPoints(p.Rows, d.Skill, v.snapshot.CodingErrors(), v.snapshot.AsOf())
}

// monthPoints returns the shares by month up to that of a day.
func monthPoints(rows []bucketRow, asOf time.Time) (points []chart.Point) {
	byMonth := map[string]bucketRow{}
	for _, r := range rows {
		byMonth[*r.Bucket] = r
	}
	if len(rows) == 0 {
		return nil
	}
	first, err := time.Parse("2006-01", *rows[0].Bucket)
	if err != nil {
		return nil
	}
	for t := first; !t.After(asOf); t = t.AddDate(0, 1, 0) {
		point := chart.Point{Label: t.Format("Jan 06")}
		if r, ok := byMonth[t.Format("2006-01")]; ok {
			point.Value, point.Margin = &r.AdvertsShare.Tenths, r.AdvertsMargin.Tenths
		}
		points = append(points, point)
	}
	return points
}

// quarterPoints returns the shares of a skill by quarter up to that of a day.
func quarterPoints(quarters []api.Quarter, skill string, errors figure.CodingErrors, asOf time.Time) []chart.Point {
	var points []chart.Point
	if len(quarters) == 0 {
		return nil
	}
	for t := quarters[0].From; !t.After(asOf); t = t.AddDate(0, 3, 0) {
		point := chart.Point{Label: t.Format("Jan") + "–" + t.AddDate(0, 2, 0).Format("Jan 06")}
		if q, ok := quarterFrom(quarters, t); ok {
			sample := q.Of(skill)
			share := sample.Share()
			point.Value, point.Margin = &share, errors.Margin(share, figure.BaseOf(sample.Adverts))
		}
		points = append(points, point)
	}
	return points
}
