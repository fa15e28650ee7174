package sandbox

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"time"

	"labour/sources"
)

// The parts of the world that draw from their own stream of numbers, so that a
// change to one part leaves the others as they were.
const (
	streamEmployers uint64 = iota + 1
	streamAdverts
	streamResidents
	streamPeople
	streamApplications
	streamRest
	streamStatistics
	streamText uint64 = (iota + 1) << 32 // plus the number of the vacancy
	streamRows                           // plus the number of the vacancy
)

// chance is a source of made-up decisions.
type chance struct{ *rand.Rand }

func (w *World) chance(stream uint64) chance {
	return chance{rand.New(rand.NewPCG(w.seed, stream))}
}

// one says yes with probability p.
func (c chance) one(p float64) bool { return c.Float64() < p }

// between is a whole number from low to high, both included.
func (c chance) between(low, high int) int {
	if high <= low {
		return low
	}
	return low + c.IntN(high-low+1)
}

func (c chance) pick(words []string) string { return words[c.IntN(len(words))] }

// wheel picks indices by weight.
type wheel struct{ upTo []float64 }

func newWheel(n int, weight func(int) float64) wheel {
	w := wheel{upTo: make([]float64, n)}
	sum := 0.0
	for i := range n {
		sum += weight(i)
		w.upTo[i] = sum
	}
	return w
}

// spin is an index by weight; -1 when nothing has any.
func (w wheel) spin(c chance) int {
	if len(w.upTo) == 0 || w.upTo[len(w.upTo)-1] <= 0 {
		return -1
	}
	return w.at(c.Float64())
}

// at is the index below which a share of all weight lies; the share is 0 to 1.
func (w wheel) at(share float64) int {
	x := share * w.upTo[len(w.upTo)-1]
	return min(sort.SearchFloat64s(w.upTo, math.Nextafter(x, math.Inf(1))), len(w.upTo)-1)
}

// zipf is the weight of the i-th of a ranking, counted from 0.
func zipf(i int, exponent float64) float64 { return math.Pow(float64(i+2), -exponent) }

// shares deals out total by weight, so that the parts add up to it.
func shares(total int, weight []float64) []int {
	sum, upTo, done := 0.0, 0.0, 0
	for _, x := range weight {
		sum += x
	}
	out := make([]int, len(weight))
	for i, x := range weight {
		if sum <= 0 {
			break
		}
		upTo += x
		out[i] = int(math.Round(upTo/sum*float64(total))) - done
		done += out[i]
	}
	return out
}

// seasons are how many adverts a month has beside the average.
var seasons = [...]float64{time.January: 1.15, time.February: 1.05, time.March: 1.1, time.April: 1, time.May: 1.05, time.June: 1,
	time.July: 0.9, time.August: 0.75, time.September: 1.2, time.October: 1.15, time.November: 1, time.December: 0.6}

// calendar draws days on which adverts are posted.
type calendar struct {
	start sources.Date
	upTo  wheel // by day from start
}

// calendar is that of the 24 months: seasons, slow growth, few weekends.
func (w *World) calendar() calendar {
	start := w.windowStart()
	n := days(start, w.asOf) + 1
	return calendar{start: start, upTo: newWheel(n, func(i int) float64 {
		t := start.Time().AddDate(0, 0, i)
		weight := seasons[t.Month()] * (1 + 0.25*float64(i)/float64(n))
		if day := t.Weekday(); day == time.Saturday || day == time.Sunday {
			weight *= 0.15
		}
		return weight
	})}
}

func (d calendar) draw(c chance) sources.Date { return d.at(c.Float64()) }

// at is the day up to which a share of all adverts is posted; the share is 0 to 1.
func (d calendar) at(share float64) sources.Date { return d.start.AddDays(d.upTo.at(share)) }

// tides are occupations of the platform whose adverts grow or shrink over the 24 months
// against all others, so that the dataset trends has each direction.
var tides = map[string]float64{"2134": 1, "9252": 1, "7111": -1, "7211": -1}

// tide moves a share of all adverts later for a growing occupation and earlier for a
// shrinking one. Growing ones have 0.4 times the adverts of others at the beginning and
// 1.6 times at the end, shrinking ones the reverse.
func tide(soc string, share float64) float64 {
	const steep = 0.6
	at := tides[soc] * steep
	if at == 0 {
		return share
	}
	return (at - 1 + math.Sqrt((1-at)*(1-at)+4*at*share)) / (2 * at)
}

// ladder is up to four jobs of a sector from the lowest pay to the highest.
func (w *World) ladder(sector string) []job {
	var all []job
	for _, j := range w.lists.jobs {
		if j.sector == sector {
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, func(a, b job) int { return a.low - b.low })
	var out []job
	for i := range 4 {
		j := all[i*(len(all)-1)/3]
		if !slices.ContainsFunc(out, func(o job) bool { return o.titles[0] == j.titles[0] }) {
			out = append(out, j)
		}
	}
	return out
}

func words(slug string) string { return strings.ReplaceAll(slug, "-", " ") }

// routeName is the official name of a sector, which is one of the apprenticeship routes.
func routeName(sector string) string {
	switch sector {
	case "agriculture-environmental-and-animal-care":
		return "Agriculture, environmental and animal care"
	case "legal-finance-and-accounting":
		return "Legal, finance and accounting"
	case "sales-marketing-and-procurement":
		return "Sales, marketing and procurement"
	}
	return upperFirst(words(sector))
}
