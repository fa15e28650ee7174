package headcount

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestSumsAgainstCounting counts the people of one sheet once more, cell by cell: the
// people of each window, their employers, and those of the largest.
func TestSumsAgainstCounting(t *testing.T) {
	c := &Counter{free: make(chan *sheet, 1)}
	names := texts{places: []string{"", "camden", "hackney", "north"}, sectors: []string{"", "care"}, socs: []string{"", "6135"}, sources: []string{"", "platform"}}
	areas := [][]uint32{nil, {3}, nil, nil}
	rapid.Check(t, func(t *rapid.T) {
		people := made(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 60).Draw(t, "people"))
		s := c.sheet(names) // the same sheet each time
		defer c.release(s)
		s.count(people, areas)
		for place := range names.places {
			for m := range measures {
				for w, months := range windows {
					by := map[uint32]int32{}
					var want [3]int32
					for _, p := range people {
						in := place == 0 || int(p.place) == place || place == 3 && p.place == 1
						if in && p.measure == m && int(p.age) < months && p.sector == 1 {
							by[p.employer]++
							want[0], want[2] = want[0]+1, max(want[2], by[p.employer])
						}
					}
					want[1] = int32(len(by))
					got := s.cells[s.at(key{uint32(place), sector, 1})+m]
					if n := [3]int32{got.people[w], got.employers[w], got.largest[w]}; n != want {
						t.Fatalf("place %d, measure %d, %d months: people, employers and largest %v, want %v", place, m, months, n, want)
					}
				}
			}
		}
	})
}

// made are outcomes that count, in boroughs 0 (unknown) to 2.
func made(seed uint64, n int) []counted {
	r := rand.New(rand.NewPCG(seed, 3))
	out := make([]counted, n)
	for i := range out {
		out[i] = counted{&outcome{person: uint32(i), employer: uint32(r.IntN(6)), place: uint32(r.IntN(3)), sector: uint16(r.IntN(2)), soc: uint16(r.IntN(2)),
			level: uint8(1 + r.IntN(5)), source: 1, age: uint8(r.IntN(24))}, r.IntN(measures)}
	}
	return out
}

// BenchmarkCount is 60,000 people of one skill, a nation's usual.
func BenchmarkCount(b *testing.B) {
	c := &Counter{free: make(chan *sheet, 1)}
	names := texts{places: make([]string, 37), sectors: make([]string, 20), socs: make([]string, 400), sources: make([]string, 4)}
	people := made(1, 60_000)
	for b.Loop() {
		s := c.sheet(names)
		s.count(people, make([][]uint32, len(names.places)))
		c.release(s)
	}
	b.ReportMetric(float64(len(people)*b.N)/b.Elapsed().Seconds(), "people/s")
}
