package disclosure_test

import (
	"fmt"
	"os"
	"slices"
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
		t := disclosure.Truth{Cell: disclosure.Cell(c), TurnedDownFor: n[c]}
		t.Recent[0] = madeup.Recent(n, c)
		out = append(out, t)
	}
	return out
}

// rules has the world's areas and no volumes, so that values come by slug.
func rules(w madeup.World) disclosure.Rules {
	var areas []lattice.Area
	for a, b := range w.Areas {
		areas = append(areas, lattice.Area{Slug: a, Boroughs: b})
	}
	return disclosure.Rules{Lattice: lattice.New(areas, nil)}
}

// advertised is rules in the public order of a platform on which adverts bring
// applications: the volume of a value goes with its people, give or take two
// thirds.
func advertised(w madeup.World, seed uint64) disclosure.Rules {
	var volumes []lattice.Volume
	for dim, values := range w.Volumes(seed, 0.5) {
		for v, n := range values {
			volumes = append(volumes, lattice.Volume{Dim: dim, Value: v, Adverts: n})
		}
	}
	return disclosure.Rules{Lattice: lattice.New(nil, volumes)}
}

// utility is the share of true counts of at least 5 that are printed, in per
// cent, by kind of cell.
func utility(cells []disclosure.Truth, printed []disclosure.Printed) map[cellKind][2]int {
	out := map[cellKind][2]int{}
	for i, c := range cells {
		if c.TurnedDownFor < 5 {
			continue
		}
		k := kindOf(c.Cell)
		n := out[k]
		n[1]++
		if _, ok := printed[i].TurnedDown.Number(); ok {
			n[0]++
		}
		out[k] = n
	}
	return out
}

// kindOf is the column of the design's table that a cell belongs to.
func kindOf(c disclosure.Cell) cellKind {
	switch c.Signature {
	case snapshots.SigPlace, snapshots.SigSector, snapshots.SigLevel, snapshots.SigSource, snapshots.SigSOC:
		return cellKind{"one", c.Window}
	}
	return cellKind{c.Signature, c.Window}
}

// cellKind is a column of the design's table of utility.
type cellKind struct {
	name   string
	window int
}

// wanted is the design's table: people in 24 months, and the share that is printed
// of the true counts of 5 and more of each kind, in per cent, in one data set.
var wanted = []struct {
	people float64
	share  map[cellKind]int
}{
	{560, map[cellKind]int{{"one", 3}: 76, {"one", 12}: 91, {"one", 24}: 96, {"place_sector", 12}: 0, {"place_sector", 24}: 0, {"place_level", 12}: 0, {"place_level", 24}: 0, {"place_source", 24}: 62}},
	{2855, map[cellKind]int{{"one", 3}: 94, {"one", 12}: 97, {"one", 24}: 100, {"place_sector", 12}: 59, {"place_sector", 24}: 100, {"place_level", 12}: 73, {"place_level", 24}: 86, {"place_source", 24}: 89}},
	{14409, map[cellKind]int{{"one", 3}: 97, {"one", 12}: 100, {"one", 24}: 100, {"place_sector", 12}: 78, {"place_sector", 24}: 97, {"place_level", 12}: 91, {"place_level", 24}: 98, {"place_source", 24}: 97}},
	{86132, map[cellKind]int{{"one", 3}: 100, {"one", 12}: 100, {"one", 24}: 100, {"place_sector", 12}: 92, {"place_sector", 24}: 99, {"place_level", 12}: 100, {"place_level", 24}: 100, {"place_source", 24}: 100}},
}

var cellKinds = []cellKind{{"one", 3}, {"one", 12}, {"one", 24}, {"place_sector", 12}, {"place_sector", 24}, {"place_level", 12}, {"place_level", 24}, {"place_source", 24}}

// TestUtilityAtRealisticSize measures the share of true counts of 5 and more that
// are printed, at the four sizes of the design: the median over many worlds with
// its range, in worlds in which adverts bring applications and in those in which
// the public order says nothing of people, the harder case. The medians are held
// to the design's figures less the points that are known to be missing.
func TestUtilityAtRealisticSize(t *testing.T) {
	w := madeup.Sized(34, 20, 0, 5, 3)
	seeds, less := uint64(3), 15
	if os.Getenv("DISCLOSURE_MEASURE") != "" {
		seeds, less = 25, 6
	}
	for _, size := range wanted {
		with, without, most := map[cellKind][]int{}, map[cellKind][]int{}, map[cellKind][]float64{}
		for seed := range seeds {
			cells := truth(w, w.People(seed, size.people))
			printed := advertised(w, seed).Mask(cells)
			for k, n := range utility(cells, printed) {
				with[k] = append(with[k], (200*n[0]+n[1])/(2*n[1]))
			}
			for k, share := range atMost(w, cells, printed) {
				most[k] = append(most[k], share)
				if n := utility(cells, printed)[k]; slices.Contains(cellKinds, k) && 100*float64(n[0]) > share*float64(n[1])+1e-6 {
					t.Errorf("%.0f people, world %d: %v prints %v, more than the %.2f %% that any covers could", size.people, seed, k, n, share)
				}
			}
			for k, n := range utility(cells, rules(w).Mask(cells)) {
				without[k] = append(without[k], (200*n[0]+n[1])/(2*n[1]))
			}
		}
		for _, k := range cellKinds {
			median, span := spread(with[k])
			hard, hardSpan := spread(without[k])
			could := slices.Sorted(slices.Values(most[k]))[len(most[k])/2]
			t.Logf("%6.0f people, %-12s %2d months: %3d %% (%s), at most %5.1f %%; volumes that say nothing %3d %% (%s); design %3d %%", size.people, k.name, k.window, median, span, could, hard, hardSpan, size.share[k])
			if median < size.share[k]-less || hard < size.share[k]-less {
				t.Errorf("%.0f people: %v prints %d %% or %d %% of the counts of 5 and more, less than %d", size.people, k, median, hard, size.share[k]-less)
			}
		}
	}
}

// spread is the median of shares, and their range.
func spread(shares []int) (median int, span string) {
	slices.Sort(shares)
	return shares[len(shares)/2], fmt.Sprintf("%d to %d", shares[0], shares[len(shares)-1])
}
