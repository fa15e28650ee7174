package simplex

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
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

// TestAgainstTheDenseDictionary asks both methods the same of systems of people, from
// one of their populations and from nowhere: the ranges of sums are the same, whatever
// was asked before, and every point on the way is within all bounds.
func TestAgainstTheDenseDictionary(t *testing.T) {
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		p := madeUp(r, 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(3), 1+r.IntN(3))
		start := p.start
		if rapid.Bool().Draw(t, "from nowhere") {
			start = make([]float64, len(p.start))
		}
		sparse, err := From(start, p.high, p.rows, 20_000)
		if err != nil {
			t.Fatal(err)
		}
		full, err := denseFrom(start, p.high, p.rows, 20_000)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			vars := p.sums[r.IntN(len(p.sums))]
			low, high, err := sparse.Range(vars)
			if err != nil || !sparse.within() {
				t.Fatalf("%v, within bounds %v", err, sparse.within())
			}
			wantLow, wantHigh, err := full.Range(vars)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(low-wantLow) > 1e-5 || math.Abs(high-wantHigh) > 1e-5 {
				t.Fatalf("range of %v is [%g,%g], dense [%g,%g]", vars, low, high, wantLow, wantHigh)
			}
			if low < high {
				moved++
			}
			if r.IntN(2) == 0 {
				sparse.refresh() // changes nothing but what was rounded
			}
			bound := math.Round(p.sum(vars)) + 1
			if reached, err := sparse.Reach(vars, 1, bound); err != nil || reached != (bound <= wantHigh+1e-6) || reached && !math.IsInf(wantHigh, 1) && sparse.Sum(vars) < bound-1e-6 {
				t.Fatalf("reaches %g: %v, %v at %g; the most is %g", bound, reached, err, sparse.Sum(vars), wantHigh)
			}
		}
	})
	if moved == 0 {
		t.Error("no sum can be anything else: the systems are too poor")
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

// BenchmarkReachDense is the same on a dictionary of all coefficients.
func BenchmarkReachDense(b *testing.B) {
	p := madeUp(rand.New(rand.NewPCG(1, 2)), 24, 21, 3, 4)
	b.ReportAllocs()
	for b.Loop() {
		s, err := denseFrom(p.start, p.high, p.rows, 20_000)
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
