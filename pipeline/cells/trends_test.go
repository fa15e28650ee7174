package cells

import (
	"testing"

	"labour/snapshots"
)

// TestOccupationsThatChangeAlikeAreRanked: of occupations that grow or shrink by the same share, the one
// with more vacancies now is first, and of those with as many, the one whose code is first.
func TestOccupationsThatChangeAlikeAreRanked(t *testing.T) {
	for direction, factor := range map[string]int{"growing": 4, "shrinking": 1} {
		var list []vacancy
		post := func(soc string, n, daysAgo int) {
			for i := range n {
				list = append(list, vacancy{Vacancy: int32(len(list)), Employer: int32(i % 5), SOC: soc,
					Source: "platform", Posted: asOf.AddDate(0, 0, -daysAgo)})
			}
		}
		for soc, size := range map[string]int{"2134": 20, "6135": 30, "2135": 20} {
			post(soc, size*factor, 1)
			post(soc, size*(5-factor), 454)
		}
		got := ""
		for _, row := range countEmbargoed[snapshots.TrendsRow](t, localRunner(t), t.TempDir(), QueryTrends, list, nil) {
			if row.Digits == 4 && row.Direction == direction {
				got += row.SOC + " "
			}
		}
		if got != "6135 2134 2135 " {
			t.Errorf("%s: %s", direction, got)
		}
	}
}
