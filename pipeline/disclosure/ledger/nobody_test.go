package ledger

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTimesOfNobodyAgainstMonths adds times in any order, and compares them with the months
// that are in one of them: the runs of those, in order, are the times.
func TestTimesOfNobodyAgainstMonths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 12
		var nobody Nobody
		var in [n]bool
		for range rapid.IntRange(0, 6).Draw(t, "times") {
			from := rapid.IntRange(0, n-1).Draw(t, "from")
			to := rapid.IntRange(from+1, n).Draw(t, "to")
			whole, end := nobody.Add(from, to)
			for m := from; m < to; m++ {
				in[m] = true
			}
			if !nobody.Holds(from, to) || !slices.Contains(nobody, [2]int{whole, end}) || whole > from || end < to {
				t.Fatalf("%d to %d is in %d to %d of %v", from, to, whole, end, nobody)
			}
		}
		var want Nobody
		for m := range n {
			switch {
			case in[m] && m > 0 && in[m-1]:
				want[len(want)-1][1]++
			case in[m]:
				want = append(want, [2]int{m, m + 1})
			}
		}
		if !slices.Equal(nobody, want) {
			t.Fatalf("times %v, months %v", nobody, want)
		}
		for from := range n {
			for to := from + 1; to <= n; to++ {
				if nobody.Holds(from, to) != !slices.Contains(in[from:to], false) {
					t.Fatalf("%d to %d of %v", from, to, nobody)
				}
			}
		}
	})
}
