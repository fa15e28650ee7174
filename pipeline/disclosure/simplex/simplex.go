// Package simplex finds the smallest and the largest value of a linear function
// under linear bounds. It is a primal simplex method with bounded variables: it finds
// one feasible basis and then only changes the objective, which suits an attacker who
// asks many questions of one system.
//
// It holds the coefficients that are not 0 alone, and the basis in
// sparse triangles (basis.go). Systems of people are sums of a few dozen
// unknowns each, so that a step costs some 100 µs with 10,000 unknowns, where a
// dictionary of all coefficients would fill 400 MB.
package simplex

import (
	"errors"
	"math"
)

// Inf is the bound of what is not bounded.
var Inf = math.Inf(1)

// The errors of a solver.
var (
	ErrInfeasible = errors.New("no values satisfy all bounds")
	ErrSteps      = errors.New("no end within the allowed steps")
	ErrUnsound    = errors.New("values drifted out of their bounds")
)

// Row bounds a sum of variables: Low <= sum(Vars) - sum(Less) <= High. A variable
// that is named twice counts twice.
type Row struct {
	Vars      []int
	Less      []int
	Low, High float64
}

const (
	eps = 1e-7
	// sound is how far a point may be out of any bound.
	sound = 1e-6
	// standing is how many steps in a row may move nothing before Bland's rule, which
	// cannot cycle, takes over until one moves something.
	standing = 400
	// weak is a rate by which nothing should leave the basis: dividing by it enlarges what
	// was rounded.
	weak = 0.01
)

// Solver holds one feasible basis. It is for one goroutine.
//
// Each row is a variable too, the sum that it bounds; row i says that this variable less
// the sum is 0. What is not in the basis may be anywhere between its bounds.
type Solver struct {
	n         int       // variables; the rows' come after them
	low, high []float64 // of the variables, then of the rows
	value     []float64 // of every one of them
	rows      matrix    // coefficients by row
	cols      matrix    // the same by variable
	basis     basis
	steps     int
	seeking   bool      // a feasible point
	still     int       // steps in a row that moved nothing
	price     []float64 // by row, then what each variable adds to the objective
	gain      []float64
	rate      sparse    // by place in the basis: what leaves it for each one that enters
	loose     []int32   // what is not fixed by its bounds
	ease      []float64 // by variable, and by row: less the more fixed rows it is in
}

// New finds values within all bounds. Variable i is at least 0 and at most
// high[i] (Inf for none). maxSteps bounds the work of this and of each question.
func New(high []float64, rows []Row, maxSteps int) (*Solver, error) {
	return From(make([]float64, len(high)), high, rows, maxSteps)
}

// From is New beginning at a point, which must be within the bounds of the
// variables and need not be within those of the rows.
func From(start, high []float64, rows []Row, maxSteps int) (*Solver, error) {
	n, m := len(high), len(rows)
	s := &Solver{n: n, low: make([]float64, n+m), high: make([]float64, n+m), value: make([]float64, n+m), steps: maxSteps,
		price: make([]float64, m), gain: make([]float64, n), rate: newSparse(m)}
	copy(s.high, high)
	copy(s.value, start)
	s.rows = rowsOf(n, rows)
	s.cols = s.rows.transposed(n)
	for i, r := range rows {
		s.low[n+i], s.high[n+i] = r.Low, r.High
		s.value[n+i] = s.rows.dot(i, s.value)
	}
	s.weigh()
	s.basis = newBasis(n, m)
	return s, s.feasible()
}

// weigh looks which variables and rows are fixed by their bounds.
func (s *Solver) weigh() {
	s.ease = make([]float64, len(s.low))
	for v := range s.low {
		if s.low[v] < s.high[v] {
			s.loose = append(s.loose, int32(v))
		}
		fixed := 0
		if v < s.n {
			at, _ := s.cols.line(v)
			for _, i := range at {
				if r := s.n + int(i); s.low[r] == s.high[r] {
					fixed++
				}
			}
		}
		s.ease[v] = 1 / float64(1+fixed)
	}
}

// feasible drives the sum of all violations to zero.
func (s *Solver) feasible() error {
	s.seeking = true
	defer func() { s.seeking = false }()
	for step := 0; step <= s.steps; step++ {
		clear(s.price)
		violated := false
		for i, v := range s.basis.holds {
			s.price[i] = s.violation(int(v))
			violated = violated || s.price[i] != 0
		}
		if !violated {
			return s.settle()
		}
		if s.improve(nil, 0) != better {
			return ErrInfeasible
		}
	}
	return ErrSteps
}

// violation is 1 when the variable must grow, -1 when it must fall.
func (s *Solver) violation(v int) float64 {
	switch {
	case s.value[v] < s.low[v]-eps:
		return 1
	case s.value[v] > s.high[v]+eps:
		return -1
	}
	return 0
}

// Range is the smallest and largest value of the sum of the variables; Inf when
// it is not bounded above.
func (s *Solver) Range(vars []int) (low, high float64, err error) {
	if high, err = s.maximise(vars, 1, Inf); err != nil {
		return 0, 0, err
	}
	low, err = s.maximise(vars, -1, Inf)
	return -low, high, err
}

// Reach says whether the sum of the variables can be at least (sign 1) or at most
// (sign -1) the bound. It stops there, so that it costs less than Range. With an error
// it is not known, and after ErrUnsound the solver is of no more use.
func (s *Solver) Reach(vars []int, sign, bound float64) (bool, error) {
	got, err := s.maximise(vars, sign, sign*bound)
	return got >= sign*bound-eps, err
}

// maximise raises sign × sum to its largest value, or to enough.
func (s *Solver) maximise(vars []int, sign, enough float64) (float64, error) {
	s.still = 0
	for step := 0; step <= s.steps; step++ {
		if sign*s.Sum(vars) >= enough {
			return enough, s.settle()
		}
		clear(s.price)
		for _, v := range vars {
			if i := s.basis.place[v]; i >= 0 {
				s.price[i] += sign
			}
		}
		switch s.improve(vars, sign) {
		case best:
			return sign * s.Sum(vars), s.settle()
		case unbounded:
			return Inf, s.settle()
		}
	}
	return math.Inf(-1), errors.Join(ErrSteps, s.settle())
}

// Sum is the sum of the variables at the last point reached.
func (s *Solver) Sum(vars []int) (n float64) {
	for _, v := range vars {
		n += s.value[v]
	}
	return n
}

// settle makes sure that the point is within all bounds, whatever was rounded on the
// way there.
func (s *Solver) settle() error {
	if s.within() {
		return nil
	}
	s.refresh()
	if s.within() {
		return nil
	}
	return ErrUnsound
}

// within adds up every row of the point anew.
func (s *Solver) within() bool {
	for v := range s.n {
		if s.value[v] < s.low[v]-sound || s.value[v] > s.high[v]+sound {
			return false
		}
	}
	for i := range s.price {
		if sum := s.rows.dot(i, s.value); sum < s.low[s.n+i]-sound || sum > s.high[s.n+i]+sound {
			return false
		}
	}
	return true
}
