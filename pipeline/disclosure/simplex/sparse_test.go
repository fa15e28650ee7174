package simplex

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// people is a system as people make it: values of a few filters in leaves and bands,
// split alike by each filter, with sums over values, leaves and bands that are known,
// small, at least 5 or not known. The point is one of its populations.
type people struct {
	start, high []float64
	rows        []Row
	sums        [][]int // that were asked
}

func madeUp(r *rand.Rand, leaves, values, filters, bands int) people {
	var p people
	unknown := func(n int) int {
		p.start, p.high = append(p.start, float64(n)), append(p.high, Inf)
		return len(p.start) - 1
	}
	all := make([][]int, leaves*bands) // leaf and band → unknowns that add up alike
	at := map[[4]int]int{}
	for f := range filters {
		for place := range all {
			row := Row{}
			for v := range values {
				n := 0
				if r.IntN(3) > 0 {
					n = r.IntN(7)
				}
				at[[4]int{f, v, place / bands, place % bands}] = unknown(n)
				row.Vars = append(row.Vars, len(p.start)-1)
			}
			if f == 0 {
				all[place] = row.Vars
				continue
			}
			// One more value takes what the first filter has more, so that both add up alike.
			row.Vars, row.Less = append(row.Vars, unknown(0)), append(append([]int(nil), all[place]...), unknown(0))
			left := p.sum(row.Less) - p.sum(row.Vars)
			p.start[row.Vars[len(row.Vars)-1]], p.start[row.Less[len(row.Less)-1]] = max(0, left), max(0, -left)
			p.rows = append(p.rows, row)
		}
	}
	for range 2 * filters * values * leaves {
		f, v, from, upto := r.IntN(filters), r.IntN(values), r.IntN(leaves), r.IntN(bands)
		to := from
		if r.IntN(2) == 0 {
			from, to = 0, leaves-1
		}
		var vars []int
		for leaf := from; leaf <= to; leaf++ {
			for band := 0; band <= upto; band++ {
				vars = append(vars, at[[4]int{f, v, leaf, band}])
			}
		}
		p.answer(r, vars)
	}
	return p
}

func (p *people) sum(vars []int) (n float64) {
	for _, v := range vars {
		n += p.start[v]
	}
	return n
}

// answer adds what is known of a sum.
func (p *people) answer(r *rand.Rand, vars []int) {
	n := p.sum(vars)
	p.sums = append(p.sums, vars)
	switch {
	case n >= 1 && n <= 4:
		p.rows = append(p.rows, Row{Vars: vars, Low: 1, High: 4})
	case n == 0 || r.IntN(3) > 0:
		p.rows = append(p.rows, Row{Vars: vars, Low: n, High: n})
	case r.IntN(2) == 0:
		p.rows = append(p.rows, Row{Vars: vars, Low: 5, High: Inf})
	}
}

// TestNoAnswerWithoutEnoughSteps: what is not known is an error, not an answer.
func TestNoAnswerWithoutEnoughSteps(t *testing.T) {
	p := madeUp(rand.New(rand.NewPCG(5, 5)), 6, 6, 3, 3)
	s, err := From(p.start, p.high, p.rows, 0)
	if err != nil {
		t.Fatal(err)
	}
	unknown := 0
	for _, vars := range p.sums {
		reached, err := s.Reach(vars, 1, p.sum(vars)+1)
		if errors.Is(err, ErrSteps) {
			unknown++
		}
		if reached && err != nil || err != nil && !errors.Is(err, ErrSteps) {
			t.Fatalf("%v, %v", reached, err)
		}
		if !s.within() {
			t.Fatal("left its bounds")
		}
	}
	if unknown == 0 {
		t.Error("every question was answered in one step: the system is too poor")
	}
}

// BenchmarkReach asks fifty groups of one system of 6,000 unknowns for one more, as the
// audit does.
func BenchmarkReach(b *testing.B) {
	p := madeUp(rand.New(rand.NewPCG(1, 2)), 24, 21, 3, 4)
	b.ReportMetric(float64(len(p.start)), "unknowns")
	b.ReportAllocs()
	for b.Loop() {
		s, err := From(p.start, p.high, p.rows, 20_000)
		if err != nil {
			b.Fatal(err)
		}
		for _, vars := range p.sums[:50] {
			if _, err := s.Reach(vars, 1, p.sum(vars)+1); err != nil {
				b.Fatal(err)
			}
		}
	}
}
