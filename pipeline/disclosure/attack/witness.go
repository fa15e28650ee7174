package attack

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"labour/pipeline/disclosure/simplex"
)

// Population is how many people each unknown holds, in the order of the columns.
type Population []int64

// Of is how many people of the population are in a group.
func (s *System) Of(p Population, q Query) (n int64) {
	for _, c := range s.Columns(q) {
		n += p[c]
	}
	return n
}

// Each gives every combination that holds people.
func (s *System) Each(p Population, people func(a Atom, n int64)) {
	for i, a := range s.atoms {
		if c := s.column[i]; c >= 0 && p[c] > 0 {
			people(a, p[c])
		}
	}
}

// Population turns counts by combination into a population; an error says that
// somebody is where the answers say that nobody is.
func (s *System) Population(count func(Atom) int64) (Population, error) {
	p := make(Population, s.columns)
	for i, a := range s.atoms {
		n := count(a)
		if c := s.column[i]; c >= 0 {
			p[c] = n
		} else if n != 0 {
			return nil, fmt.Errorf("%+v holds %d people and 0 is printed of it", a, n)
		}
	}
	return p, nil
}

// Fits says whether the population answers everything as printed, in whole
// numbers; the error names the first answer that it does not give.
func (s *System) Fits(p Population) error {
	for _, b := range s.bounds {
		n := int64(0)
		for _, c := range b.Vars {
			n += p[c]
		}
		if float64(n) < b.Low || float64(n) > b.High {
			return fmt.Errorf("a group of %d people is printed as %g to %g", n, b.Low, b.High)
		}
	}
	return nil
}

// mostBranches bounds the search for whole people.
const mostBranches = 80

// Witness is a population that fits and has from low to high people in the group,
// or nil: free says whether there is one at all in fractions of people.
func (s *System) Witness(q Query, low, high int64) (p Population, free bool, err error) {
	row := simplex.Row{Vars: s.Columns(q), Low: float64(low), High: float64(high)}
	left := mostBranches
	return s.branch([]simplex.Row{row}, &left)
}

// branch looks for whole people under more bounds, one unknown after the other.
func (s *System) branch(more []simplex.Row, left *int) (p Population, free bool, err error) {
	*left--
	solver, err := simplex.New(s.high, slices.Concat(s.bounds, more), steps)
	if errors.Is(err, simplex.ErrInfeasible) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	p, split := s.point(solver)
	if split < 0 && s.Fits(p) == nil {
		return p, true, nil
	}
	if split < 0 {
		return nil, true, nil
	}
	x := solver.Sum([]int{split})
	for _, r := range []simplex.Row{{Vars: []int{split}, Low: math.Ceil(x), High: simplex.Inf}, {Vars: []int{split}, Low: 0, High: math.Floor(x)}} {
		if *left <= 0 {
			return nil, true, nil
		}
		if p, _, err := s.branch(append(slices.Clone(more), r), left); p != nil || err != nil {
			return p, true, err
		}
	}
	return nil, true, nil
}

// point reads the solver's last point; split is an unknown that is no whole number
// there, or -1.
func (s *System) point(solver *simplex.Solver) (p Population, split int) {
	p, split = make(Population, s.columns), -1
	for c := range p {
		x := solver.Sum([]int{c})
		p[c] = int64(math.Round(x))
		if math.Abs(x-math.Round(x)) > 1e-5 {
			split = c
		}
	}
	return p, split
}
