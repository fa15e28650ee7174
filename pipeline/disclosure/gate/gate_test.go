package gate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/madeup"
	"labour/pipeline/disclosure/mask"
)

// audited is a random world, masked or with numbers hidden and blocked at random, so
// that there is something to find.
func audited(t *rapid.T) *audit {
	w := madeup.Sized(rapid.IntRange(1, 4).Draw(t, "places"), rapid.IntRange(0, 3).Draw(t, "sectors"), rapid.IntRange(0, 2).Draw(t, "socs"), rapid.IntRange(0, 3).Draw(t, "levels"), 0)
	var areas []lattice.Area
	if len(w.Places) > 2 && rapid.Bool().Draw(t, "area") {
		w.Areas = map[string][]string{"area": w.Places[:2]}
		areas = []lattice.Area{{Slug: "area", Boroughs: w.Places[:2]}}
	}
	people := w.People(rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]float64{8, 40, 150, 600}).Draw(t, "people"))
	n, grid := w.Count(people), w.Grid()
	cells, counts := make([]mask.Cell, len(grid)), make([]int64, len(grid))
	for i, c := range grid {
		cells[i], counts[i] = mask.Cell(c), n[c]
	}
	b := mask.NewIndex(cells, make([]bool, len(cells)), lattice.New(areas, nil)).NewBoard(counts)
	if rapid.Bool().Draw(t, "masked") {
		b.Run()
	} else {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "hide"), 1))
		for i := range cells {
			switch r.IntN(6) {
			case 0:
				b.Block(i, mask.ReasonGate)
			case 1:
				b.Hide(i, mask.ReasonGate)
			}
		}
	}
	recent := func(i int) (three, six int64) {
		r := madeup.Recent(n, grid[i])
		return r[0], r[1]
	}
	l := newLayout(b.Index)
	return &audit{population: l.population(b, recent), nets: make([]*net, len(l.tables)*spans*(spans+1))}
}

// exactOf are the groups whose least and greatest value over all leaves, cut with 1 to
// 4, are the same: each asked by itself.
func exactOf(t *rapid.T, a *audit, groups []target) (exact []target) {
	s := a.system(a.leaves)
	solver, unknowns, err := s.solver(20_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		q := s.asked(g, unknowns)
		stay := q.stay
		low, high, err := solver.Range(q.of)
		if err != nil {
			t.Fatal(err)
		}
		if math.Ceil(max(low+stay, 1)-1e-6) == math.Floor(min(high+stay, 4)+1e-6) {
			exact = append(exact, g)
		}
	}
	return exact
}

// TestMovesAgainstLinearProgramming: a group that a move frees is free, for the true
// population is whole and the simplex method over all unknowns finds a point too; and
// what it finds is the same with and without the unknowns that cannot change.
func TestMovesAgainstLinearProgramming(t *testing.T) {
	moved, free, exact := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := audited(t)
		if !a.whole {
			t.Fatal("the true population does not fit what is printed")
		}
		groups := a.targets()
		stuck := exactOf(t, a, groups)
		a.whole = false
		plain := exactOf(t, a, groups)
		a.whole = true
		if !slices.Equal(stuck, plain) {
			t.Fatalf("stuck are %v, with all unknowns %v", stuck, plain)
		}
		for _, g := range groups {
			isStuck := slices.Contains(stuck, g)
			switch byMove := a.moved(g); {
			case byMove && isStuck:
				t.Fatalf("a move frees %+v, which is exact", a.Cells[g.cell])
			case byMove:
				moved++
			case isStuck:
				exact++
			default:
				free++
			}
		}
	})
	t.Logf("%d groups freed by moves, %d by points, %d exact", moved, free, exact)
	if moved == 0 || exact == 0 {
		t.Errorf("%d groups freed by moves, %d by points, %d exact: the worlds or the moves are too poor", moved, free, exact)
	}
}

// TestWhatIsFreeNearbyIsFree: with the people of fewer leaves as unknowns, no group is
// found free that is exact.
func TestWhatIsFreeNearbyIsFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := audited(t)
		groups := a.targets()
		stuck := exactOf(t, a, groups)
		var report Report
		near, err := a.search(groups, Limits{Unknowns: rapid.IntRange(1, 60).Draw(t, "unknowns"), Steps: 20_000}, &report)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range stuck {
			if !slices.Contains(near, g) {
				t.Fatalf("%+v is exact and found free nearby", a.Cells[g.cell])
			}
		}
		if report.Unproven > len(near) || report.Unproven < len(near) && a.size() > 60 {
			t.Fatalf("%d unproven of %d", report.Unproven, len(near))
		}
		all, err := a.search(groups, defaultLimits, &report)
		if err != nil || !slices.Equal(all, stuck) {
			t.Fatalf("with all leaves %v are stuck, %v; exact are %v", all, err, stuck)
		}
	})
}

// TestQuestionsWithoutAnEnd: with too few steps nothing is found free that is exact, and
// what is not known is said to be so, not an error.
func TestQuestionsWithoutAnEnd(t *testing.T) {
	unproven := 0
	rapid.Check(t, func(t *rapid.T) {
		a := audited(t)
		groups := a.targets()
		stuck := exactOf(t, a, groups)
		var report Report
		left, err := a.search(groups, Limits{Unknowns: defaultLimits.Unknowns, Steps: rapid.IntRange(0, 3).Draw(t, "steps")}, &report)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range stuck {
			if !slices.Contains(left, g) {
				t.Fatalf("%+v is exact and found free", a.Cells[g.cell])
			}
		}
		if len(left) > len(stuck)+report.Unproven {
			t.Fatalf("%d are left, %d are exact and %d unproven", len(left), len(stuck), report.Unproven)
		}
		unproven += report.Unproven
	})
	if unproven == 0 {
		t.Error("every question ended: the worlds are too poor")
	}
}
