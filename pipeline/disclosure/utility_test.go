package disclosure_test

import (
	"os"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/madeup"
	"labour/snapshots"
)

// truth is the world's grid with the counts of people turned down.
func truth(w madeup.World, people []madeup.Person) []disclosure.Truth {
	n := w.Count(people)
	var out []disclosure.Truth
	for _, c := range w.Grid() {
		out = append(out, disclosure.Truth{Cell: disclosure.Cell(c), TurnedDownFor: n[c]})
	}
	return out
}

// rules has the world's areas, and as volume of a value the people of another
// seed: correlated with nothing.
func rules(w madeup.World) disclosure.Rules {
	var areas []lattice.Area
	for a, b := range w.Areas {
		areas = append(areas, lattice.Area{Slug: a, Boroughs: b})
	}
	return disclosure.Rules{Lattice: lattice.New(areas, nil)}
}

// utility is the share of true counts of at least 5 that are printed, in per
// cent, by kind of cell.
func utility(cells []disclosure.Truth, printed []disclosure.Printed) map[[2]any][2]int {
	out := map[[2]any][2]int{}
	for i, c := range cells {
		if c.TurnedDownFor < 5 {
			continue
		}
		kind := c.Signature
		switch kind {
		case snapshots.SigPlace, snapshots.SigSector, snapshots.SigLevel, snapshots.SigSource, snapshots.SigSOC:
			kind = "one"
		}
		k := [2]any{kind, c.Window}
		n := out[k]
		n[1]++
		if _, ok := printed[i].TurnedDown.Number(); ok {
			n[0]++
		}
		out[k] = n
	}
	return out
}

// TestUtilityAtRealisticSize measures the share of true counts of 5 and more that
// are printed, at the four sizes of the design, and holds it to floors.
func TestUtilityAtRealisticSize(t *testing.T) {
	w := madeup.Sized(34, 20, 0, 5, 3)
	type kind = [2]any
	for _, size := range []struct {
		people float64
		floor  map[kind]int
	}{
		{560, map[kind]int{{"one", 3}: 60, {"one", 12}: 80, {"one", 24}: 85}},
		{2855, map[kind]int{{"one", 24}: 95, {"place_sector", 24}: 80}},
		{14409, map[kind]int{{"one", 3}: 90, {"place_sector", 24}: 90, {"place_level", 24}: 90}},
		{86132, map[kind]int{{"one", 3}: 98, {"place_sector", 12}: 90}},
	} {
		sum := map[kind][2]int{}
		seeds := uint64(2)
		if os.Getenv("DISCLOSURE_MEASURE") != "" {
			seeds = 12
		}
		for seed := range seeds {
			cells := truth(w, w.People(seed, size.people))
			for k, n := range utility(cells, rules(w).Mask(cells)) {
				sum[k] = [2]int{sum[k][0] + n[0], sum[k][1] + n[1]}
			}
		}
		pct := func(k kind) int { return 100 * sum[k][0] / max(1, sum[k][1]) }
		t.Logf("%6.0f people: one filter %d/%d/%d/%d %%, months %d %%, place x sector %d/%d, x level %d/%d, x source %d/%d, x month %d %%", size.people,
			pct(kind{"one", 3}), pct(kind{"one", 6}), pct(kind{"one", 12}), pct(kind{"one", 24}), pct(kind{"month", 1}),
			pct(kind{"place_sector", 12}), pct(kind{"place_sector", 24}), pct(kind{"place_level", 12}), pct(kind{"place_level", 24}),
			pct(kind{"place_source", 12}), pct(kind{"place_source", 24}), pct(kind{"place_month", 1}))
		for k, floor := range size.floor {
			if pct(k) < floor {
				t.Errorf("%.0f people: %v prints %d %% of the counts of 5 and more, less than %d", size.people, k, pct(k), floor)
			}
		}
	}
}
