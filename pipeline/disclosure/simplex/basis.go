package simplex

import (
	"math"
	"slices"
)

// basis is the variables that follow from the others, with what solves for them: their
// coefficients as they were at the last refresh in triangles, lower times upper, and
// after these one factor for each variable that was exchanged since, a unit matrix but
// for one column. The rows' own variables are unit columns, and need nothing.
type basis struct {
	n            int
	holds        []int32 // place → variable
	place        []int32 // variable → place, -1 = not in the basis
	lower, upper factors
	since        factors
}

// factors are columns of places: a pivot there, and entries elsewhere.
type factors struct {
	of []factor
	at []int32 // entries of all
	by []float64
}

type factor struct {
	place    int32
	from, to int32
	pivot    float64
}

// Limits after which the triangles are made anew.
const (
	mostFactors = 100
	mostEntries = 3      // times as many entries as the triangles
	leastFill   = 40_000 // entries that are few whatever there was
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
	for _, f := range []*factors{&b.lower, &b.upper, &b.since} {
		f.of, f.at, f.by = f.of[:0], f.at[:0], f.by[:0]
	}
	for i := range b.holds {
		b.holds[i] = int32(b.n + i)
		b.place[b.n+i] = int32(i)
	}
}

// long says that the triangles should be made anew.
func (b *basis) long() bool {
	return len(b.since.of) > mostFactors || len(b.since.at) > leastFill+mostEntries*(len(b.lower.at)+len(b.upper.at))
}

// exchange takes variable v into a place; rate is its column, put through forward.
func (b *basis) exchange(place, v int, rate *sparse) {
	b.place[b.holds[place]] = -1
	b.holds[place], b.place[v] = int32(v), int32(place)
	for _, i := range rate.at {
		if a := rate.x[i]; int(i) != place && a != 0 {
			b.since.enter(i, a)
		}
	}
	b.since.end(place, rate.x[place])
}

// enter adds an entry to the column under way, and end ends it.
func (f *factors) enter(i int32, a float64) { f.at, f.by = append(f.at, i), append(f.by, a) }

func (f *factors) end(place int, pivot float64) {
	from := int32(0)
	if n := len(f.of); n > 0 {
		from = f.of[n-1].to
	}
	f.of = append(f.of, factor{place: int32(place), from: from, to: int32(len(f.at)), pivot: pivot})
}

// divide takes the column of one factor out of y.
func (f *factors) divide(k int, y *sparse) {
	c := f.of[k]
	t := y.x[c.place]
	if t == 0 {
		return
	}
	if t /= c.pivot; math.Abs(t) < tiny {
		t = 0
	}
	y.x[c.place] = t
	by := f.by[c.from:c.to]
	for k, i := range f.at[c.from:c.to] {
		y.x[i] -= t * by[k]
		if !y.in[i] {
			y.in[i], y.at = true, append(y.at, i)
		}
	}
}

// multiply is divide for prices.
func (f *factors) multiply(k int, y []float64) {
	c := f.of[k]
	sum := y[c.place]
	by := f.by[c.from:c.to]
	for k, i := range f.at[c.from:c.to] {
		sum -= by[k] * y[i]
	}
	if sum != 0 {
		if sum /= c.pivot; math.Abs(sum) < tiny {
			sum = 0
		}
	}
	y[c.place] = sum
}

// forward turns a column into what each place of the basis takes of it.
func (b *basis) forward(y *sparse) {
	for k := range b.lower.of {
		b.lower.divide(k, y)
	}
	for k := len(b.upper.of) - 1; k >= 0; k-- {
		b.upper.divide(k, y)
	}
	for k := range b.since.of {
		b.since.divide(k, y)
	}
	for _, i := range y.at {
		if a := y.x[i]; a < tiny && a > -tiny {
			y.x[i] = 0
		}
	}
}

// backward turns prices of the places into prices of the rows.
func (b *basis) backward(y []float64) {
	for k := len(b.since.of) - 1; k >= 0; k-- {
		b.since.multiply(k, y)
	}
	for k := range b.upper.of {
		b.upper.multiply(k, y)
	}
	for k := len(b.lower.of) - 1; k >= 0; k-- {
		b.lower.multiply(k, y)
	}
}
