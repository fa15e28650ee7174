package cells

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline/cells/engine"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// jobRow is a row of the answer jobs.
type jobRow struct {
	ID        string     `col:"id"`
	Type      string     `col:"type"`
	Title     string     `col:"title"`
	Employer  string     `col:"employer"`
	Boroughs  string     `col:"boroughs"`
	Sector    string     `col:"sector"`
	SOC       string     `col:"soc"`
	Salary    *string    `col:"salary_text"`
	PostedAt  time.Time  `col:"posted_at" is:"moment"`
	FirstSeen time.Time  `col:"first_seen" is:"moment"`
	ClosesOn  *time.Time `col:"closes_on"`
	Link      *string    `col:"link"`
	SourceKey string     `col:"source_key"`
}

// TestJobsShowOneAdvertOfEachVacancy: the counted one, or that of the first source, in every served
// borough that an advert shown of the vacancy names, and one from before the longest window as long as it is
// live. Every field is that of the advert.
func TestJobsShowOneAdvertOfEachVacancy(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	job := func(ordinal, precedence int32, id string, days int) staging.Job {
		return staging.Job{Ordinal: ordinal, Precedence: precedence, ID: id, PostedAt: asOf.AddDate(0, 0, days),
			FirstSeen: asOf, SourceKey: "s"}
	}
	closes := asOf.AddDate(0, 0, 9)
	full := staging.Job{Ordinal: 0, Precedence: 2, ID: "full", Type: "type", Title: "title", Employer: "employer",
		Sector: "sector", SOC: "2134", SalaryText: new("salary"), PostedAt: asOf.AddDate(0, 0, -9),
		FirstSeen: asOf.AddDate(0, 0, -8), ClosesOn: &closes, Link: new("link"), SourceKey: "source"}
	give(t, e, dir, "staged_jobs", []staging.Job{full, job(1, 1, "duplicate", -3), job(3, 2, "late source", -5),
		job(4, 1, "first source", -4), job(5, 1, "same source, later", -2), job(6, 1, "excluded", -1),
		job(8, 1, "z", -1), job(9, 1, "a", -1), job(10, 1, "old", -900), job(11, 1, "old, of the first", -900)})
	verdicts := []staging.AdvertVacancy{}
	for ordinal, as := range []int{0, 0, 2, 2, 2, 2, -1, 7, 7, 7} {
		verdicts = append(verdicts, countedVacancy(ordinal, as))
	}
	verdicts = append(verdicts, staging.AdvertVacancy{Ordinal: 10, CountedAs: -1, AppliedAs: 10},
		staging.AdvertVacancy{Ordinal: 11, CountedAs: -1, AppliedAs: 0})
	give(t, e, dir, "staged_advert_vacancies", verdicts)
	give(t, e, dir, "borough", boroughs)
	give(t, e, dir, "advert_place", []staging.AdvertPlace{{Ordinal: 0, CouncilCode: "E3"}, {Ordinal: 1, CouncilCode: "E1"},
		{Ordinal: 1, CouncilCode: "E3"}, {Ordinal: 2, CouncilCode: "E2"}, {Ordinal: 6, CouncilCode: "E2"},
		{Ordinal: 8, CouncilCode: "E9"}})
	at := func(id string, days int) jobRow {
		return jobRow{ID: id, PostedAt: asOf.AddDate(0, 0, days), FirstSeen: asOf, SourceKey: "s"}
	}
	want := []jobRow{at("old", -900),
		{ID: "full", Type: "type", Title: "title", Employer: "employer", Boroughs: "camden,islington",
			Sector: "sector", SOC: "2134", Salary: new("salary"), PostedAt: asOf.AddDate(0, 0, -9),
			FirstSeen: asOf.AddDate(0, 0, -8), ClosesOn: &closes, Link: new("link"), SourceKey: "source"},
		at("first source", -4), at("a", -1)}
	if d := cmp.Diff(want, ask[jobRow](t, e, dir, QueryJobs)); d != "" {
		t.Errorf("jobs (-want +got):\n%s", d)
	}
}

// TestPlacesOfSharedVacancies: every place of an advert that may be shared and is live on the day
// counts for its vacancy, each once.
func TestPlacesOfSharedVacancies(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	var verdicts []staging.AdvertVacancy
	var shared []staging.ShareableAdvert
	for ordinal, c := range []struct {
		as    int
		until int
	}{{0, 0}, {0, 5}, {2, -1}, {-1, 5}, {4, 5}} {
		verdicts = append(verdicts, countedVacancy(ordinal, c.as))
		shared = append(shared, staging.ShareableAdvert{Ordinal: int32(ordinal), LiveUntil: asOf.AddDate(0, 0, c.until)})
	}
	give(t, e, dir, "staged_advert_vacancies", append(verdicts, countedVacancy(5, 5),
		staging.AdvertVacancy{Ordinal: 6, CountedAs: -1, AppliedAs: 6}))
	shared = append(shared, staging.ShareableAdvert{Ordinal: 6, LiveUntil: asOf}) // from before the longest window
	give(t, e, dir, "staged_shared", shared)                                      // advert 5 may not be shared
	give(t, e, dir, "run", []runRow{{AsOf: asOf}})
	give(t, e, dir, "staged_shared_places", []staging.ShareablePlace{{Ordinal: 0, CouncilCode: "E2"},
		{Ordinal: 0, CouncilCode: "E1"},
		{Ordinal: 1, CouncilCode: "E1"}, {Ordinal: 1, Latitude: 51.5, Longitude: 0.2},
		{Ordinal: 1, Latitude: 51.5, Longitude: 0.1},
		{Ordinal: 1, Latitude: 50.5, Longitude: 0.3}, {Ordinal: 2, CouncilCode: "E1"}, {Ordinal: 3, CouncilCode: "E1"},
		{Ordinal: 4, CouncilCode: "E3"}, {Ordinal: 5, CouncilCode: "E1"},
		{Ordinal: 6, CouncilCode: "E4"}})
	want := []sharedPlace{{Vacancy: 0, Latitude: 50.5, Longitude: 0.3}, {Vacancy: 0, Latitude: 51.5, Longitude: 0.1},
		{Vacancy: 0, Latitude: 51.5, Longitude: 0.2}, {Vacancy: 0, Code: "E1"}, {Vacancy: 0, Code: "E2"},
		{Vacancy: 4, Code: "E3"}, {Vacancy: 6, Code: "E4"}}
	if got := ask[sharedPlace](t, e, dir, QueryShareablePlaces); !slices.Equal(got, want) {
		t.Errorf("places %v, want %v", got, want)
	}
}

// TestFiguresOnCoursesAreStatedOnce: the first that was read of each, if it is a number or "<5",
// with the licence and link of its source.
func TestFiguresOnCoursesAreStatedOnce(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	end, published := time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC), time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	base := staging.Statistic{Source: "s", Metric: "m", Country: "GB", RegionCode: "E1", RegionName: "One",
		SubjectArea: "care", Series: "full year", PeriodEnd: end, Status: "number", Published: published,
		Value: new(int64(5))}
	list := []staging.Statistic{base}
	for _, change := range []func(*staging.Statistic){
		func(s *staging.Statistic) { s.Value = new(int64(6)) }, // the same figure again
		func(s *staging.Statistic) { s.Source = "r" },
		func(s *staging.Statistic) { s.Metric = "l" },
		func(s *staging.Statistic) { s.Country = "AA" },
		func(s *staging.Statistic) { s.RegionCode = "E0" },
		func(s *staging.Statistic) { s.SubjectArea, s.Status, s.Value = "arts", "under_5", nil },
		func(s *staging.Statistic) { s.Series = "a quarter" },
		func(s *staging.Statistic) { s.PeriodEnd = end.AddDate(0, 0, -1) },
		func(s *staging.Statistic) { s.SubjectArea, s.Status, s.Value = "suppressed", "", nil },
	} {
		s := base
		change(&s)
		s.Ordinal = int32(len(list))
		list = append(list, s)
	}
	give(t, e, dir, "staged_statistics", list)
	give(t, e, dir, "source", []snapshots.SourcesRow{{Key: "r", Licence: "RL", Link: "RK"}, {Key: "s", Licence: "SL",
		Link: "SK"}})
	var got []string
	for _, r := range ask[figureRow](t, e, dir, QueryCourseFigures) {
		value := "<5"
		if r.Value != nil {
			value = fmt.Sprint(*r.Value)
		}
		if r.RegionName != "One" || !r.PublishedOn.Equal(published) {
			t.Errorf("%+v is not of One, published on %s", r, published)
		}
		got = append(got, strings.Join([]string{r.Source, r.Metric, r.Country, r.RegionCode, r.SubjectArea, r.Series,
			r.PeriodEnd.Format("02"), value, r.Licence, r.Link}, " "))
	}
	want := []string{"r m GB E1 care full year 31 5 RL RK", "s l GB E1 care full year 31 5 SL SK",
		"s m AA E1 care full year 31 5 SL SK", "s m GB E0 care full year 31 5 SL SK",
		"s m GB E1 arts full year 31 <5 SL SK", "s m GB E1 care a quarter 31 5 SL SK",
		"s m GB E1 care full year 30 5 SL SK", "s m GB E1 care full year 31 5 SL SK"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("figures (-want +got):\n%s", d)
	}
}

// TestChangesOfCourseDemand: a change is rounded to a tenth, half away from 0, and left out where
// there is no number before, a 0, or no room for it.
func TestChangesOfCourseDemand(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	end := time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		before, now *int64
		want        *figure.Tenths
	}{
		{new(int64(200)), new(int64(230)), new(figure.Tenths(150))},
		{new(int64(200)), new(int64(170)), new(figure.Tenths(-150))},
		{new(int64(200)), new(int64(200)), new(figure.Tenths(0))},
		{new(int64(2000)), new(int64(2001)), new(figure.Tenths(1))},
		{new(int64(2000)), new(int64(1999)), new(figure.Tenths(-1))},
		{new(int64(2001)), new(int64(2002)), new(figure.Tenths(0))},
		{new(int64(3)), new(int64(4)), new(figure.Tenths(333))},
		{new(int64(1)), new(int64(1000)), new(figure.Tenths(999_000))},
		{new(int64(1000)), new(int64(1_000_999)), new(figure.Tenths(999_999))},
		{new(int64(sources.MaxCount)), new(int64(0)), new(figure.Tenths(-1000))},
		{new(int64(5)), new(int64(sources.MaxCount)), nil},
		{new(int64(1000)), new(int64(1_001_000)), nil}, {new(int64(0)), new(int64(5)), nil},
		{new(int64(5)), new(int64(0)), new(figure.Tenths(-1000))}, {nil, new(int64(5)), nil}, {new(int64(5)), nil, nil},
	} {
		row := func(ordinal int32, end time.Time, value *int64, status string) staging.Statistic {
			return staging.Statistic{Ordinal: ordinal, Source: "s", Metric: "m", Country: "GB", RegionCode: "E1",
				RegionName: "One", RegionKind: "council", SubjectArea: "care", PeriodEnd: end, Value: value, Status: status}
		}
		give(t, e, dir, "staged_statistics", []staging.Statistic{row(0, end, c.now, "number"),
			row(1, end.AddDate(-1, 0, 0), c.before, "under_5")})
		rows := ask[snapshots.CourseDemandRow](t, e, dir, QueryCourseDemand)
		want := []snapshots.CourseDemandRow{
			{SourceKey: "s", Metric: "m", Country: "GB", RegionCode: "E1", RegionName: "One", RegionKind: "council",
				SubjectArea: "care", PeriodEnd: end.AddDate(-1, 0, 0), Value: c.before, ValueStatus: "under_5"},
			{SourceKey: "s", Metric: "m", Country: "GB", RegionCode: "E1", RegionName: "One", RegionKind: "council",
				SubjectArea: "care", PeriodEnd: end, Value: c.now, ValueStatus: "number", PreviousValue: c.before,
				PreviousValueStatus: "under_5", ChangePct: c.want}}
		if d := cmp.Diff(want, rows); d != "" {
			t.Errorf("course demand (-want +got):\n%s", d)
		}
	}
}

// TestOneSeriesOfCourseDemandIsShown: where two series have a figure of one day, or two sources
// have one series, that which began to be read first is shown for every day.
func TestOneSeriesOfCourseDemandIsShown(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	end := time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC)
	row := func(ordinal int32, series string, years int, value int64) staging.Statistic {
		return staging.Statistic{Ordinal: ordinal, Source: "s", Metric: "m", Country: "GB", RegionCode: "E1",
			SubjectArea: "care", Series: series, PeriodEnd: end.AddDate(years, 0, 0), Value: &value, Status: "number"}
	}
	give(t, e, dir, "staged_statistics", []staging.Statistic{row(5, "b first", -1, 10), row(6, "a later", -1, 20),
		row(7, "a later", 0, 30), row(8, "b first", 0, 40), row(9, "b first", 0, 50)})
	var got []string
	for _, r := range ask[snapshots.CourseDemandRow](t, e, dir, QueryCourseDemand) {
		previous := int64(-1)
		if r.PreviousValue != nil {
			previous = *r.PreviousValue
		}
		got = append(got, fmt.Sprint(r.PeriodEnd.Year(), " ", *r.Value, " ", previous))
	}
	if want := []string{"2025 10 -1", "2026 40 10"}; !slices.Equal(got, want) {
		t.Errorf("years, values and those before %q, want %q", got, want)
	}
}

// TestFieldsOfSkillsGaps: each projection has its own years, change and openings, rows are in
// order, and a change just within the room of the column is kept.
func TestFieldsOfSkillsGaps(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	ev := func(source, soc, occupation string, base, horizon int, change float64, openings int64) sources.Evidence {
		return sources.Evidence{Source: source, ID: occupation, Kind: "projection", Signal: "gap", SOC: soc,
			Class: "SOC2020", Country: "GB", Occupation: occupation, BaseYear: base, HorizonYear: horizon,
			ChangePct: &change, Openings: &openings, Published: sources.Date{Year: 2025, Month: 1, Day: 5}}
	}
	report := ev("c", "31", "third", 0, 0, 0, 0)
	report.Kind, report.ChangePct, report.Openings = "report", nil, nil
	older := report
	older.Source, older.Occupation, older.Published = "d", "an older name", sources.Date{Year: 2024, Month: 1, Day: 5}
	var got []string
	for _, r := range skillsGaps(t, e, dir, []sources.Evidence{ev("b", "21", "first", 2020, 2035, 12.34, 100),
		ev("a", "21", "of a", 0, 2030, -12.36, 200), ev("a", "21", "of a later", 2021, 2031, 99_999.8, 300),
		ev("a", "22", "second", 2021, 2031, 99_999.9, 400), older, report}) {
		text := func(p any) string { return strings.Trim(fmt.Sprintf("%+v", p), "&") }
		year := func(y *int32) string {
			if y == nil {
				return "-"
			}
			return fmt.Sprint(*y)
		}
		change, openings := "-", "-"
		if r.ProjectedChangePct != nil {
			change = fmt.Sprint(int64(*r.ProjectedChangePct))
		}
		if r.ProjectedOpenings != nil {
			openings = text(*r.ProjectedOpenings)
		}
		got = append(got, strings.Join([]string{r.SOC, r.Occupation, r.SourceKey, year(r.BaseYear), year(r.HorizonYear),
			change, openings, fmt.Sprint(r.SourcesAgreeing), r.PointingSources}, " "))
	}
	want := []string{"21 of a a - 2030 -124 200 2 a,b", "21 of a later a 2021 2031 999998 300 2 a,b",
		"21 first b 2020 2035 123 100 2 a,b", "22 second a 2021 2031 - 400 1 a", "31 third c - - - - 2 c,d"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("skills gaps (-want +got):\n%s", d)
	}
}

// TestPeriodOfTheOutlook: a projection is used from the first of July of its base year, to a
// horizon that ends in its last year, whatever the month of the day is.
func TestPeriodOfTheOutlook(t *testing.T) {
	for _, c := range []struct {
		day           string
		base, horizon int
		change        float64
		want          string
	}{
		{"2026-06-30", 2026, 2040, 10, "[]"}, {"2026-07-01", 2026, 2040, 10, "[6 12 24 36 48 60]"},
		{"2026-01-31", 2020, 2026, 10, "[6]"}, {"2026-01-31", 2020, 2027, 10, "[6 12]"},
		{"2026-12-31", 2020, 2027, 10, "[6 12]"}, {"2026-06-01", 2020, 2026, 10, "[6]"},
		{"2026-07-01", 2020, 2026, 10, "[]"}, {"2026-12-31", 2020, 2031, 10, "[6 12 24 36 48 60]"},
		{"2026-01-31", 2020, 2035, 10_000, "[6 12 24 36 48 60]"}, {"2026-01-31", 2020, 2035, 10_001, "[]"},
		{"2026-01-31", 2020, 2035, -100, "[]"}, {"2026-01-31", 2020, 2035, -99, "[6 12 24 36 48 60]"},
		{"2026-01-31", 0, 2035, 10, "[]"}, {"2026-01-31", 1, 2035, 10, "[6 12 24 36 48 60]"},
	} {
		day, err := time.Parse(time.DateOnly, c.day)
		if err != nil {
			t.Fatal(err)
		}
		db, err := openLocal(t.Context(), engine.Limits{}, day)
		if err != nil {
			t.Fatal(err)
		}
		got := []int16{}
		for _, r := range outlook(t, &QueryRunner{local: db, engine: db}, t.TempDir(),
			[]sources.Evidence{projection("a", "1", c.base, c.horizon, c.change, 2025)}) {
			got = append(got, r.HorizonMonths)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("on %s, of %d to %d by %v: horizons %v, want %s", c.day, c.base, c.horizon, c.change, got, c.want)
		}
	}
}

// TestOutlookBlendsItsSources: the mean, the lowest and the highest change, the openings of those
// that state them in hundreds, the name of the first source, and the keys of all that say something
// of the occupation.
func TestOutlookBlendsItsSources(t *testing.T) {
	a, b, c := projection("a", "1", 2025, 2035, 44, 2025), projection("b", "1", 2025, 2035, -20, 2025),
		projection("c", "1", 2025, 2035, 10, 2025)
	a.Occupation, b.Occupation, a.Openings, b.Openings = "Name of a", "Name of b", new(int64(10_300)), new(int64(20_300))
	b.Signal, c.Signal = "no_gap", "none"
	report, silent := a, a
	report.Source, report.Kind, report.Signal = "d", "report", "no_gap"
	silent.Source, silent.Kind, silent.Signal = "e", "report", "none"
	rows := outlook(t, localRunner(t), t.TempDir(), []sources.Evidence{c, b, a, report, silent})
	if len(rows) != 6 {
		t.Fatalf("%d rows", len(rows))
	}
	// Over five of ten years 44 % is 20.0 %, -20 % is -10.6 % and 10 % is 4.9 %.
	want := snapshots.OutlookRow{SOC: "2134", Occupation: "Name of a", Classification: "SOC2020", Country: "GB",
		HorizonMonths: 60, Signal: "no_gap", SourcesGap: 1, SourcesNoGap: 2, ProjectedChangePct: 48, LowChangePct: -106,
		HighChangePct: 200, ProjectedOpenings: new(int64(7700)), SourceKeys: "a,b,c,d"}
	if d := cmp.Diff(want, rows[5]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
