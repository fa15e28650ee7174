package simplex

import (
	"math"
	"slices"
)

// basis is the variables that follow from the others, and the inverse of their
// coefficients in product form: each of the rows' own variables that was exchanged for
// another is one factor, a unit matrix but for one column. The rows' own variables alone
// are the unit matrix, so that a basis near to them has few factors.
type basis struct {
	n       int
	holds   []int32  // place → variable
	place   []int32  // variable → place, -1 = not in the basis
	factors []factor // in the order of forward
	at      []int32  // entries of all factors
	by      []float64
	fresh   int // factors and entries just after the last refresh
	entries int
}

// factor is the column of one place: pivot there, and entries elsewhere.
type factor struct {
	place    int32
	from, to int32
	pivot    float64
}

// Limits after which the factors are made anew.
const (
	mostFactors = 120  // since the last time
	mostEntries = 3    // times as many entries as then
	leastFill   = 5000 // entries that are few whatever there was
	tiny        = 1e-10
)

// newBasis holds the rows' own variables.
func newBasis(n, m int) basis {
	b := basis{n: n, holds: make([]int32, m), place: slices.Repeat([]int32{-1}, n+m)}
	b.reset()
	return b
}

// reset begins again with the rows' own variables, without the places of the others.
func (b *basis) reset() {
	b.factors, b.at, b.by = b.factors[:0], b.at[:0], b.by[:0]
	for i := range b.holds {
		b.holds[i] = int32(b.n + i)
		b.place[b.n+i] = int32(i)
	}
}

// long says that the factors should be made anew.
func (b *basis) long() bool {
	return len(b.factors) > b.fresh+mostFactors || len(b.at) > leastFill+mostEntries*b.entries
}

// put takes variable v into a place; rate is its column, put through forward.
func (b *basis) put(place, v int, rate []float64) {
	b.holds[place], b.place[v] = int32(v), int32(place)
	f := factor{place: int32(place), from: int32(len(b.at)), pivot: rate[place]}
	for i, a := range rate {
		if i != place && (a > tiny || a < -tiny) {
			b.at, b.by = append(b.at, int32(i)), append(b.by, a)
		}
	}
	f.to = int32(len(b.at))
	b.factors = append(b.factors, f)
}

// forward turns a column into what each place of the basis takes of it.
func (b *basis) forward(y []float64) {
	for _, f := range b.factors {
		t := y[f.place]
		if t == 0 {
			continue
		}
		if t /= f.pivot; math.Abs(t) < tiny {
			t = 0
		}
		y[f.place] = t
		by := b.by[f.from:f.to]
		for k, i := range b.at[f.from:f.to] {
			if y[i] -= t * by[k]; y[i] < tiny && y[i] > -tiny {
				y[i] = 0
			}
		}
	}
}

// backward turns prices of the places into prices of the rows.
func (b *basis) backward(y []float64) {
	for k := len(b.factors) - 1; k >= 0; k-- {
		f := b.factors[k]
		sum := y[f.place]
		by := b.by[f.from:f.to]
		for k, i := range b.at[f.from:f.to] {
			sum -= by[k] * y[i]
		}
		if sum != 0 {
			if sum /= f.pivot; math.Abs(sum) < tiny {
				sum = 0
			}
		}
		y[f.place] = sum
	}
}

// refresh makes the factors anew from the variables in the basis, and the values of
// those from all others. A variable that depends on others in the basis, as far as can
// be told, leaves it and stays where it is.
func (s *Solver) refresh() {
	b := &s.basis
	var in []int32
	own := make([]bool, len(b.holds)) // rows whose own variable is in the basis
	for _, v := range b.holds {
		if int(v) < s.n {
			in = append(in, v)
			b.place[v] = -1
		} else {
			own[int(v)-s.n] = true
		}
	}
	b.reset()
	for _, e := range s.order(in, own) {
		s.column(int(e.v))
		b.forward(s.rate)
		if i := s.pivotal(own, int(e.row)); i >= 0 {
			own[i] = true
			b.place[s.n+i] = -1
			b.put(i, int(e.v), s.rate)
		}
	}
	b.fresh, b.entries = len(b.factors), len(b.at)
	s.follow()
}

// pivotal is the place for the column in rate: the row that was found for it, or of
// those with nothing in them yet the one with the largest rate; -1 = none.
func (s *Solver) pivotal(taken []bool, row int) int {
	if row >= 0 && !taken[row] && math.Abs(s.rate[row]) > 0.1 {
		return row
	}
	at, most := -1, 1e-6
	for i, a := range s.rate {
		if !taken[i] && math.Abs(a) > most {
			at, most = i, math.Abs(a)
		}
	}
	return at
}

// follow makes the values in the basis anew from all others.
func (s *Solver) follow() {
	clear(s.rate)
	for v, x := range s.value {
		switch {
		case s.basis.place[v] >= 0 || x == 0:
		case v >= s.n:
			s.rate[v-s.n] -= x
		default:
			s.cols.add(v, x, s.rate)
		}
	}
	s.basis.forward(s.rate)
	for i, v := range s.basis.holds {
		s.value[v] = s.rate[i]
	}
}
