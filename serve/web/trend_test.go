package web

import (
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

func dayOf(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

// saidOf are points in words.
func saidOf(points []chart.Point) string {
	var said []string
	for _, p := range points {
		value := "gap"
		if p.Value != nil {
			value = shareInWords(*p.Value)
		}
		said = append(said, p.Label+" "+value)
	}
	return strings.Join(said, ", ")
}

// A month without a find is a point at 0, and one that is not shown is a gap, also at the end.
func TestMonthsUnderTheFloorAreGaps(t *testing.T) {
	month := func(bucket string, share figure.Tenths) bucketRow {
		r := shareOf(share, 20, "20-49")
		r.Bucket = &bucket
		return bucketRow{SkillsUnmetRow: r}
	}
	points := monthPoints([]bucketRow{month("2025-11", 50), month("2025-12", 0), month("2026-03", 70)},
		dayOf("2026-04-10"))
	if got, want := saidOf(points), "Nov 25 5%, Dec 25 0%, Jan 26 gap, Feb 26 gap, Mar 26 7%, Apr 26 gap"; got != want {
		t.Errorf("the points are %s, want %s", got, want)
	}
	if points[0].Margin != 20 {
		t.Errorf("the margin is %d tenths", points[0].Margin)
	}
}

// If months have few adverts the line is by quarter, with the margin of the quarter's own base.
func TestQuarterPoints(t *testing.T) {
	errors := figure.CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	quarters := []api.Quarter{
		{From: dayOf("2025-10-01"), Adverts: 60, AdvertsBySkill: map[string]int64{"python": 6}},
		{From: dayOf("2026-04-01"), Adverts: 90},
	}
	points := quarterPoints(quarters, "python", errors, dayOf("2026-08-05"))
	if got, want := saidOf(points), "Oct–Dec 25 10%, Jan–Mar 26 gap, Apr–Jun 26 0%, Jul–Sep 26 gap"; got != want {
		t.Errorf("the points are %s, want %s", got, want)
	}
	if want := errors.Margin(100, figure.BaseOf(60)); points[0].Margin != want || want == 0 {
		t.Errorf("the margin is %d, want %d", points[0].Margin, want)
	}
	asked := func(month string, adverts int64) bucketRow {
		return bucketRow{SkillsUnmetRow: api.SkillsUnmetRow{Bucket: &month,
			AdvertsSample: figure.AdvertSample{Adverts: adverts}}}
	}
	for _, c := range []struct {
		months []bucketRow
		few    bool
	}{
		{[]bucketRow{asked("2026-06", 20), asked("2026-07", 49), asked("2026-08", 300)}, true},
		{[]bucketRow{asked("2026-06", 20), asked("2026-07", 50), asked("2026-08", 300)}, false},
		{[]bucketRow{asked("2026-05", 60), asked("2026-08", 300)}, true}, // two are under the floor
		{nil, true},
	} {
		if got := fewPerMonth(c.months, dayOf("2026-08-05")); got != c.few {
			t.Errorf("%v: few is %t", c.months, got)
		}
	}
}

// TestEarlierPeriodsThatAreLeftOut: a line of fewer periods than the time that it covers begins late.
func TestEarlierPeriodsThatAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		step, until string
		whole       int // number of periods of a line that leaves none out
	}{
		{"month", "2028-02-29", 24}, {"month", "2028-02-01", 24}, {"month", "2027-12-31", 22},
		{"quarter", "2028-02-29", 8}, {"quarter", "2027-12-31", 7},
	} {
		for shown, want := range map[int]bool{c.whole - 1: true, c.whole: false, c.whole + 1: false} {
			if got := leavesOutEarlier(shown, c.step, dayOf(c.until), dayOf("2028-02-29")); got != want {
				t.Errorf("%d %ss to %s: earlier ones are left out is %t", shown, c.step, c.until, got)
			}
		}
	}
}

// The month that is not over is marked, also on its last day: the run of that day has none of its adverts.
func TestRunningDay(t *testing.T) {
	november := "2026-11"
	rows := []bucketRow{{SkillsUnmetRow: api.SkillsUnmetRow{Bucket: &november}}}
	for asOf, want := range map[string]string{"2026-11-26": "to 26 Nov", "2026-11-30": "to 30 Nov", "2026-12-01": ""} {
		if months := monthsOf(rows, dayOf(asOf), dayOf(asOf)); months[0].SoFar != want {
			t.Errorf("on %s November is %q, want %q", asOf, months[0].SoFar, want)
		}
	}
}

// The last whole quarter is compared with the one a year before, and without one the page has
// from when.
func TestQuartersCompared(t *testing.T) {
	for asOf, want := range map[string]string{"2026-11-26": "2026-07-01", "2026-12-31": "2026-07-01",
		"2027-01-01": "2026-10-01", "2026-01-01": "2025-10-01"} {
		if got := lastQuarter(dayOf(asOf)); !got.Equal(dayOf(want)) {
			t.Errorf("the last quarter before %s begins on %s, want %s", asOf, got, want)
		}
	}
	since := func(day string) []api.Quarter { return []api.Quarter{{From: dayOf(day)}} }
	for _, c := range []struct {
		quarters []api.Quarter
		want     string
	}{
		{nil, ""}, // too few adverts in every quarter, so nobody knows the month
		{since("2026-07-01"), "October 2027"},
		{since("2025-10-01"), "January 2027"},
		{since("2025-04-01"), ""}, // a year is over: a quarter between is too small
	} {
		if got := firstComparison(c.quarters, dayOf("2026-11-26")); got != c.want {
			t.Errorf("from %v it is compared from %q, want %q", c.quarters, got, c.want)
		}
	}
}

// The note explains the squares of handfuls and the band of none or all where the line has them.
func TestNoteOfALine(t *testing.T) {
	none, some := figure.Tenths(0), figure.Tenths(300)
	few, many := figure.BaseOf(7), figure.BaseOf(300)
	for _, c := range []struct {
		points       []chart.Point
		square, none bool
	}{
		{[]chart.Point{{Value: &some, Base: many}, {}}, false, false},
		{[]chart.Point{{Value: &some, Base: few}}, true, false},
		{[]chart.Point{{Value: &none, Base: many}}, false, true},
	} {
		note := trendNote(chart.LineChart{Points: c.points}, "quarter", "of this quarter")
		if strings.Contains(note, "Square: a handful of adverts (under 20)") != c.square ||
			strings.Contains(note, "3 divided by their number") != c.none {
			t.Errorf("%v: %s", c.points, note)
		}
	}
}

// The points of a line know their base, which decides the mark and the band of none.
func TestPointsHaveTheirBase(t *testing.T) {
	month := "2026-03"
	row := bucketRow{SkillsUnmetRow: askedOf(0, 44)}
	row.Bucket = &month
	points := append(monthPoints([]bucketRow{row}, dayOf("2026-03-31")),
		quarterPoints([]api.Quarter{{From: dayOf("2026-01-01"), Adverts: 44}}, "python", figure.CodingErrors{},
			dayOf("2026-03-31"))...)
	for _, p := range points {
		if p.Base.Band != "20-49" {
			t.Errorf("%s has the base %q", p.Label, p.Base.Band)
		}
	}
	if len(points) != 2 {
		t.Errorf("%d points", len(points))
	}
}

// Rows of a handful of adverts stand after all others, whose shares are often smaller.
func TestHandfulsAreLast(t *testing.T) {
	rows := []api.SkillsUnmetRow{askedOf(5, 5), askedOf(10, 50), askedOf(3, 6), askedOf(90, 300)}
	slices.SortStableFunc(rows, byAsking)
	var shares []string
	for _, r := range rows {
		shares = append(shares, shareInWords(r.AdvertsShare.Tenths))
	}
	if got := strings.Join(shares, " "); got != "30% 20% 100% 50%" {
		t.Errorf("the rows are %s", got)
	}
}
