package cells

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/pipeline/staging"
	"labour/snapshots"
)

// TestFloorOfDemand holds the floor of demand at its edge: five adverts of three employers, however
// they are spread over sources and whichever the employers' numbers are.
func TestFloorOfDemand(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	const a, b, hidden = "platform", "find_an_apprenticeship", "not_shown"
	type of struct {
		employer int32
		source   string
	}
	for _, c := range []struct {
		name string
		list []of
		want bool
	}{
		{"five of three employers", []of{{1, a}, {1, a}, {1, a}, {2, a}, {3, a}}, true},
		{"four of four employers", []of{{1, a}, {2, a}, {3, a}, {4, a}}, false},
		{"five of two employers", []of{{1, a}, {1, a}, {1, a}, {2, a}, {2, a}}, false},
		{"five of two employers, one source each", []of{{1, a}, {1, a}, {1, a}, {2, b}, {2, b}}, false},
		{"five of two employers, both in both sources", []of{{1, a}, {2, a}, {1, b}, {2, b}, {2, b}}, false},
		{"the third in another source", []of{{1, a}, {1, a}, {3, a}, {3, a}, {2, b}}, true},
		{"the third is the highest of another source", []of{{1, a}, {1, a}, {2, a}, {2, a}, {3, b}}, true},
		{"one employer each of three sources, one hidden", []of{{1, a}, {1, a}, {2, b}, {2, b}, {3, hidden}, {2, b}},
			false},
		{"the fifth is hidden", []of{{1, a}, {2, a}, {3, b}, {3, b}, {3, hidden}}, false},
		{"large numbers", []of{{70_000, a}, {70_001, a}, {70_002, b}, {70_002, b}, {70_002, a}}, true},
	} {
		var list []vacancy
		for i, v := range c.list {
			list = append(list, vacancy{Vacancy: int32(i), Employer: v.employer, SOC: "2134", Source: v.source,
				Posted: asOf, Until: asOf})
		}
		if rows := countEmbargoed[snapshots.DemandRow](t, e, dir, QueryDemand, list, nil); len(rows) > 0 != c.want {
			t.Errorf("%s: %+v", c.name, rows)
		}
	}
}

// TestDemandCountsAVacancyOnceADay: a vacancy that is advertised again in the next month, while its first
// advert is still live, is one vacancy on the days that both adverts share.
func TestDemandCountsAVacancyOnceADay(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	for want := int32(4); want <= 5; want++ {
		var list []vacancy
		for i := range want {
			v := vacancy{Vacancy: i, Employer: i, SOC: "2134", Source: "platform", Posted: asOf, Until: asOf}
			before := v
			before.Posted = asOf.AddDate(0, -1, 0)
			list = append(list, before, v)
		}
		var got []int32
		for _, row := range countEmbargoed[snapshots.DemandRow](t, e, dir, QueryDemand, list, nil) {
			got = append(got, row.Vacancies)
		}
		if want < 5 && got != nil {
			t.Errorf("four vacancies are less than the floor, got %v", got)
		}
		if want == 5 && (len(got) != 32 || slices.ContainsFunc(got, func(n int32) bool { return n != want })) {
			t.Errorf("five vacancies of 32 days: got %v", got)
		}
	}
}

// TestCourseDemandComparesOneSeries holds what a figure on courses is compared with: the same metric,
// place, subject, series and source exactly one year before, and nothing else.
func TestCourseDemandComparesOneSeries(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	now := time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC)
	base := staging.Statistic{Source: "s", Metric: "m", Country: "GB", RegionCode: "E1", SubjectArea: "care",
		PeriodEnd: now, Series: "full year"}
	for _, c := range []struct {
		name   string
		change func(*staging.Statistic)
		want   bool
	}{
		{"the same", func(*staging.Statistic) {}, true},
		{"another series", func(s *staging.Statistic) { s.Series = "to January" }, false},
		{"another metric", func(s *staging.Statistic) { s.Metric = "m2" }, false},
		{"another country", func(s *staging.Statistic) { s.Country = "IE" }, false},
		{"another region", func(s *staging.Statistic) { s.RegionCode = "E2" }, false},
		{"another subject", func(s *staging.Statistic) { s.SubjectArea = "arts" }, false},
		{"another source", func(s *staging.Statistic) { s.Source = "s2" }, false},
		{"two years before", func(s *staging.Statistic) { s.PeriodEnd = now.AddDate(-2, 0, 0) }, false},
	} {
		before, after := base, base
		before.PeriodEnd, before.Value = now.AddDate(-1, 0, 0), new(int64(200))
		after.Ordinal, after.Value = 1, new(int64(230))
		c.change(&before)
		give(t, e, dir, "staged_statistics", []staging.Statistic{before, after})
		var found []snapshots.CourseDemandRow
		for _, row := range ask[snapshots.CourseDemandRow](t, e, dir, QueryCourseDemand) {
			if row.PeriodEnd.Equal(now) {
				found = append(found, row)
			}
		}
		if len(found) != 1 || (found[0].PreviousValue != nil) != c.want || (found[0].ChangePct != nil) != c.want {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
}

// TestBoroughsOfOldVacancies holds where people count who applied to adverts that are not counted. An old
// vacancy is in the boroughs of its adverts. A counted one is in those of its counted adverts only: an
// old advert of it adds none.
func TestBoroughsOfOldVacancies(t *testing.T) {
	r := raw{}
	for i, v := range []staging.AdvertVacancy{{}, {CountedAs: -1, AppliedAs: 0}, {CountedAs: -1, AppliedAs: 2}} {
		v.Ordinal = int32(i)
		r.verdicts = append(r.verdicts, v)
		r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i), Source: "platform",
			FirstSource: "platform", Posted: asOf.AddDate(0, -2, 0), PlacePrecision: 2, Readable: true})
	}
	for ordinal, codes := range [][]string{{"E1"}, {"E2"}, {"E2", "E3"}} {
		for _, code := range codes {
			r.places = append(r.places, staging.AdvertPlace{Ordinal: int32(ordinal), CouncilCode: code, IsCertain: true})
		}
	}
	want := map[string]string{}
	for i, c := range []struct{ advert, borough, place string }{
		{"a1", "hackney", "camden"}, // the old advert's own borough is none of the vacancy
		{"a2", "islington", "islington"}, {"a2", "camden", "hackney"},
	} {
		id := fmt.Sprint("r", i)
		r.people = append(r.people, staging.Resident{Ordinal: int32(i), ID: id, Borough: c.borough})
		r.outcomes = append(r.outcomes, outcome{
			ApplicationOutcome: staging.ApplicationOutcome{Ordinal: int32(i), ApplicationID: fmt.Sprint("p", i),
				ResidentID: id, AdvertID: c.advert,
				RecordedMicros: peopleTo.UnixMicro(), Day: peopleTo},
			OutcomeSkill: staging.OutcomeSkill{Outcome: int32(i), Skill: int16(i), RequiredLevel: 3}})
		want[skillList[i]] = c.place
	}
	dir := t.TempDir()
	e := r.stage(t, dir, nil)
	defer e.Close()
	got := map[string]string{}
	for _, row := range ask[personRow](t, e, dir, QueryDecidedApplicants) {
		got[row.Skill] += row.Place
	}
	if !maps.Equal(got, want) {
		t.Errorf("places %v, want %v", got, want)
	}
}

// TestWindowOfAsked holds the first day of the 24 months in which a skill counts as asked for.
func TestWindowOfAsked(t *testing.T) {
	first := time.Date(asOf.Year(), asOf.Month()-23, 1, 0, 0, 0, 0, time.UTC)
	for posted, want := range map[time.Time]int{first: 1, first.AddDate(0, 0, -1): 0, asOf: 1} {
		advert := staging.Advert{ID: "a0", Source: "platform", FirstSource: "platform", Posted: posted, Readable: true}
		r := raw{adverts: []staging.Advert{advert},
			verdicts: []staging.AdvertVacancy{{}}, skills: []staging.AdvertSkill{{Skill: 1, Level: 2}}}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		if rows := ask[askedRow](t, e, dir, QueryRequiredCombinations); len(rows) != want {
			t.Errorf("posted on %s: %v", posted.Format(time.DateOnly), rows)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestWindowOfSkillLevels holds whose levels are counted: of adverts of the last 24 months that give what
// they ask for.
func TestWindowOfSkillLevels(t *testing.T) {
	first := time.Date(asOf.Year(), asOf.Month()-23, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		posted   time.Time
		readable bool
		want     int
	}{{first, true, 1}, {first.AddDate(0, 0, -1), true, 0}, {asOf, true, 1}, {asOf.AddDate(0, 1, 0), true, 0},
		{asOf, false, 0}} {
		advert := staging.Advert{ID: "a0", Source: "platform", FirstSource: "platform", Posted: c.posted,
			Readable: c.readable}
		r := raw{adverts: []staging.Advert{advert},
			verdicts: []staging.AdvertVacancy{{}}, skills: []staging.AdvertSkill{{Skill: 1, Level: 2}}}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		if rows := ask[levelRow](t, e, dir, QuerySkillLevels); len(rows) != c.want {
			t.Errorf("posted on %s, readable %t: %v", c.posted.Format(time.DateOnly), c.readable, rows)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSharedVacancies checks which vacancies may be shared: every one with an advert that may be
// shared, also the first one read, however long ago it was posted. Its terms are those of the counted advert or
// else of the first source.
func TestSharedVacancies(t *testing.T) {
	e, dir := localRunner(t), t.TempDir()
	type advert struct {
		Ordinal   int32  `col:"ordinal"`
		Vacancy   int32  `col:"vacancy"`
		Employer  int32  `col:"employer"`
		SOC       string `col:"soc"`
		IsCounted bool   `col:"is_counted"`
	}
	type month struct {
		Ordinal int32 `col:"ordinal"`
		Chosen  int32 `col:"chosen"`
	}
	row := func(ordinal, precedence int32, source string, from, to int) staging.ShareableAdvert {
		return staging.ShareableAdvert{Ordinal: ordinal, Precedence: precedence, SourceKey: source,
			Posted: asOf.AddDate(0, 0, from), LiveUntil: asOf.AddDate(0, 0, to)}
	}
	give(t, e, dir, "staged_shared", []staging.ShareableAdvert{row(0, 2, "late", -9, -1), row(1, 1, "early", -5, 3),
		row(3, 1, "early", -2, 2), row(4, 2, "late", -2, 2), row(5, 1, "early", -1, 1), row(6, 1, "early", -90, -80),
		row(7, 1, "early", -950, 4), row(8, 1, "early", -900, -800)})
	// Advert 5 is of no counted vacancy. The vacancy of advert 2 was advertised months ago too, for another group.
	give(t, e, dir, "advert_month", []month{{0, 0}, {1, 0}, {2, 2}, {3, 2}, {4, 2}, {6, 6}})
	// Adverts 7 and 8 are from before the longest window: one of its own, one of the vacancy of advert 0.
	give(t, e, dir, "admitted_advert", []advert{{0, 0, 7, "2134", true}, {1, 0, 7, "2134", true}, {2, 2, 8, "6135", true},
		{3, 2, 8, "6135", true}, {4, 2, 8, "6135", true}, {6, 2, 8, "6136", true}, {7, 7, 9, "9263", false},
		{8, 0, 7, "2134", false}})
	live := func(number, employer int32, soc, source string, from, to int) vacancy {
		return vacancy{number, employer, soc, source, asOf.AddDate(0, 0, from), asOf.AddDate(0, 0, to)}
	}
	want := []vacancy{live(0, 7, "2134", "early", -900, -800), live(0, 7, "2134", "late", -9, 3),
		live(2, 8, "6136", "early", -90, -80),
		live(2, 8, "6135", "early", -2, 2), live(7, 9, "9263", "early", -950, 4)}
	if diff := cmp.Diff(want, ask[vacancy](t, e, dir, QueryShareableVacancies)); diff != "" {
		t.Error(diff)
	}
}

// broken is a cluster that answers nothing and counts how often it is closed.
type broken struct {
	engine.Engine
	closed int
}

var errBroken = errors.New("asked the cluster")

func (b *broken) Write(context.Context, string, string) error       { return errBroken }
func (b *broken) Materialise(context.Context, string, string) error { return errBroken }
func (b *broken) CreateView(context.Context, string, string) error  { return errBroken }
func (b *broken) Close() error                                      { b.closed++; return nil }

// TestQuestionsAskedHere asks everything of a cluster that answers nothing: what is made of answers is
// counted on this machine, and everything else is not.
func TestQuestionsAskedHere(t *testing.T) {
	e, dir, cluster := localRunner(t), t.TempDir(), &broken{}
	e.engine = cluster
	e.queryTables = map[string]bool{}
	countEmbargoed[snapshots.DemandRow](t, e, dir, QueryDemand, nil, nil)
	countEmbargoed[snapshots.TrendsRow](t, e, dir, QueryTrends, nil, nil)
	workplaces(t, e, dir, nil, nil)
	reach(t, e, dir, nil)
	outlook(t, e, dir, nil)
	skillsGaps(t, e, dir, nil)
	for _, q := range allQuestions {
		if err := e.WriteResult(t.Context(), q, filepath.Join(dir, "answer.parquet")); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", q, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.unsorted")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	closing := &QueryRunner{engine: cluster}
	if err := closing.Close(); err != nil || cluster.closed != 1 {
		t.Errorf("closed the cluster %d times, %v", cluster.closed, err)
	}
}

// TestClusterWritesEveryAnswer holds that the answer of a cluster is its own, and not one that was there.
func TestClusterWritesEveryAnswer(t *testing.T) {
	advert := staging.Advert{ID: "a0", Source: "platform", FirstSource: "platform", Posted: asOf, Readable: true}
	r := raw{adverts: []staging.Advert{advert}, verdicts: []staging.AdvertVacancy{{}}}
	db, err := duckdb.Open(t.Context(), engine.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	e := r.stage(t, dir, shuffled{db})
	file := filepath.Join(dir, "total.parquet")
	if err := errors.Join(e.WriteResult(t.Context(), QueryAdvertsTotal, file), e.Close()); err != nil {
		t.Fatal(err)
	}
	if about, err := os.Stat(file); err != nil || about.Size() == 0 {
		t.Errorf("no answer: %v", err)
	}
}
