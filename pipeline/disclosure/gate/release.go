package gate

import (
	"errors"
	"fmt"

	"labour/pipeline/disclosure/simplex"
)

// waiting are groups of which it is not known yet that they are free.
type waiting struct {
	groups  []target
	free    []bool
	unknown int // groups not found free whose question did not end
}

// stuck are those that were not found free.
func (w *waiting) stuck() (out []target) {
	for i, g := range w.groups {
		if !w.free[i] {
			out = append(out, g)
		}
	}
	return out
}

// asked is a group as the solver knows it: the unknowns that add up to it, and the
// people of it that stay.
type asked struct {
	of   []int
	stay float64
	n    float64 // people
}

// at says that the group has one more or one less at the solver's point.
func (g *asked) at(solver *simplex.Solver) bool {
	at := g.stay + solver.Sum(g.of)
	return g.n < 4 && at >= g.n+1-1e-6 || g.n > 1 && at <= g.n-1+1e-6
}

// release looks for points at which the groups named have one more or one less, cut
// with 1 to 4, and frees at each point every group that waits and has. One whose
// question does not end is not free.
func (s *system) release(w *waiting, named []int, steps int) error {
	solver, unknowns, err := s.solver(steps)
	if err != nil {
		return err
	}
	groups := make([]asked, len(w.groups))
	for i, g := range w.groups {
		if !w.free[i] {
			groups[i] = s.asked(g, unknowns)
		}
	}
	seen := func() {
		for i := range groups {
			w.free[i] = w.free[i] || groups[i].at(solver)
		}
	}
	seen()
	for _, i := range named {
		g, ended := groups[i], true
		for _, sign := range []float64{1, -1} {
			if to := g.n + sign; w.free[i] || to < 1 || to > 4 {
				continue
			}
			reached, err := solver.Reach(g.of, sign, g.n+sign-g.stay)
			if err != nil && !errors.Is(err, simplex.ErrSteps) {
				return fmt.Errorf("audit: %w", err)
			}
			w.free[i], ended = reached, ended && err == nil
			seen()
		}
		if !ended && !w.free[i] {
			w.unknown++
		}
	}
	return nil
}

// asked is a group of a board as the solver knows it.
func (s *system) asked(g target, unknowns *reduced) asked {
	of, stay := s.of(g.table, s.at(g.v, g.node), g.window)
	of, fixed := unknowns.left(of)
	return asked{of: of, stay: stay + fixed, n: float64(s.b.Count[g.cell])}
}
