package disclosure_test

import (
	"fmt"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/madeup"
)

// BenchmarkSkill masks and audits one skill at the national size: 36 places, 15
// sectors, 412 SOC groups, 5 levels and 3 sources, all five measures, by number
// of people.
func BenchmarkSkill(b *testing.B) {
	w := madeup.Sized(36, 15, 412, 5, 3)
	for _, people := range []float64{300, 3000, 30000} {
		cells := truth(w, w.People(1, people))
		for i := range cells { // the parts of the shares: as many again
			n := cells[i].TurnedDownFor
			cells[i].HiredWith, cells[i].HiredWithout = n, n
			cells[i].TurnedDownWith, cells[i].TurnedDownWithout = n, n
		}
		b.Run(fmt.Sprint(people), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				disclosure.Rules{}.Mask(cells)
			}
		})
	}
}
