package simplex

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestRangesAgainstBruteForce enumerates all integer points of a small system of
// nested sums (an interval matrix, so that its corners are integers) and compares
// the smallest and largest value of every variable and of random sums of
// neighbours.
func TestRangesAgainstBruteForce(t *testing.T) {
	const n, top = 4, 4
	rapid.Check(t, func(t *rapid.T) {
		var rows []Row
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			rows = append(rows, drawInterval(t, n))
		}
		target := drawInterval(t, n).Vars
		high := []float64{top, top, top, top}
		low, most := math.Inf(1), math.Inf(-1)
		for code := range 625 {
			x := [n]float64{float64(code % 5), float64(code / 5 % 5), float64(code / 25 % 5), float64(code / 125)}
			if inside(rows, x[:]) {
				sum := at(target, x[:])
				low, most = min(low, sum), max(most, sum)
			}
		}
		s, err := New(high, rows, 1000)
		if math.IsInf(low, 1) {
			if !errors.Is(err, ErrInfeasible) {
				t.Fatalf("no point, but %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second asking starts elsewhere
			gotLow, gotHigh, err := s.Range(target)
			if err != nil || math.Abs(gotLow-low) > 1e-6 || math.Abs(gotHigh-most) > 1e-6 {
				t.Fatalf("range [%g,%g] %v, want [%g,%g]", gotLow, gotHigh, err, low, most)
			}
		}
	})
}

func drawInterval(t *rapid.T, n int) Row {
	from := rapid.IntRange(0, n-1).Draw(t, "from")
	to := rapid.IntRange(from, n-1).Draw(t, "to")
	low := rapid.IntRange(0, 9).Draw(t, "low")
	r := Row{Low: float64(low), High: float64(low + rapid.IntRange(0, 4).Draw(t, "width"))}
	for v := from; v <= to; v++ {
		r.Vars = append(r.Vars, v)
	}
	return r
}

func inside(rows []Row, x []float64) bool {
	for _, r := range rows {
		if v := at(r.Vars, x); v < r.Low || v > r.High {
			return false
		}
	}
	return true
}

func at(vars []int, x []float64) (sum float64) {
	for _, v := range vars {
		sum += x[v]
	}
	return sum
}

func TestUnboundedAbove(t *testing.T) {
	s, err := New([]float64{Inf, Inf}, []Row{{Vars: []int{0, 1}, Low: 5, High: Inf}}, 100)
	if err != nil {
		t.Fatal(err)
	}
	low, high, err := s.Range([]int{0})
	if err != nil || low != 0 || !math.IsInf(high, 1) {
		t.Errorf("range [%g,%g] %v, want [0,Inf]", low, high, err)
	}
}
