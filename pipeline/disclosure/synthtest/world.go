// Package synthtest draws people at random and counts them into cells by brute force, for the tests
// of disclosure control. It imports no code of the service, so that an error there cannot also be
// in the expected values.
package synthtest

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Person is one person with the most recent event for one skill: one place, one value of each
// filter, and the age of the event in months; 0 is the newest month.
type Person struct {
	Place, Sector, SOC, Level, Source string
	Age                               int
}

// World holds the places, areas and filter values of the adverts, which are public.
type World struct {
	Places                         []string
	Areas                          map[string][]string // area to boroughs; areas may overlap
	Sectors, SOCs, Levels, Sources []string
}

// Names returns n made-up slugs.
func Names(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s%03d", prefix, i)
	}
	return out
}

// Drawer draws random people: each filter has log-normal weights, so that a few values are common
// and most are rare.
type Drawer struct {
	r       *rand.Rand
	world   World
	weights [5][]float64
}

// NewDrawer returns a drawer whose weights depend on the seed.
func (w World) NewDrawer(seed uint64) *Drawer {
	d := &Drawer{r: rand.New(rand.NewPCG(seed, 7)), world: w}
	for i, values := range [][]string{w.Places, w.Sectors, w.SOCs, w.Levels, w.Sources} {
		d.weights[i] = make([]float64, len(values))
		for j := range values {
			d.weights[i][j] = math.Exp(d.r.NormFloat64())
		}
	}
	return d
}

// Person draws one person of the given age.
func (d *Drawer) Person(age int) Person {
	return Person{d.pick(d.world.Places, 0), d.pick(d.world.Sectors, 1), d.pick(d.world.SOCs, 2),
		d.pick(d.world.Levels, 3), d.pick(d.world.Sources, 4), age}
}

func (d *Drawer) pick(values []string, filter int) string {
	if len(values) == 0 {
		return ""
	}
	sum := 0.0
	for _, w := range d.weights[filter] {
		sum += w
	}
	x := d.r.Float64() * sum
	for i, w := range d.weights[filter] {
		if x -= w; x < 0 {
			return values[i]
		}
	}
	return values[len(values)-1]
}

// People draws n people with ages under 24 months.
func (d *Drawer) People(n int) []Person {
	people := make([]Person, n)
	for i := range people {
		people[i] = d.Person(d.r.IntN(24))
	}
	return people
}
