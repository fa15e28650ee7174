package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// planSnapshot is a snapshot in which care services in Camden ask for first aid. Camden has too few
// adverts for an occupation.
func planSnapshot() *fixed {
	camden := api.Named{Value: "camden", Name: "Camden", Code: "E09000007"}
	care, name, major, group, unit := "care-services", "Care", "6", "613", "6135"
	s := &fixed{asOf: dayOf("2026-11-20"), regions: map[string]api.Region{
		"E09000007": {Code: "E09000007", Name: "Camden"}, "E69000039": {Code: "E69000039", Name: "Central London"}},
		named: map[api.Vocabulary][]api.Named{api.Places: {camden}, api.Sectors: {{Value: care, Name: name}}}}
	s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
		row := askedOf(30, 100)
		row.Skill, row.SkillName, row.Bucket, row.BucketName = "first-aid", "First aid", &care, &name
		if q.By != api.BySOC {
			return []api.SkillsUnmetRow{row}
		}
		row.Bucket, row.BucketName = &major, &major
		rows := []api.SkillsUnmetRow{row}
		if q.Place == "" && q.Sector == care && q.Skill == "first-aid" {
			for soc, adverts := range map[*string]int64{&group: 300, &unit: 200} {
				more := askedOf(30, adverts)
				more.Bucket, more.BucketName = soc, soc
				rows = append(rows, more)
			}
		}
		return rows
	}
	return s
}

func TestAPlaceWithTooFewAdvertsHasTheOccupationOfAllPlaces(t *testing.T) {
	v := visit(planSnapshot(), "/plan?place=camden")
	d := planOf(v)
	if v.err != nil || len(d.Rows) != 1 || d.Rows[0].Occupation == nil || *d.Rows[0].Occupation.Bucket != "6135" {
		t.Errorf("%v: %+v, want the unit group 6135", v.err, d.Rows)
	}
	v = visit(planSnapshot(), "/plan?place=camden")
	v.err = errors.New("broken")
	if r := occupationAsking(v, api.SkillsUnmetQuery{Sector: "care-services", Skill: "first-aid",
		By: api.BySOC}); r != nil {
		t.Errorf("after a fault the occupation is %s", *r.Bucket)
	}
	s := planSnapshot()
	s.unmet = nil
	if r := occupationAsking(visit(s, "/plan"), api.SkillsUnmetQuery{}); r != nil {
		t.Errorf("without rows the occupation is %s", *r.Bucket)
	}
}

// An occupation has the forecast of the narrowest group around it, of equal ones the first.
func TestAPlanHasTheNarrowestForecast(t *testing.T) {
	s := planSnapshot()
	for want, socs := range map[string]string{"613 at 1": "6 613 61 613 2135", "6135 at 0": "6135 613",
		"": "2 61351 614"} {
		s.gaps = nil
		for i, soc := range strings.Fields(socs) {
			s.gaps = append(s.gaps, api.SkillsGapsRow{SOC: soc, Occupation: fmt.Sprint(" at ", i)})
		}
		got := ""
		if f := planOf(visit(s, "/plan")).Rows[0].Forecast; f != nil {
			got = f.SOC + f.Occupation
		}
		if got != want {
			t.Errorf("of the forecasts %s the plan has %q, want %q", socs, got, want)
		}
	}
	d := planTable{Rows: []planRow{{}}}
	if d.forecasts(visit(s, "/plan")); d.Rows[0].Forecast != nil {
		t.Error("a row without an occupation has a forecast")
	}
}

// The plan has the largest figure of the newest period in the sector's field, of equal ones the first.
func TestAPlanHasTheLargestTraining(t *testing.T) {
	old, latest := api.DateOf(dayOf("2025-07-31")), api.DateOf(dayOf("2026-07-31"))
	row := func(name, subject string, end api.Date, n int64) api.CourseDemandRow {
		return api.CourseDemandRow{Metric: "apprenticeship_starts", RegionName: name, SubjectArea: subject, PeriodEnd: end,
			Value: api.Count{Count: figure.CountOf(n)}}
	}
	const health = "Health, Public Services and Care"
	s := planSnapshot()
	s.training = []api.CourseDemandRow{row("a", health, old, 900), row("b", "Leisure, Travel and Tourism", latest, 800),
		row("c", health, latest, 500), row("d", strings.ToUpper(health), latest, 700), row("e", health, latest, 700)}
	for target, where := range map[string]string{"/plan": "England", "/plan?place=camden": "Camden"} {
		d := planOf(visit(s, target))
		if one := d.Rows[0].Training; one == nil || one.RegionName != "d" || d.Training != where {
			t.Errorf("%s: %+v in %s, want row d in %s", target, one, d.Training, where)
		}
	}
}

// Of each area's plan a row has the closest entry: its sector, its skill, or the narrowest group of
// its occupation.
func TestAPlanHasTheClosestPriorities(t *testing.T) {
	entry := func(area, kind, code string) api.PrioritiesRow {
		return api.PrioritiesRow{RegionCode: area, Kind: kind, Code: code, Name: kind + " " + code}
	}
	occupation := "6135"
	r := planRow{Sector: planSnapshot().unmet(api.SkillsUnmetQuery{})[0]}
	r.Occupation = &api.SkillsUnmetRow{Bucket: &occupation}
	for _, c := range []struct {
		one       api.PrioritiesRow
		listed    bool
		closeness int
	}{
		{entry("", "sector", "care-services"), true, 6}, {entry("", "sector", "first-aid"), false, 6},
		{entry("", "skill", "first-aid"), true, 5}, {entry("", "skill", "care-services"), false, 5},
		{entry("", "occupation", "6135"), true, 4}, {entry("", "occupation", "61"), true, 2},
		{entry("", "occupation", "2"), false, 1},
	} {
		if got := r.isListed(c.one); got != c.listed || closeness(c.one) != c.closeness {
			t.Errorf("%s: listed %v and closeness %d, want %v and %d", c.one.Name, got, closeness(c.one), c.listed, c.closeness)
		}
	}
	if r.Occupation = nil; r.isListed(entry("", "occupation", "6")) {
		t.Error("a row without an occupation is in a list of occupations")
	}
	s := planSnapshot()
	s.local = []api.PrioritiesRow{entry("E69000040", "occupation", "61"), entry("E69000039", "skill", "first-aid"),
		entry("E69000040", "occupation", "613"), entry("E69000039", "sector", "care-services"),
		entry("E69000039", "sector", "legal")}
	d := planOf(visit(s, "/plan"))
	var got []string
	for _, p := range d.Rows[0].Priorities {
		got = append(got, p.Area+": "+p.Name)
	}
	want := []string{"Central London: sector care-services", "E69000040: occupation 613"}
	if !slices.Equal(got, want) || !d.Local {
		t.Errorf("%q, want %q", got, want)
	}
	s.local = nil
	if d := planOf(visit(s, "/plan")); d.Local || d.Rows[0].Priorities != nil {
		t.Error("an embargoed dataset is in the plan")
	}
}

// correctedBefore is a snapshot in which the figure of July 2025 was corrected.
type correctedBefore struct{ *fixed }

func (correctedBefore) CorrectionOf(record string) (api.Correction, bool) {
	old, corrected := "1350", "1250"
	return api.Correction{Record: "starts of July 2025", Old: &old, New: &corrected, Reason: "a slip",
		DecidedOn: api.DateOf(dayOf("2026-08-03"))}, strings.Contains(record, "2025-07-31")
}

// A line of the file has the same number of fields whatever is missing.
func TestLinesOfAPlan(t *testing.T) {
	made := corrections{correctedBefore{planSnapshot()}}
	sector, name, unit, change := "care", "Care", "6135", figure.Tenths(-15)
	row := planRow{Sector: askedOf(30, 100)}
	row.Sector.Bucket, row.Sector.BucketName, row.Sector.Skill, row.Sector.SkillName = &sector, &name, "aid", "Aid"
	const first = "care|Care|aid|Aid|30.0|100-249|0.0|||"
	if got := strings.Join(row.line(made), "|"); got != first+strings.Repeat("|", 13) {
		t.Errorf("a row without anything else is %s", got)
	}
	base, horizon := 2025, 2035
	row.Occupation = &api.SkillsUnmetRow{Bucket: &unit, BucketName: &name}
	row.Forecast = &api.SkillsGapsRow{SourcesAgreeing: 2, BaseYear: &base, ProjectedChange: api.Percent{Tenths: &change}}
	row.Training = &api.CourseDemandRow{Metric: "starts", SubjectArea: "=Care", PeriodEnd: api.DateOf(dayOf("2026-07-31")),
		Value: api.Count{Count: figure.CountOf(1230)}, YearOnYear: api.YearOnYear{Change: api.Percent{Tenths: &change}}}
	row.Priorities = []planPriority{{api.PrioritiesRow{Name: "Aid", Link: "https://a.example/"}, "North"},
		{api.PrioritiesRow{Name: "Care", Link: "https://b.example/"}, "South"}}
	want := first + "6135|Care|2|-1.5|2025||starts|'=Care|2026-07-31|1230|-1.5|On 2026-08-03 the operator corrected " +
		"the figure starts of July 2025 to 1250; the publisher gives 1350: a slip.|North: Aid; South: Care|" +
		"https://a.example/ https://b.example/"
	if got := strings.Join(row.line(made), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if row.Forecast.HorizonYear = &horizon; !strings.Contains(strings.Join(row.line(made), "|"), "|2025|2035|") {
		t.Error("the last year of the forecast is missing")
	}
}

// Each kind of training has the rows of its newest period, with the total apart and the largest
// other value.
func TestKindsOfTraining(t *testing.T) {
	old, latest := api.DateOf(dayOf("2025-07-31")), api.DateOf(dayOf("2026-07-31"))
	row := func(metric, subject string, end api.Date, n int64) api.CourseDemandRow {
		return api.CourseDemandRow{Metric: metric, SubjectArea: subject, IsTotal: subject == "Total", PeriodEnd: end,
			Value: api.Count{Count: figure.CountOf(n)}}
	}
	kinds := kindsOfTraining([]api.CourseDemandRow{row("skills_bootcamp_starts", "Care", old, 10),
		row("apprenticeship_starts", "Arts", latest, 20), row("apprenticeship_starts", "Total", latest, 90),
		row("apprenticeship_starts", "Care", latest, 70), row("apprenticeship_starts", "Law", old, 500),
		row("apprenticeship_starts", "Law", latest, 3)})
	if len(kinds) != 2 || kinds[0].Metric != "apprenticeship_starts" || kinds[1].Metric != "skills_bootcamp_starts" {
		t.Fatalf("%+v, want starts and then bootcamps", kinds)
	}
	var subjects []string
	for _, r := range kinds[0].Rows {
		subjects = append(subjects, r.SubjectArea)
	}
	if k := kinds[0]; strings.Join(subjects, " ") != "Care Arts Law" || k.Most != 70 || k.Total == nil ||
		*k.Total != row("apprenticeship_starts", "Total", latest, 90) || *k.Period != latest {
		t.Errorf("%q, %+v", subjects, k)
	}
	if k := kinds[1]; len(k.Rows) != 1 || k.Most != 10 || k.Total != nil || *k.Period != old {
		t.Errorf("%+v", k)
	}
}

// A place with a plan of its own has only that. Else it has those of all areas, ten entries of each.
func TestPrioritiesOfAPlace(t *testing.T) {
	s := planSnapshot()
	for i := range 22 {
		s.local = append(s.local, api.PrioritiesRow{RegionCode: []string{"E69000039", "E69000040"}[i%2],
			Name: string(rune('a' + i))})
	}
	list := func(code string) string {
		d := placeView{Place: api.Named{Code: code}}
		placePriorities(visit(s, "/places/camden"), filter{}, &d)
		var parts []string
		for _, p := range d.Priorities {
			names := p.Area + " "
			for _, r := range p.Rows {
				names += r.Name
			}
			parts = append(parts, names)
		}
		return strings.Join(parts, ", ")
	}
	if got, want := list("E09000007"), "Central London acegikmoqs, E69000040 bdfhjlnprt"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := list("E69000040"), "E69000040 bdfhjlnprt"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if s.local = nil; list("E69000040") != "" {
		t.Error("an embargoed dataset is on the page")
	}
}

// TestTrainingOfFormerAreas: the figures of areas that became part of an area are not among its own.
func TestTrainingOfFormerAreas(t *testing.T) {
	rows := []api.CourseDemandRow{{RegionCode: "E06000063"}, {RegionCode: "E07000026"}}
	if got := ofCurrentArea(rows, "E06000063"); len(got) != 1 || got[0].RegionCode != "E06000063" {
		t.Errorf("of the area: %+v", got)
	}
	if got := ofCurrentArea(rows, ""); len(got) != 2 {
		t.Errorf("of the country: %+v", got)
	}
}
