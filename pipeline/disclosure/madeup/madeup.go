// Package madeup makes up people and counts them into cells by brute force, for
// the tests and measurements of disclosure control. It imports no code of the
// service, so that a fault there cannot hide in what it is held against.
package madeup

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// The filters, as the signatures of cells name them; sigNone is no filter.
const (
	sigNone   = "none"
	sigPlace  = "place"
	sigSector = "sector"
	sigSOC    = "soc"
	sigLevel  = "level"
	sigSource = "source"
	sigMonth  = "month"
)

// Person is one person at their most recent event for one skill: one place, one
// value of each filter, and the age of the event in months.
type Person struct {
	Place, Sector, SOC, Level, Source string
	Age                               int
}

// World is what is public: the places, areas and values in which adverts ask.
type World struct {
	Places                         []string
	Areas                          map[string][]string // area → boroughs
	Sectors, SOCs, Levels, Sources []string
}

// Names makes n slugs.
func Names(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s%03d", prefix, i)
	}
	return out
}

// Sized is a world of the given numbers of values, without areas.
func Sized(places, sectors, socs, levels, sources int) World {
	return World{Places: Names("place", places), Sectors: Names("sector", sectors), SOCs: Names("soc", socs),
		Levels: Names("level", levels), Sources: Names("source", sources)}
}

// People draws about n people: a Poisson count in each combination of values
// under log-normal weights, so that a few values are large and most are small.
func (w World) People(seed uint64, n float64) []Person {
	r := rand.New(rand.NewPCG(seed, 7))
	place, sector, soc := weights(r, len(w.Places)), weights(r, len(w.Sectors)), weights(r, len(w.SOCs))
	level, source := weights(r, len(w.Levels)), weights(r, len(w.Sources))
	pick := func(of []string, weight []float64) string {
		if len(of) == 0 {
			return ""
		}
		x := r.Float64()
		for i, p := range weight {
			if x -= p; x < 0 {
				return of[i]
			}
		}
		return of[len(of)-1]
	}
	people := make([]Person, poisson(r, n))
	for i := range people {
		people[i] = Person{pick(w.Places, place), pick(w.Sectors, sector), pick(w.SOCs, soc), pick(w.Levels, level), pick(w.Sources, source), r.IntN(24)}
	}
	return people
}

// Volumes are how many adverts each value of each filter ("place" and the dims of
// cells) had where adverts bring applications: the weights by which People draws
// with the same seed, each times a log-normal factor of its own with that spread.
func (w World) Volumes(seed uint64, spread float64) map[string]map[string]int64 {
	r, noise := rand.New(rand.NewPCG(seed, 7)), rand.New(rand.NewPCG(seed, 8))
	out := map[string]map[string]int64{}
	for _, f := range []struct {
		dim    string
		values []string
	}{{sigPlace, w.Places}, {sigSector, w.Sectors}, {sigSOC, w.SOCs}, {sigLevel, w.Levels}, {sigSource, w.Sources}} { // in the order of People
		out[f.dim] = map[string]int64{}
		for i, p := range weights(r, len(f.values)) {
			out[f.dim][f.values[i]] = int64(1e6 * p * math.Exp(spread*noise.NormFloat64()))
		}
	}
	return out
}

// weights are log-normal and sum to 1.
func weights(r *rand.Rand, n int) []float64 {
	out, sum := make([]float64, n), 0.0
	for i := range out {
		out[i] = math.Exp(r.NormFloat64())
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// poisson draws from a Poisson distribution; for a large mean, from the normal one.
func poisson(r *rand.Rand, mean float64) int {
	if mean > 500 {
		return max(0, int(math.Round(mean+math.Sqrt(mean)*r.NormFloat64())))
	}
	n, p, limit := 0, 1.0, math.Exp(-mean)
	for {
		if p *= r.Float64(); p <= limit {
			return n
		}
		n++
	}
}

// Cell names a cell as the lattice does.
type Cell struct {
	Signature, Place, Value string
	Window                  int
}

// Newest is the month of age 0.
const Newest = "2026-09"

// Month is the month of an age.
func Month(age int) string {
	n := 2026*12 + 8 - age
	return fmt.Sprintf("%04d-%02d", n/12, n%12+1)
}

// Grid is every cell of the lattice over the world: every combination is taken to
// have adverts. Cells come sorted.
func (w World) Grid() []Cell {
	places := []string{""}
	places = append(places, w.Places...)
	for a := range w.Areas {
		places = append(places, a)
	}
	slices.Sort(places)
	var out []Cell
	for _, p := range places {
		windows := []int{3, 6, 12, 24}
		for _, win := range windows {
			out = append(out, Cell{sigPlace, p, "", win})
		}
		months := 12
		if p == "" {
			months = 24
		} else {
			windows = windows[2:]
		}
		for dim, values := range w.dims() {
			for _, v := range values {
				for _, win := range windows {
					out = append(out, Cell{dim, p, v, win})
				}
			}
		}
		for age := range months {
			out = append(out, Cell{sigMonth, p, Month(age), 1})
		}
	}
	for i := range out {
		out[i].Signature = signature(out[i])
	}
	slices.SortFunc(out, Compare)
	return out
}

func signature(c Cell) string {
	switch {
	case c.Signature == sigPlace && c.Place == "":
		return sigNone
	case c.Signature != sigPlace && c.Place != "":
		return "place_" + c.Signature
	}
	return c.Signature
}

func (w World) dims() map[string][]string {
	return map[string][]string{sigSector: w.Sectors, sigSOC: w.SOCs, sigLevel: w.Levels, sigSource: w.Sources}
}

// Compare orders cells by signature, place, value and window.
func Compare(a, b Cell) int {
	for _, d := range []int{cmpString(a.Signature, b.Signature), cmpString(a.Place, b.Place), cmpString(a.Value, b.Value)} {
		if d != 0 {
			return d
		}
	}
	return a.Window - b.Window
}

func cmpString(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Recent is how many people of a cell of a place and another filter, with its 12
// months, are of the last 3 and of the last 6 months; 0 for another cell.
func Recent(n map[Cell]int64, c Cell) (recent [2]int64) {
	if c.Place == "" || c.Value == "" || c.Window != 12 {
		return recent
	}
	for i, months := range []int{3, 6} {
		c.Window = months
		recent[i] = n[c]
	}
	return recent
}

// Count counts people in every cell at once, those of a place and another filter in all
// windows, which the grid has not.
func (w World) Count(people []Person) map[Cell]int64 {
	within := map[string][]string{}
	for a, boroughs := range w.Areas {
		for _, b := range boroughs {
			within[b] = append(within[b], a)
		}
	}
	n := map[Cell]int64{}
	for _, p := range people {
		for _, place := range append([]string{"", p.Place}, within[p.Place]...) {
			for _, win := range []int{3, 6, 12, 24} {
				if p.Age >= win {
					continue
				}
				for dim, v := range map[string]string{sigPlace: "", sigSector: p.Sector, sigSOC: p.SOC,
					sigLevel: p.Level, sigSource: p.Source} {
					c := Cell{dim, place, v, win}
					c.Signature = signature(c)
					n[c]++
				}
			}
			c := Cell{sigMonth, place, Month(p.Age), 1}
			c.Signature = signature(c)
			n[c]++
		}
	}
	return n
}
