package ledger

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkLeaks tests a line of nine quarters: a total of which all windows and some months
// are printed, and children of which 12 months are, but for one number in forty.
func BenchmarkLeaks(b *testing.B) {
	for _, kids := range []int{15, 400} {
		b.Run(fmt.Sprint(kids), func(b *testing.B) {
			l := rolled(rand.New(rand.NewPCG(1, 2)), kids)
			b.ReportAllocs()
			for b.Loop() {
				l.Leaks()
			}
		})
	}
}

func rolled(r *rand.Rand, kids int) Line {
	const quarters = 9
	l := Line{Total: NewTimeline()}
	sums := make([]int64, 3*quarters+1)
	for range kids {
		kid, own := NewTimeline(), make([]int64, len(sums))
		for m := range 3 * quarters {
			own[m+1] = own[m] + 5*r.Int64N(3)
		}
		for q := 1; q <= quarters; q++ {
			if from := max(0, 3*q-12); r.IntN(40) > 0 {
				kid.Print(from, 3*q, own[3*q]-own[from])
			}
		}
		for m, n := range own {
			sums[m] += n
		}
		l.Kids = append(l.Kids, kid)
	}
	for q := 1; q <= quarters; q++ {
		for _, w := range []int{24, 12, 3} {
			from := max(0, 3*q-w)
			l.Total.Print(from, 3*q, sums[3*q]-sums[from])
		}
		l.Total.Print(3*q-3, 3*q-2, sums[3*q-2]-sums[3*q-3])
	}
	return l
}
