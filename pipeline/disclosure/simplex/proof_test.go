package simplex

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// A proof is a number for each row. The rows say of every point what their sums are, so
// that any of them times its number, all added up, may be added to what is asked: what is
// then the most under the bounds of each variable and each row alone is at least the most
// under all. It needs no trust in how the numbers were found, and where it meets a point
// that is within all bounds, both are right (duality).
type proof []float64

// most bounds the sum of the variables named (times sign) and all rows times their number
// from above.
func (p proof) most(s people, vars []int, sign float64) (bound float64) {
	by := make([]float64, len(s.high))
	for _, v := range vars {
		by[v] += sign
	}
	for i, r := range s.rows {
		for _, v := range r.Vars {
			by[v] += p[i]
		}
		for _, v := range r.Less {
			by[v] -= p[i]
		}
		bound += mostOf(-p[i], r.Low, r.High)
	}
	for v, x := range by {
		bound += mostOf(x, 0, s.high[v])
	}
	return bound
}

// mostOf is the most of a variable within its bounds, so many times.
func mostOf(times, low, high float64) float64 {
	switch {
	case math.Abs(times) < eps:
		return 0
	case times > 0:
		return times * high
	}
	return times * low
}

// fits adds up every row of a point.
func (p people) fits(x []float64) bool {
	for v, n := range x {
		if n < -1e-5 || n > p.high[v]+1e-5 {
			return false
		}
	}
	at := people{start: x}
	for _, r := range p.rows {
		if n := at.sum(r.Vars) - at.sum(r.Less); n < r.Low-1e-5 || n > r.High+1e-5 {
			return false
		}
	}
	return true
}

// drawPeople draws a system with bounds on some of its unknowns.
func drawPeople(t *rapid.T) (people, *rand.Rand) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	p := madeUp(r, 1+r.IntN(5), 1+r.IntN(5), 1+r.IntN(3), 1+r.IntN(3))
	for v := range p.high {
		if r.IntN(5) == 0 {
			p.high[v] = p.start[v] + float64(r.IntN(4))
		}
	}
	return p, r
}

// proved fails unless the most of sign times the sum is what the solver says: its point is
// within all bounds and meets the proof; of what has no end there is a point far out.
func proved(t *rapid.T, s *Solver, p people, vars []int, sign float64) float64 {
	got, err := s.maximise(vars, sign, Inf)
	if err != nil || !p.fits(s.value[:s.n]) {
		t.Fatalf("%v, within bounds %v", err, p.fits(s.value[:s.n]))
	}
	if math.IsInf(got, 1) {
		if p.prove(t, Row{Vars: vars, Low: 1e6, High: Inf}) != nil {
			t.Fatalf("the sum of %v has an end", vars)
		}
		return got
	}
	if at := sign * s.Sum(vars); math.Abs(at-got) > 1e-5 || math.Abs(proof(s.price).most(p, vars, sign)-got) > 1e-5 {
		t.Fatalf("the most of %g times the sum of %v is %g, the point has %g, and by the proof %g", sign, vars, got, at, proof(s.price).most(p, vars, sign))
	}
	return got
}

// prove looks for a point with one more row, and fails unless there is one, or a proof that
// there is none: then it gives ErrInfeasible.
func (p people) prove(t *rapid.T, more Row) error {
	p.rows = append(p.rows[:len(p.rows):len(p.rows)], more)
	s, err := From(p.start, p.high, p.rows, 20_000)
	switch {
	case err == nil:
		if !p.fits(s.value[:s.n]) {
			t.Fatalf("the point with %v is not within all bounds", more)
		}
	case !errors.Is(err, ErrInfeasible):
		t.Fatal(err)
	case proof(s.price).most(p, nil, 0) > -eps: // nothing asked is 0 at every point
		t.Fatalf("there may be a point with %v: %g", more, proof(s.price).most(p, nil, 0))
	}
	return err
}

// anywhere is one of the populations, nobody, or a point that most rows are broken at.
func (p people) anywhere(t *rapid.T, r *rand.Rand) []float64 {
	start := make([]float64, len(p.start))
	switch rapid.IntRange(0, 2).Draw(t, "start") {
	case 0:
		return p.start
	case 1:
		for v := range start {
			start[v] = min(p.high[v], float64(r.IntN(9)))
		}
	}
	return start
}

// TestEveryRangeIsProved asks for ranges of sums of systems of people, from one of their
// populations and from elsewhere: each is proved, whatever was asked before, and Reach says
// the same.
func TestEveryRangeIsProved(t *testing.T) {
	moved, endless := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p, r := drawPeople(t)
		s, err := From(p.anywhere(t, r), p.high, p.rows, 20_000)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			vars := p.sums[r.IntN(len(p.sums))]
			most, least := proved(t, s, p, vars, 1), -proved(t, s, p, vars, -1)
			if low, high, err := s.Range(vars); err != nil || math.Abs(low-least) > 1e-5 || math.Abs(high-most) > 1e-5 && high != most {
				t.Fatalf("range of %v is [%g,%g] %v, proved [%g,%g]", vars, low, high, err, least, most)
			}
			if least < most {
				moved++
			}
			if math.IsInf(most, 1) {
				endless++
			}
			if r.IntN(2) == 0 {
				s.refresh() // changes nothing but what was rounded
			}
			bound := math.Round(p.sum(vars)) + 1
			if reached, err := s.Reach(vars, 1, bound); err != nil || reached != (bound <= most+1e-6) || reached && !math.IsInf(most, 1) && s.Sum(vars) < bound-1e-6 {
				t.Fatalf("reaches %g: %v, %v at %g; the most is %g", bound, reached, err, s.Sum(vars), most)
			}
		}
	})
	if moved == 0 || endless == 0 {
		t.Errorf("%d sums can be anything else, %d have no end: the systems are too poor", moved, endless)
	}
}

// TestNoPointIsProved asks for a sum other than one population has: there is a point, or a
// proof that there is none.
func TestNoPointIsProved(t *testing.T) {
	var found, none int
	rapid.Check(t, func(t *rapid.T) {
		p, r := drawPeople(t)
		vars := p.sums[r.IntN(len(p.sums))]
		n := max(0, p.sum(vars)+float64(r.IntN(9)-4))
		p.start = p.anywhere(t, r)
		if p.prove(t, Row{Vars: vars, Low: n, High: n}) == nil {
			found++
		} else {
			none++
		}
	})
	if found == 0 || none == 0 {
		t.Errorf("%d points, none in %d: the systems are too poor", found, none)
	}
}
