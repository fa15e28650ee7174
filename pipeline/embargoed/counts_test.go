package embargoed

import (
	"math"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/snapshots"
)

var asOf = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func named(soc string) string { return "occupation " + soc }

// vacancies draws some whose days lie around the windows, with few occupations,
// employers and sources, so that the floor is met and missed.
func vacancies(t *rapid.T) []Vacancy {
	var out []Vacancy
	for i := range rapid.IntRange(0, 120).Draw(t, "vacancies") {
		ago := rapid.OneOf(rapid.IntRange(-3, 100), rapid.IntRange(355, 470)).Draw(t, "ago")
		posted := asOf.AddDate(0, 0, -ago)
		out = append(out, Vacancy{Vacancy: int32(i), Employer: int32(rapid.IntRange(1, 4).Draw(t, "employer")),
			SOC:    rapid.SampledFrom([]string{"", "2134", "2135", "6135"}).Draw(t, "soc"),
			Source: rapid.SampledFrom([]string{"platform", "find_an_apprenticeship"}).Draw(t, "source"),
			Posted: posted, Until: posted.AddDate(0, 0, rapid.IntRange(-2, 40).Draw(t, "live"))})
	}
	return out
}

// counted is a count by the letter of the rules.
func counted(list []Vacancy, keep func(Vacancy) bool) (n int, sources string, publishable bool) {
	employers, keys := map[int32]bool{}, map[string]bool{}
	for _, v := range list {
		if keep(v) {
			n++
			employers[v.Employer], keys[v.Source] = true, true
		}
	}
	var names []string
	for k := range keys {
		names = append(names, k)
	}
	sort.Strings(names)
	return n, strings.Join(names, ","), n >= 5 && len(employers) >= 3
}

func TestDemandIsWhatTheRuleSays(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		list := vacancies(r)
		d := NewDemand(asOf)
		for _, v := range list {
			d.Add(v)
		}
		var want []snapshots.DemandRow
		for ago := 364; ago >= 0; ago-- {
			day := asOf.AddDate(0, 0, -ago)
			for _, soc := range []string{"2134", "2135", "6135"} {
				n, keys, ok := counted(list, func(v Vacancy) bool {
					return v.SOC == soc && !v.Posted.After(day) && !v.Until.Before(day)
				})
				if ok {
					want = append(want, snapshots.DemandRow{Day: day, SOC: soc, Occupation: named(soc), Vacancies: int32(n), SourceKeys: keys})
				}
			}
		}
		if diff := cmp.Diff(want, d.Rows(named)); diff != "" {
			r.Fatal(diff)
		}
	})
}

// expectedTrend is one row by the letter of the rules, without its rank.
func expectedTrend(list []Vacancy, soc string, since map[string]time.Time) (snapshots.TrendsRow, bool) {
	row := snapshots.TrendsRow{Digits: int8(len(soc)), SOC: soc, Occupation: named(soc), WindowFrom: asOf.AddDate(0, 0, -90), WindowTo: asOf,
		PreviousFrom: asOf.AddDate(0, 0, -454), PreviousTo: asOf.AddDate(0, 0, -364)}
	watched := func(source string) bool {
		if at, listing := since[source]; listing && at.After(row.PreviousFrom) {
			return false
		}
		return slices.ContainsFunc(list, func(v Vacancy) bool { return v.Source == source && !v.Posted.After(row.PreviousFrom) })
	}
	in := func(from, to time.Time) func(Vacancy) bool {
		return func(v Vacancy) bool {
			return v.SOC != "" && strings.HasPrefix(v.SOC, soc) && watched(v.Source) && !v.Posted.Before(from) && !v.Posted.After(to)
		}
	}
	now, _, ok := counted(list, in(row.WindowFrom, row.WindowTo))
	before, _, okBefore := counted(list, in(row.PreviousFrom, row.PreviousTo))
	if !ok || !okBefore || before < 20 {
		return row, false
	}
	_, row.SourceKeys, _ = counted(list, func(v Vacancy) bool {
		return in(row.WindowFrom, row.WindowTo)(v) || in(row.PreviousFrom, row.PreviousTo)(v)
	})
	row.Vacancies, row.PreviousVacancies = int32(now), int32(before)
	change := 100 * float64(now-before) / float64(before)
	row.ChangePct = tenths(change)
	row.Direction = Steady
	if math.Abs(change) >= 10 && math.Abs(float64(now-before)) > 2*math.Sqrt(float64(now+before)) {
		row.Direction = Growing
		if change < 0 {
			row.Direction = Shrinking
		}
	}
	return row, true
}

func TestTrendsAreWhatTheRuleSays(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		list := vacancies(r)
		// Enough of one occupation in both windows for every direction to happen.
		for i := range rapid.IntRange(0, 80).Draw(r, "now") {
			list = append(list, Vacancy{Employer: int32(i % 5), SOC: "2134", Source: "platform", Posted: asOf.AddDate(0, 0, -i)})
		}
		for i := range rapid.IntRange(0, 80).Draw(r, "before") {
			list = append(list, Vacancy{Employer: int32(i % 5), SOC: "2134", Source: "platform", Posted: asOf.AddDate(0, 0, -454+i)})
		}
		since := map[string]time.Time{}
		if rapid.Bool().Draw(r, "listing") {
			since["find_an_apprenticeship"] = asOf.AddDate(0, 0, -rapid.IntRange(440, 460).Draw(r, "since"))
		}
		trends := NewTrends(asOf, since)
		for _, v := range list {
			trends.Add(v)
		}
		got := trends.Rows(named)
		var plain []snapshots.TrendsRow
		for i, row := range got {
			seen[row.Direction]++
			first := i == 0 || got[i-1].Digits != row.Digits || got[i-1].Direction != row.Direction
			if first && row.Rank != 1 || !first && row.Rank != got[i-1].Rank+1 {
				r.Fatalf("row %d has the rank %d", i, row.Rank)
			}
			if !first && row.Direction == Shrinking && row.ChangePct < got[i-1].ChangePct || !first && row.Direction != Shrinking && row.ChangePct > got[i-1].ChangePct {
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
	for _, direction := range []string{Growing, Shrinking, Steady} {
		if seen[direction] == 0 {
			t.Errorf("no occupation was ever %s", direction)
		}
	}
}

func TestDirections(t *testing.T) {
	for _, c := range []struct {
		now, before int32
		want        string
	}{
		{100, 100, Steady}, {109, 100, Steady}, {112, 100, Steady}, // under two standard deviations
		{140, 100, Growing}, {70, 100, Shrinking}, {30, 20, Steady}, {40, 20, Growing}, {5, 20, Shrinking},
		{10_900, 10_000, Steady}, {11_000, 10_000, Growing}, {9_000, 10_000, Shrinking}, {9_100, 10_000, Steady},
	} {
		if got := direction(c.now, c.before); got != c.want {
			t.Errorf("%d after %d: %s, want %s", c.now, c.before, got, c.want)
		}
	}
	for _, c := range [][3]int32{{21, 20, 50}, {19, 20, -50}, {2, 3, -333}, {5, 3, 667}, {2001, 2000, 1}, {1999, 2000, -1}} {
		if got := change(c[0], c[1]); int32(got) != c[2] {
			t.Errorf("%d after %d: %d tenths, want %d", c[0], c[1], got, c[2])
		}
	}
}

func BenchmarkDemand(b *testing.B) {
	for b.Loop() {
		d := NewDemand(asOf)
		for i := range 10_000 {
			posted := asOf.AddDate(0, 0, -i%500)
			d.Add(Vacancy{Vacancy: int32(i), Employer: int32(i % 900), SOC: []string{"2134", "6135", "4122"}[i%3], Source: "platform",
				Posted: posted, Until: posted.AddDate(0, 0, 30)})
		}
		d.Rows(named)
	}
}
