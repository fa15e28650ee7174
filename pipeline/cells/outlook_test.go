package cells

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/sources"
)

// outlook asks for the outlook of evidence.
func outlook(t testing.TB, e *QueryRunner, dir string, list []sources.Evidence) []snapshots.OutlookRow {
	give(t, e, dir, "evidence_shown", staging.EvidenceRows(list))
	return ask[snapshots.OutlookRow](t, e, dir, QueryOutlook)
}

func projection(source, id string, base, horizon int, change float64, published int) sources.Evidence {
	return sources.Evidence{Source: source, ID: id, SOC: "2134", Class: "SOC2020", Country: "GB",
		Occupation: "Programmers", Kind: "projection", Signal: "gap",
		BaseYear: base, HorizonYear: horizon, ChangePct: &change, Published: sources.Date{Year: published, Month: 1,
			Day: 15}}
}

// Steady growth of 44.0 per cent over ten years is 1.8 per cent over half a year, 3.7
// over one and 20 over five.
func TestOutlookIsSteadyGrowth(t *testing.T) {
	p := projection("a", "1", 2025, 2035, 44, 2025)
	openings := int64(100_000)
	p.Openings = &openings
	rows := outlook(t, localRunner(t), t.TempDir(), []sources.Evidence{p})
	if len(rows) != 6 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, want := range []struct {
		months   int16
		change   int64
		openings int64
	}{{6, 18, 5_000}, {12, 37, 10_000}, {24, 76, 20_000}, {36, 116, 30_000}, {48, 157, 40_000}, {60, 200, 50_000}} {
		r := rows[i]
		if r.HorizonMonths != want.months || int64(r.ProjectedChangePct) != want.change ||
			*r.ProjectedOpenings != want.openings || r.LowChangePct != r.HighChangePct {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
}

func TestOutlookStaysInsideThePeriod(t *testing.T) {
	one, dir := localRunner(t), t.TempDir()
	for name, c := range map[string]struct {
		base, horizon int
		change        float64
		want          int
	}{
		"over":             {2015, 2025, 10, 0},
		"not begun":        {2027, 2035, 10, 0},
		"ends in 2027":     {2020, 2027, 10, 2}, // 6 and 12 months
		"to the last day":  {2020, 2031, 10, 6},
		"no period":        {2025, 2025, 10, 0},
		"everybody leaves": {2025, 2035, -100, 0},
		"not believable":   {2025, 2035, 20_000, 0},
		"not a number":     {2025, 2035, math.NaN(), 0},
	} {
		if rows := outlook(t, one, dir,
			[]sources.Evidence{projection("a", "1", c.base, c.horizon, c.change, 2025)}); len(rows) != c.want {
			t.Errorf("%s: %d rows, want %d", name, len(rows), c.want)
		}
	}
}

func TestOutlookKeepsApartWhatMustNotBeMixed(t *testing.T) {
	uk, us, region, group := projection("a", "1", 2025, 2035, 10, 2025), projection("b", "1", 2025, 2035, 50, 2025),
		projection("c", "1", 2025, 2035, 30, 2025), projection("d", "1", 2025, 2035, 20, 2025)
	us.Country, us.Class = "US", "SOC2018-US"
	region.RegionCode = "E12000007"
	group.SOC = "213"
	news := projection("e", "1", 2025, 2035, 90, 2026)
	news.Kind = "news"
	rows := outlook(t, localRunner(t), t.TempDir(), []sources.Evidence{uk, us, region, group, news})
	if len(rows) != 24 {
		t.Fatalf("%d rows, want 4 occupations of 6 horizons", len(rows))
	}
	for _, r := range rows {
		if strings.Contains(r.SourceKeys, ",") || r.SourceKeys == "e" || r.SourcesGap != 1 {
			t.Errorf("%+v is mixed", r)
		}
	}
}

func TestOutlookIsWhatTheRuleSays(t *testing.T) {
	snaptest.LimitRapidDraws(t, "24")
	cells, dir := localRunner(t), t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		var list []sources.Evidence
		for i := range rapid.IntRange(1, 12).Draw(r, "evidence") {
			base := rapid.IntRange(2018, 2027).Draw(r, "base")
			e := projection(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(r, "source"), fmt.Sprint(i), base,
				base+rapid.IntRange(1, 15).Draw(r, "years"),
				float64(rapid.IntRange(-900, 2000).Draw(r, "change"))/10,
				rapid.IntRange(2020, 2026).Draw(r, "published"))
			e.Kind = rapid.SampledFrom([]string{"projection", "projection", "report", "news"}).Draw(r, "kind")
			e.Signal = rapid.SampledFrom([]string{"gap", "no_gap", "none"}).Draw(r, "signal")
			list = append(list, e)
		}
		rows := outlook(t, cells, dir, list)
		at := 0
		for _, months := range []int{6, 12, 24, 36, 48, 60} {
			want, ok := expectedOutlook(list, months)
			if !ok {
				continue
			}
			if at == len(rows) {
				r.Fatalf("no row for %d months", months)
			}
			got := rows[at]
			at++
			if int(got.HorizonMonths) != months || got.LowChangePct > got.ProjectedChangePct ||
				got.ProjectedChangePct > got.HighChangePct {
				r.Fatalf("%+v", got)
			}
			got.LowChangePct, got.HighChangePct, got.Occupation = 0, 0, ""
			if got != want {
				r.Fatalf("%d months:\n%+v, want\n%+v", months, got, want)
			}
		}
		if at != len(rows) {
			r.Fatalf("%d rows, want %d", len(rows), at)
		}
	})
}

// expectedOutlook walks over sources and looks for the newest of each.
func expectedOutlook(list []sources.Evidence, months int) (snapshots.OutlookRow, bool) {
	row := snapshots.OutlookRow{SOC: "2134", Classification: "SOC2020", Country: "GB", HorizonMonths: int16(months),
		Signal: "none"}
	keys := map[string]bool{}
	var changes []float64
	for _, source := range []string{"a", "b", "c"} {
		gap, noGap := int32(0), int32(0)
		var best *sources.Evidence
		for _, e := range list {
			if e.Source != source || e.Kind == "news" {
				continue
			}
			switch e.Signal {
			case "gap":
				gap = 1
			case "no_gap":
				noGap = 1
			}
			end := asOf.AddDate(0, months, 0)
			fits := e.Kind == "projection" && e.BaseYear <= 2026 && end.Year() <= e.HorizonYear
			if fits && (best == nil || best.Published.Before(e.Published) || best.Published == e.Published &&
				e.ID < best.ID) {
				best = &e
			}
		}
		row.SourcesGap, row.SourcesNoGap = row.SourcesGap+gap, row.SourcesNoGap+noGap
		if gap+noGap > 0 || best != nil {
			keys[source] = true
		}
		if best != nil {
			n := float64(best.HorizonYear - best.BaseYear)
			changes = append(changes, 100*(math.Pow(1+*best.ChangePct/100, float64(months)/12/n)-1))
		}
	}
	if len(changes) == 0 {
		return row, false
	}
	sum := 0.0
	for _, c := range changes {
		sum += c
	}
	row.ProjectedChangePct = figure.Tenths(math.Round(10 * sum / float64(len(changes))))
	if row.SourcesGap > row.SourcesNoGap {
		row.Signal = "gap"
	} else if row.SourcesGap < row.SourcesNoGap {
		row.Signal = "no_gap"
	}
	var names []string
	for k := range keys {
		names = append(names, k)
	}
	sort.Strings(names)
	row.SourceKeys = strings.Join(names, ",")
	return row, true
}
