package web

import (
	"html/template"
	"time"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
	"labour/snapshots/periods"
)

// monthsPerPage is the largest number of rows in a query for monthly figures. It is larger than
// periods.LongestWindow, so the result has all months.
const monthsPerPage = 50

// fewInMonth is 50. Fewer adverts in a month are too few for a useful monthly figure. If at least
// half of the months have fewer, the line chart is by quarter.
const fewInMonth = 50

// trendLine is a line chart of a skill's share of adverts over time, with the text that explains
// it.
type trendLine struct {
	Drawing template.HTML
	Narrow  template.HTML // drawing for a narrow screen such as a phone's
	Step    string        // length of the periods on the time axis: month or quarter
	Note    string        // sentences on how to read the chart
	Few     bool          // whether a value is based on fewer than 20 adverts
}

// trendOf returns a line chart of the share of adverts that require a skill. The chart is by month,
// or by quarter if at least half of the months have few adverts. d has the monthly rows. until is the
// last day of the adverts, see lastAdvertsDay. If the filter has a place, a second line shows all
// places. The result is empty if fewer than two points have a value.
func trendOf(v *request, f filter, d *skillView, until time.Time) (line trendLine) {
	line.Step = "month"
	if fewPerMonth(d.Rows, until) {
		line.Step = "quarter"
	}
	drawn := chart.LineChart{
		Label:  "Share of adverts asking for " + d.Name + " by " + line.Step,
		Points: trendPoints(v, f, d, line.Step, until),
	}
	if shownPoints(drawn.Points) < 2 {
		return trendLine{}
	}
	drawn.UnfinishedPeriod = runningDay(until)
	if f.Place != "" {
		wider := f
		wider.Place = ""
		whole := &skillView{Skill: d.Skill}
		if line.Step == "month" {
			whole.Rows = brokenDown(v, "The line of all places", wider.lastMonths(), d.Skill, api.ByMonth,
				monthsPerPage)
		}
		drawn.Comparison = trendPoints(v, wider, whole, line.Step, until)
	}
	line.Narrow = drawn.DrawNarrow(shareInWords)
	line.Drawing = drawn.Draw(shareInWords)
	line.Note = trendNote(drawn, line.Step, spanOf(line.Step, until, v.snapshot.AsOf()))
	if leavesOutEarlier(len(drawn.Points), line.Step, until, v.snapshot.AsOf()) {
		line.Note += " Earlier " + line.Step + "s have too few adverts to show and are left out."
	}
	line.Few = drawn.HasSmallSamples()
	return line
}

// lastMonths returns a copy of the filter with the longest period, 24 months. A line chart always
// has this period.
func (f filter) lastMonths() filter {
	f.Window = periods.LongestWindow
	return f
}

// shownPoints returns the number of points that have a value.
func shownPoints(points []chart.Point) (n int) {
	for _, p := range points {
		if p.Value != nil {
			n++
		}
	}
	return n
}

// spanOf returns a text with the time that a line chart covers, for the note below the chart. step
// is "month" or "quarter". The line ends on the day until. If that is before asOf, the date of the
// snapshot, the text says so.
func spanOf(step string, until, asOf time.Time) string {
	switch {
	case until.Before(asOf):
		return "to " + longDate(until) + ", the last day whose adverts were received"
	case step == "quarter":
		return "of this quarter and the seven before it"
	}
	return "of the last 24 months"
}

// leavesOutEarlier reports whether a line or a table with the given number of periods begins later than
// the time that it covers: the last 24 months, or this quarter and the seven before it. step is "month"
// or "quarter". The last period is that of the day until.
func leavesOutEarlier(shown int, step string, until, asOf time.Time) bool {
	length, first := 1, periods.MonthStart(asOf).AddDate(0, 1-periods.LongestWindow, 0)
	if step == "quarter" {
		length, first = 3, periods.QuarterStart(asOf).AddDate(0, -7*3, 0)
	}
	all := 0
	for t := first; !t.After(until); t = t.AddDate(0, length, 0) {
		all++
	}
	return shown < all
}

// trendNote returns sentences on how to read a line chart. step is "month" or "quarter", and span
// is a text with the time that the chart covers. The note explains a special mark only if the chart
// has that mark.
func trendNote(line chart.LineChart, step, span string) string {
	note := "Share of the adverts of each " + step + " that ask for the skill, " + span + ". " +
		"The band is the margin: in 95 of 100 cases the true share lies in it."
	if line.HasZeroOrHundred() {
		note += " Where none of the adverts ask, or all do, it reaches about as far as 3 divided by their number: " +
			"with a share further away, one of them would nearly always differ."
	}
	if line.HasSmallSamples() {
		note += " Square: a handful of adverts (under 20), which says little."
	}
	if line.UnfinishedPeriod != "" {
		note += " Hollow mark: the " + step + " so far."
	}
	note += " A " + step + " without a mark has too few adverts to show."
	if step == "quarter" {
		note += " At least half of the months here have fewer than 50 adverts, so the line is by quarter."
	}
	if len(line.Comparison) > 0 {
		note += " The grey line is all places."
	}
	return note
}

// trendMonth is a month of a line chart and its table. Row is nil if the month has too few adverts.
type trendMonth struct {
	First time.Time
	Row   *bucketRow
	// last day whose adverts the month may have, such as "to 26 Nov"; empty if the month is complete,
	// or if none of its adverts were received
	SoFar string
	// NotReceived is true if the month begins after the day on which a late source was last
	// received. If Row is not nil, it has only the adverts of other sources. If Row is nil, the
	// number of adverts in the month is not known.
	NotReceived bool
}

// Name returns the name of the month, such as "May 2026".
func (m trendMonth) Name() string { return m.First.Format("January 2006") }

// monthsOf returns all months from the first row's month to the month of the day asOf. until is the
// last day of the adverts, see lastAdvertsDay. It returns nil if there are no rows.
func monthsOf(rows []bucketRow, asOf, until time.Time) (months []trendMonth) {
	byMonth := map[string]*bucketRow{}
	for i := range rows {
		byMonth[*rows[i].Bucket] = &rows[i]
	}
	if len(rows) == 0 {
		return nil
	}
	first, err := time.Parse("2006-01", *rows[0].Bucket)
	if err != nil {
		return nil
	}
	for t := first; !t.After(asOf); t = t.AddDate(0, 1, 0) {
		month := trendMonth{First: t, Row: byMonth[t.Format("2006-01")], NotReceived: t.After(until)}
		if periods.MonthStart(until).Equal(t) {
			month.SoFar = runningDay(until)
		}
		months = append(months, month)
	}
	return months
}

// fewPerMonth reports whether at least half of the months have fewer than fewInMonth adverts. A
// month without a row counts as a month with few adverts. until is the last day of the adverts.
func fewPerMonth(rows []bucketRow, until time.Time) bool {
	few, months := 0, monthsOf(rows, until, until)
	for _, m := range months {
		if m.Row == nil || m.Row.AdvertsSample.Adverts < fewInMonth {
			few++
		}
	}
	return 2*few >= len(months)
}

// runningDay returns a text for the month or quarter that contains the last day of the adverts, such as
// "to 26 Nov". The period is not complete, even if it ends on that day: a run soon after midnight has
// no adverts of its own day.
func runningDay(until time.Time) string { return "to " + until.Format("2 Jan") }

// trendPoints returns the points of a line chart, one for each period up to the day until. step is
// the length of a period, "month" or "quarter". If no advert requires the skill, the value is 0. If
// there are too few adverts, the point has no value.
func trendPoints(v *request, f filter, d *skillView, step string, until time.Time) []chart.Point {
	if step == "month" {
		return monthPoints(d.Rows, until)
	}
	q := f.query()
	q.Skill = d.Skill
	p, err := v.snapshot.SkillsUnmetByQuarter(v.ctx, q)
	if v.fail(err); err != nil {
		return nil
	}
	addSources(v, p)
	return quarterPoints(p.Rows, d.Skill, v.snapshot.CodingErrors(), until)
}

// monthPoints returns one point of a line chart for each month, up to the month of the day until.
// rows are the monthly rows of a skill. The value of a point is the share of adverts that require
// the skill.
func monthPoints(rows []bucketRow, until time.Time) (points []chart.Point) {
	for _, m := range monthsOf(rows, until, until) {
		point := chart.Point{Label: m.First.Format("Jan 06")}
		if m.Row != nil {
			share := roundedOnce(m.Row.AdvertsShare.Tenths, m.Row.AdvertsSample)
			point.Value, point.Margin = &share, m.Row.AdvertsMargin.Tenths
			point.Base, _ = figure.ParseBase(m.Row.AdvertsBase)
		}
		points = append(points, point)
	}
	return points
}

// quarterPoints returns one point of a line chart for each quarter, up to the quarter of the day
// until. The value of a point is the share of adverts that require the skill. errors has the error
// rates from which the margins of the values are computed.
func quarterPoints(quarters []api.Quarter, skill string, errors figure.CodingErrors, until time.Time) []chart.Point {
	var points []chart.Point
	if len(quarters) == 0 {
		return nil
	}
	for t := quarters[0].From; !t.After(until); t = t.AddDate(0, 3, 0) {
		point := chart.Point{Label: t.Format("Jan") + "–" + t.AddDate(0, 2, 0).Format("Jan 06")}
		if q, ok := quarterFrom(quarters, t); ok {
			sample := q.AdvertsRequiring(skill)
			share := sample.Share()
			point.Base = figure.BaseOf(sample.Adverts)
			point.Margin = errors.Margin(share, point.Base)
			share = roundedOnce(share, sample)
			point.Value = &share
		}
		points = append(points, point)
	}
	return points
}
