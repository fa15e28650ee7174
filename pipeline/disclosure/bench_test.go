package disclosure_test

import (
	"fmt"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/madeup"
)

// BenchmarkSkill masks and audits one skill at the national size: 36 places, 15
// sectors, 412 SOC groups, 5 levels and 3 sources, all five measures, by number
// of people, without and with the rule for insiders (R8), under which most counts
// of a place and an occupation are hidden.
func BenchmarkSkill(b *testing.B) {
	w := madeup.Sized(36, 15, 412, 5, 3)
	for _, people := range []float64{300, 3000, 30000} {
		cells := truth(w, w.People(1, people))
		for i := range cells { // the parts of the shares: as many again
			n := cells[i].TurnedDownFor
			cells[i].HiredWith, cells[i].HiredWithout = n, n
			cells[i].TurnedDownWith, cells[i].TurnedDownWithout = n, n
		}
		for i, c := range cells { // one employer for every four people, the largest with half of them
			for m := range c.By {
				cells[i].By[m] = disclosure.Employers{Number: (c.TurnedDownFor + 3) / 4, Largest: (c.TurnedDownFor + 1) / 2}
			}
		}
		for _, employers := range []int{0, 3} {
			b.Run(fmt.Sprintf("%v/%d", people, employers), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					disclosure.Rules{MinEmployers: employers}.Mask(cells)
				}
			})
		}
	}
}
