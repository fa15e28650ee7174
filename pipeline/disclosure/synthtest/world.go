// Package synthtest generates random people and counts them by brute force, for tests of disclosure
// control. It imports no code of the service, so that it does not repeat the errors of the service.
package synthtest

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Person is one person who counts for one skill, with the filter values of one application.
// AgeMonths is the age of the application in months. 0 is the newest month.
type Person struct {
	Place, Sector, SOC, Level, Source string
	AgeMonths                         int
}

// TestWorld is the public information in a test: the boroughs, the areas and the filter values of
// adverts.
type TestWorld struct {
	Places []string
	// boroughs of each area, by the area's slug; areas may overlap
	Areas                          map[string][]string
	Sectors, SOCs, Levels, Sources []string
}

// MakeSlugs returns n different slugs with the given prefix, such as "borough007".
func MakeSlugs(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s%03d", prefix, i)
	}
	return out
}

// PersonGenerator generates random people. Some filter values are much more common than others.
// Their weights are log-normal.
type PersonGenerator struct {
	r       *rand.Rand
	world   TestWorld
	weights [5][]float64
}

// NewPersonGenerator returns a PersonGenerator. The same seed always generates the same people.
func (w TestWorld) NewPersonGenerator(seed uint64) *PersonGenerator {
	d := &PersonGenerator{r: rand.New(rand.NewPCG(seed, 7)), world: w}
	for i, values := range [][]string{w.Places, w.Sectors, w.SOCs, w.Levels, w.Sources} {
		d.weights[i] = make([]float64, len(values))
		for j := range values {
			d.weights[i][j] = math.Exp(d.r.NormFloat64())
		}
	}
	return d
}

// Person returns one random person with an application from age months ago.
func (d *PersonGenerator) Person(age int) Person {
	return Person{d.pick(d.world.Places, 0), d.pick(d.world.Sectors, 1), d.pick(d.world.SOCs, 2),
		d.pick(d.world.Levels, 3), d.pick(d.world.Sources, 4), age}
}

func (d *PersonGenerator) pick(values []string, filter int) string {
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

// People returns n random people with applications from 0 to 23 months ago.
func (d *PersonGenerator) People(n int) []Person {
	people := make([]Person, n)
	for i := range people {
		people[i] = d.Person(d.r.IntN(24))
	}
	return people
}
