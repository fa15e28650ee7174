package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

func TestAddressesLeaveOutEmptyValues(t *testing.T) {
	for _, c := range []struct {
		q    url.Values
		want string
	}{
		{nil, "/skills"}, {url.Values{"place": nil, "soc": {""}}, "/skills"},
		{url.Values{"soc": {"", "6135"}}, "/skills"},
		{url.Values{"place": {"camden", "hackney"}, "by": {"a b"}}, "/skills?by=a+b&place=camden"},
	} {
		if got := address("/skills", c.q); got != c.want {
			t.Errorf("%v: %s, want %s", c.q, got, c.want)
		}
	}
}

// Statistics of the United States have no regions.
func TestStatisticsOfTheUnitedStates(t *testing.T) {
	s := planSnapshot()
	for target, want := range map[string]string{
		"/gaps":                          "GB  [{ United Kingdom true} {US United States false}]",
		"/gaps?region=camden":            "GB Camden [{ United Kingdom true} {US United States false}]",
		"/gaps?region=camden&country=US": "US  [{ United Kingdom false} {US United States true}]",
	} {
		country, region, countries := areaOf(visit(s, target))
		if got := fmt.Sprint(country, " ", region.Name, " ", countries); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}

func TestBarsReachToTheLargestShare(t *testing.T) {
	rows := []api.SkillsUnmetRow{shareOf(120, 0, ""), shareOf(305, 0, ""), shareOf(40, 0, "")}
	if got := mostAskedShare(rows); got != 305 {
		t.Errorf("the largest share is %d tenths, want 305", got)
	}
	if got := mostAskedShare(nil); got != 0 {
		t.Errorf("the largest share of no rows is %d", got)
	}
}

// The training of a sector is that of the borough with a link to it, or else that of England.
func TestTrainingOfASector(t *testing.T) {
	s := planSnapshot()
	latest := api.DateOf(dayOf("2026-07-31"))
	row := func(subject string, end api.Date) api.CourseDemandRow {
		return api.CourseDemandRow{Metric: "apprenticeship_starts", SubjectArea: subject, PeriodEnd: end}
	}
	const health = "Health, Public Services and Care"
	s.training = []api.CourseDemandRow{row(health, latest), row("Leisure, Travel and Tourism", latest),
		row(health, api.DateOf(dayOf("2025-07-31")))}
	sector := "care-services"
	for place, want := range map[string]string{"": "England ", "camden": "Camden /courses?region=camden"} {
		w := ways{Sector: &bucketRow{}}
		w.Sector.Bucket = &sector
		w.training(visit(s, "/skills/sql"), filter{Place: place})
		found := len(w.Subjects) == 1 && w.Subjects[0].SubjectArea == health && w.Subjects[0].PeriodEnd == latest
		if got := w.Region + " " + w.Training; got != want || !found {
			t.Errorf("%q: %q with %+v, want %q and the first row", place, got, w.Subjects, want)
		}
	}
}

func TestNextOccupationsHaveTheirSkills(t *testing.T) {
	s := &fixed{named: map[api.Vocabulary][]api.Named{api.Occupations: {{Value: "6135", Name: "Care workers"}},
		api.Skills: {{Value: "first-aid", Name: "First aid"}}},
		next: []api.NextOccupation{{SOC: "6135", Skills: api.Keys{"first-aid", "new"}}, {SOC: "9"}}}
	v := visit(s, "/occupations/6136")
	v.place = "camden"
	var d occupationView
	occupationNext(v, filter{}, &d)
	want := "[{{6135 Care workers    0} /occupations/6135?place=camden [{First aid /skills/first-aid?place=camden} " +
		"{new /skills/new?place=camden}]} {{9 9    0} /occupations/9?place=camden []}]"
	if got := fmt.Sprint(d.Next); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Shares of residents are all clear where counts are not rounded. Nothing is known of places while
// the number of residents is not published, which is asked once.
func TestResidentsOfPlacesThatAreNotPublished(t *testing.T) {
	s := planSnapshot()
	if got := registeredIn(visit(s, "/skills")); got != nil {
		t.Errorf("without rounding %v are registered", got)
	}
	s.people.Protection = "rounded"
	v := visit(s, "/skills")
	if got := registeredIn(v); got == nil || len(got) > 0 {
		t.Errorf("%v are registered, want none", got)
	}
	v.snapshot = nil // is not asked again
	if got := registeredIn(v); got == nil {
		t.Error("the registered residents are read again")
	}
}

// The line has months where they have 50 adverts each, with the line of all places behind that of a
// place.
func TestALineOfMonths(t *testing.T) {
	months := func(asking int64) (rows []api.SkillsUnmetRow) {
		for _, month := range []string{"2026-09", "2026-10", "2026-11"} {
			r := askedOf(asking, 100)
			r.Bucket = &month
			rows = append(rows, r)
		}
		return rows
	}
	s := planSnapshot()
	s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
		if q.Place != "" || q.By != api.ByMonth || q.Skill != "sql" || q.Window != 24 {
			t.Errorf("all places are asked for with %+v", q)
		}
		return months(40)
	}
	s.quarters = []api.Quarter{{From: dayOf("2026-07-01"), Adverts: 60, AdvertsBySkill: map[string]int64{"sql": 6}},
		{From: dayOf("2026-10-01"), Adverts: 60}}
	for _, c := range []struct {
		place, step, drawn, absent string
		adverts                    int64
	}{
		{"", "month", ">Sep 26</text>", `class="behind" d="M`, 50},
		{"camden", "month", `class="behind" d="M78 `, "Jul–Sep", 50},
		{"", "quarter", ">Jul–Sep 26</text>", `class="behind" d="M`, 49},
		{"camden", "quarter", `class="behind" d="M78 `, ">Sep 26<", 49},
	} {
		d := &skillView{Skill: "sql", Name: "SQL"}
		for _, r := range months(10) {
			r.AdvertsSample = figure.AdvertSample{Requiring: 10, Adverts: c.adverts}
			d.Rows = append(d.Rows, bucketRow{SkillsUnmetRow: r})
		}
		v := visit(s, "/skills/sql")
		line := trendOf(v, filter{Place: c.place, Window: 12}, d, s.AsOf())
		drawing := string(line.Drawing)
		if v.err != nil || line.Step != c.step || !strings.Contains(drawing, c.drawn) ||
			strings.Contains(drawing, c.absent) || !strings.Contains(drawing, "to 20 Nov") ||
			!strings.Contains(drawing, "asking for SQL by "+c.step) {
			t.Errorf("%q of %d adverts a month: by %s, %s (%v)", c.place, c.adverts, line.Step, drawing, v.err)
		}
		if got := strings.Contains(line.Note, "The grey line is all places."); got != (c.place != "") {
			t.Errorf("%q: the note says %s", c.place, line.Note)
		}
	}
	one := &skillView{Rows: []bucketRow{{SkillsUnmetRow: months(10)[2]}}}
	if line := trendOf(visit(s, "/"), filter{}, one, s.AsOf()); line != (trendLine{}) {
		t.Errorf("a line of one month is drawn: %+v", line)
	}
}

// A brief under another name of its place moves to the slug.
func TestABriefMovesToItsPlace(t *testing.T) {
	v := visit(planSnapshot(), "/places/E09000007/brief?window=24")
	v.SetPathValue("place", "E09000007")
	(&Site{}).brief(v)
	if to, ok := v.err.(redirectError); !ok || string(to) != "/places/camden/brief?window=24" {
		t.Errorf("it leads to %v with status %d", v.err, http.StatusMovedPermanently)
	}
}
