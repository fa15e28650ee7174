package sandbox

import (
	"math"
	"math/rand/v2"
	"sort"
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
