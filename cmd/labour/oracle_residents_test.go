package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// below is the printed share of residents below a level.
func (o *oracle) below(at, slug string, level int) *figure.Tenths {
	return o.shares[fmt.Sprint(at, " ", slug, " ", level)]
}

// takeResidents takes the printed shares of residents from the snapshot's table
// and holds each against the truth.
func (o *oracle) takeResidents(t *testing.T, file string) {
	t.Helper()
	all, have := o.countResidents()
	err := parquetio.ForEachRow(file, func(r snapshots.ResidentsRow) error {
		o.shares[fmt.Sprint(r.Place, " ", r.Skill, " ", r.Level)] = r.PeopleBelowSharePct
		if r.PeopleBelowSharePct == nil {
			return nil
		}
		with := have[atLevel{r.Place, r.Skill, int(r.Level)}]
		want := residentSharesOf(all[r.Place]-with, all[r.Place])
		printed := float64(*r.PeopleBelowSharePct) / 10
		if !slices.ContainsFunc(want, func(share float64) bool { return math.Abs(printed-share) <= .5 }) {
			t.Errorf("%s below %d in %q prints %v %% of residents, want one of %v", r.Skill, r.Level, r.Place,
				printed, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// atLevel is a place with a skill and a level of it.
type atLevel struct {
	place, skill string
	level        int
}

// countResidents counts the residents of each place, and those of them who have a skill at a
// level or a higher one.
func (o *oracle) countResidents() (all map[string]int64, have map[atLevel]int64) {
	all, have = map[string]int64{}, map[atLevel]int64{}
	for _, r := range o.residents {
		highest := map[string]int{}
		for _, h := range r.Skills {
			highest[h.Skill] = max(highest[h.Skill], h.Level)
		}
		for _, place := range append(o.placesWith(r.Borough), "") {
			all[place]++
			for slug, most := range highest {
				for level := 1; level <= most; level++ {
					have[atLevel{place, slug, level}]++
				}
			}
		}
	}
	return all, have
}

// residentSharesOf are what a share of residents may print: as other shares, but of a printed whole
// below 265, for which 97 % are not sure, never more than all but 2.5.
func residentSharesOf(part, whole int64) (out []float64) {
	for _, w := range tokensOf(whole) {
		under, err := strconv.ParseFloat(w, 64)
		if err != nil || under < 20 {
			continue
		}
		most := 100.
		if under < 265 {
			most = 100 * (under - 2.5) / under
		}
		for _, p := range tokensOf(part) {
			if over, err := strconv.ParseFloat(strings.Replace(p, "<5", "2.5", 1), 64); err == nil {
				out = append(out, min(most, 100*over/under))
			}
		}
	}
	return out
}
