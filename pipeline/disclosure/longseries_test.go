package disclosure_test

import (
	"os"
	"testing"

	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/madeup"
)

// TestBoundsOfManyQuartersInARow is TestBoundsOfQuartersInARow over 24 quarters from
// launch on, so that most of what was printed is of times that no window holds any more.
// What was printed in between joins it to what is printed now. DISCLOSURE_MEASURE asks
// for more worlds, and for larger ones.
func TestBoundsOfManyQuartersInARow(t *testing.T) {
	const quarters = 24
	small := madeup.Sized(3, 2, 0, 0, 0)
	nested := madeup.Sized(4, 2, 0, 0, 0)
	nested.Areas = map[string][]string{"north": nested.Places[:2]}
	long := os.Getenv("DISCLOSURE_MEASURE") != ""
	open := 0
	for _, s := range []struct {
		world      madeup.World
		perQuarter float64
		seeds      uint64 // with DISCLOSURE_MEASURE
		always     bool
	}{{small, 4, 8, true}, {small, 10, 8, false}, {small, 25, 8, true}, {nested, 4, 4, false}, {nested, 12, 4, false}, {nested, 30, 4, false}} {
		seeds := uint64(1)
		if long {
			seeds = s.seeds
		} else if !s.always {
			continue
		}
		var with, without bounded
		for seed := range seeds {
			people := s.world.People(seed, quarters*s.perQuarter)
			for i := range people {
				people[i].Age = i * 7919 % (3 * quarters)
			}
			with.add(boundedSeries(t, s.world, people, quarters, gate.Limits{}))
			if long {
				without.add(boundedSeries(t, s.world, people, quarters, gate.Limits{Unknowns: -1}))
			}
		}
		t.Logf("%d worlds of %d quarters of %.0f people, %d places, %d areas: with the audits %v; without %v", seeds, quarters, s.perQuarter, len(s.world.Places), len(s.world.Areas), with, without)
		if with.Failed() || with.Unproven > 0 {
			t.Errorf("%d of %d small windows are derivable, %d exact, %d unproven: %q", with.Derivable, with.Small, with.Exact, with.Unproven, with.Leaks)
		}
		open += without.Exact
	}
	if long && open == 0 {
		t.Error("nothing is exact without the audits: the attack is broken")
	}
}
