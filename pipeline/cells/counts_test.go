package cells

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/pipeline/cells/engine"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// vacancy is a row of the answer shared.
type vacancy struct {
	Vacancy  int32     `col:"vacancy"`
	Employer int32     `col:"employer"`
	SOC      string    `col:"soc"`
	Source   string    `col:"source_key"`
	Posted   time.Time `col:"posted"`
	Until    time.Time `col:"until"`
}

// shown is a source that may be in a dataset, and since when it is fetched if it shows only
// what is live.
type shown struct {
	Dataset string     `col:"dataset"`
	Source  string     `col:"source_key"`
	Since   *time.Time `col:"since"`
}

// localRunner opens what counts the embargoed datasets, without anything to count.
func localRunner(t testing.TB) *QueryRunner {
	t.Helper()
	db, err := openLocal(t.Context(), engine.Limits{}, asOf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &QueryRunner{local: db, engine: db}
}

// give gives questions rows under a name.
func give[T any](t testing.TB, e *QueryRunner, dir, name string, rows []T) {
	t.Helper()
	file, err := staging.WriteRows(dir, name, rows)
	if err == nil {
		err = e.AddView(t.Context(), name, file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// countEmbargoed asks a question of vacancies of two sources that may be in the dataset, with a
// third one that may not.
func countEmbargoed[T any](t testing.TB, e *QueryRunner, dir string, q QueryName, list []vacancy,
	since map[string]time.Time) []T {
	t.Helper()
	var sources []shown
	for _, key := range []string{"platform", "find_an_apprenticeship"} {
		s := shown{Dataset: string(q), Source: key}
		if at, listing := since[key]; listing {
			s.Since = &at
		}
		sources = append(sources, s)
	}
	var names []snapshots.OccupationsRow
	for _, soc := range []string{"2", "6", "21", "61", "213", "613", "2134", "2135", "6135"} {
		names = append(names, snapshots.OccupationsRow{SOC: soc, Name: named(soc)})
	}
	give(t, e, dir, "shareable_vacancies", list)
	give(t, e, dir, "shown", append(sources, shown{Dataset: "another", Source: "not_shown"}))
	give(t, e, dir, "occupations", names)
	return ask[T](t, e, dir, q)
}

func named(soc string) string { return "occupation " + soc }

// vacancies draws some whose days lie around the windows, with few occupations,
// employers and sources, so that the floor is met and missed.
func vacancies(t *rapid.T) []vacancy {
	var out []vacancy
	for i := range rapid.IntRange(0, 120).Draw(t, "vacancies") {
		ago := rapid.OneOf(rapid.IntRange(-3, 100), rapid.IntRange(355, 470)).Draw(t, "ago")
		posted := asOf.AddDate(0, 0, -ago)
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "again") == 0 {
			i-- // advertised again
		}
		out = append(out, vacancy{Vacancy: int32(i), Employer: int32(rapid.IntRange(1, 4).Draw(t, "employer")),
			SOC:    rapid.SampledFrom([]string{"", "2134", "2135", "6135"}).Draw(t, "soc"),
			Source: rapid.SampledFrom([]string{"platform", "find_an_apprenticeship", "not_shown"}).Draw(t, "source"),
			Posted: posted, Until: posted.AddDate(0, 0, rapid.IntRange(-2, 40).Draw(t, "live"))})
	}
	return out
}

// counted is a count by the letter of the rules.
func counted(list []vacancy, keep func(vacancy) bool) (n int, sources string, publishable bool) {
	employers, keys, seen := map[int32]bool{}, map[string]bool{}, map[int32]bool{}
	for _, v := range list {
		if v.Source != "not_shown" && keep(v) {
			seen[v.Vacancy] = true
			employers[v.Employer], keys[v.Source] = true, true
		}
	}
	var names []string
	for k := range keys {
		names = append(names, k)
	}
	sort.Strings(names)
	return len(seen), strings.Join(names, ","), len(seen) >= 5 && len(employers) >= 3
}

func TestDemandIsWhatTheRuleSays(t *testing.T) {
	snaptest.LimitRapidDraws(t, "16")
	e, dir := localRunner(t), t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		list := vacancies(r)
		var want []snapshots.DemandRow
		for ago := 364; ago >= 0; ago-- {
			day := asOf.AddDate(0, 0, -ago)
			for _, soc := range []string{"2134", "2135", "6135"} {
				n, keys, ok := counted(list, func(v vacancy) bool {
					return v.SOC == soc && !v.Posted.After(day) && !v.Until.Before(day)
				})
				if ok {
					want = append(want, snapshots.DemandRow{Day: day, SOC: soc, Occupation: named(soc),
						Vacancies: int32(n), SourceKeys: keys})
				}
			}
		}
		if diff := cmp.Diff(want, countEmbargoed[snapshots.DemandRow](t, e, dir, QueryDemand, list, nil)); diff != "" {
			r.Fatal(diff)
		}
	})
}

// expectedTrend is one row by the letter of the rules, without its rank.
func expectedTrend(list []vacancy, soc string, since map[string]time.Time) (snapshots.TrendsRow, bool) {
	row := snapshots.TrendsRow{Digits: int8(len(soc)), SOC: soc, Occupation: named(soc),
		WindowFrom: asOf.AddDate(0, 0, -90), WindowTo: asOf,
		PreviousFrom: asOf.AddDate(0, 0, -454), PreviousTo: asOf.AddDate(0, 0, -364)}
	watched := func(source string) bool {
		if at, listing := since[source]; listing && at.After(row.PreviousFrom) {
			return false
		}
		return slices.ContainsFunc(list,
			func(v vacancy) bool { return v.Source == source && !v.Posted.After(row.PreviousFrom) })
	}
	in := func(from, to time.Time) func(vacancy) bool {
		return func(v vacancy) bool {
			return v.SOC != "" && strings.HasPrefix(v.SOC, soc) && watched(v.Source) && !v.Posted.Before(from) &&
				!v.Posted.After(to)
		}
	}
	now, _, ok := counted(list, in(row.WindowFrom, row.WindowTo))
	before, _, okBefore := counted(list, in(row.PreviousFrom, row.PreviousTo))
	if !ok || !okBefore || before < 20 {
		return row, false
	}
	_, row.SourceKeys, _ = counted(list, func(v vacancy) bool {
		return in(row.WindowFrom, row.WindowTo)(v) || in(row.PreviousFrom, row.PreviousTo)(v)
	})
	row.Vacancies, row.PreviousVacancies = int32(now), int32(before)
	change := 100 * float64(now-before) / float64(before)
	row.ChangePct = figure.Tenths(math.Round(10 * change))
	row.Direction = "steady"
	if math.Abs(change) >= 10 && math.Abs(float64(now-before)) > 2*math.Sqrt(float64(now+before)) {
		row.Direction = "growing"
		if change < 0 {
			row.Direction = "shrinking"
		}
	}
	return row, true
}

func TestTrendsAreWhatTheRuleSays(t *testing.T) {
	snaptest.LimitRapidDraws(t, "40")
	seen, e, dir := map[string]int{}, localRunner(t), t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		list := vacancies(r)
		// Enough of one occupation in both windows, and as many, three times as many or a third
		// in a good share of the draws, so that every direction happens.
		before := rapid.IntRange(15, 80).Draw(r, "before")
		now := rapid.SampledFrom([]int{before, 3 * before, before / 3, rapid.IntRange(0, 80).Draw(r, "other")}).Draw(r,
			"now")
		for i := range now {
			list = append(list, vacancy{Vacancy: int32(1000 + i), Employer: int32(i % 5), SOC: "2134", Source: "platform",
				Posted: asOf.AddDate(0, 0, -i%90)})
		}
		for i := range before {
			list = append(list, vacancy{Vacancy: int32(2000 + i), Employer: int32(i % 5), SOC: "2134", Source: "platform",
				Posted: asOf.AddDate(0, 0, -454+i)})
		}
		since := map[string]time.Time{}
		if rapid.Bool().Draw(r, "listing") {
			since["find_an_apprenticeship"] = asOf.AddDate(0, 0, -rapid.IntRange(440, 460).Draw(r, "since"))
		}
		got := countEmbargoed[snapshots.TrendsRow](t, e, dir, QueryTrends, list, since)
		var plain []snapshots.TrendsRow
		for i, row := range got {
			seen[row.Direction]++
			first := i == 0 || got[i-1].Digits != row.Digits || got[i-1].Direction != row.Direction
			if first && row.Rank != 1 || !first && row.Rank != got[i-1].Rank+1 {
				r.Fatalf("row %d has the rank %d", i, row.Rank)
			}
			if !first && row.Direction == "shrinking" && row.ChangePct < got[i-1].ChangePct || !first &&
				row.Direction != "shrinking" && row.ChangePct > got[i-1].ChangePct {
				r.Fatalf("row %d is out of order", i)
			}
			row.Rank = 0
			plain = append(plain, row)
		}
		var want []snapshots.TrendsRow
		for _, soc := range []string{"2", "6", "21", "61", "213", "613", "2134", "2135", "6135"} {
			if row, ok := expectedTrend(list, soc, since); ok {
				want = append(want, row)
			}
		}
		bySOC := func(a, b snapshots.TrendsRow) int { return strings.Compare(a.SOC, b.SOC) }
		slices.SortFunc(plain, bySOC)
		slices.SortFunc(want, bySOC)
		if diff := cmp.Diff(want, plain); diff != "" {
			r.Fatal(diff)
		}
	})
	for _, direction := range []string{"growing", "shrinking", "steady"} {
		if seen[direction] == 0 && !testing.Short() { // with -short, a fifth as many cases are drawn
			t.Errorf("no occupation was ever %s", direction)
		}
	}
}

func TestDirections(t *testing.T) {
	cases := []struct {
		now, before int
		direction   string
		tenths      figure.Tenths
	}{
		{100, 100, "steady", 0}, {109, 100, "steady", 90}, {112, 100, "steady", 120}, // under two standard deviations
		{140, 100, "growing", 400}, {70, 100, "shrinking", -300}, {30, 20, "steady", 500}, {40, 20, "growing", 1000},
		{5, 20, "shrinking", -750},
		{10_900, 10_000, "steady", 90}, {11_000, 10_000, "growing", 100}, {9_000, 10_000, "shrinking", -100},
		{9_100, 10_000, "steady", -90},
		{21, 20, "steady", 50}, {19, 20, "steady", -50}, {20, 30, "steady", -333}, {50, 30, "growing", 667},
		{2001, 2000, "steady", 1}, {1999, 2000, "steady", -1},
	}
	var list []vacancy
	for i, c := range cases {
		for n := range c.now + c.before {
			v := vacancy{Vacancy: int32(n), Employer: int32(n % 5), SOC: fmt.Sprint(1000 + i), Source: "platform", Posted: asOf}
			if n >= c.now {
				v.Posted = asOf.AddDate(0, 0, -454)
			}
			list = append(list, v)
		}
	}
	got := map[string]snapshots.TrendsRow{}
	for _, row := range countEmbargoed[snapshots.TrendsRow](t, localRunner(t), t.TempDir(), QueryTrends, list, nil) {
		got[row.SOC] = row
	}
	for i, c := range cases {
		if row := got[fmt.Sprint(1000+i)]; row.Direction != c.direction || row.ChangePct != c.tenths {
			t.Errorf("%d after %d: %s by %d tenths, want %s by %d", c.now, c.before, row.Direction, row.ChangePct,
				c.direction, c.tenths)
		}
	}
}
