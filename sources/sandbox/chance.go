package sandbox

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sort"
)

// The parts of the world that draw from their own stream of numbers, so that a
// change to one part leaves the others as they were. What there is many of has a
// stream for each record, so that any record can be made without those before it.
const (
	streamEmployers uint64 = iota + 1
	streamPlanted
	streamResidents
	streamPseudonyms
	streamRest
	streamStatistics
	streamText         uint64 = (iota + 1) << 32 // plus the number of the vacancy
	streamApplications                           // plus the number of the vacancy
	streamApplicants                             // plus the number of the vacancy
	streamRows                                   // plus the number of the vacancy
	streamAlone                                  // plus the number of the vacancy
	streamDates                                  // plus the number of the vacancy
	streamAgain                                  // plus the number among those shown again
	streamElsewhere                              // plus the number among those of other sources
	streamPeople                                 // plus the number of the resident
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

// pick is one of the words.
func (c chance) pick(words []string) string { return words[c.IntN(len(words))] }

// wheel picks indices by weight.
type wheel struct{ upTo []float64 }

// newWheel makes a wheel of n indices.
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
	d := dealer{total: total}
	for _, x := range weight {
		d.sum += x
	}
	out := make([]int, len(weight))
	for i, x := range weight {
		out[i] = d.deal(x)
	}
	return out
}

// dealer deals out a total by weights whose sum is known, one after the other.
type dealer struct {
	total     int
	sum, upTo float64
	done      int
}

func (d *dealer) deal(weight float64) int {
	if d.sum <= 0 {
		return 0
	}
	d.upTo += weight
	n := int(math.Round(d.upTo/d.sum*float64(d.total))) - d.done
	d.done += n
	return n
}

// shuffled is the place of i in an order of 0 to n-1 that a stream has drawn. Every
// place is taken once; nothing is kept. It is a Feistel network over the least even
// number of bits that holds n, asked again while it leads out of the range.
func (w *World) shuffled(stream uint64, i, n int) int {
	half := max(bits.Len64(uint64(n-1))+1, 2) / 2
	mask := uint64(1)<<half - 1
	for x := uint64(i); ; {
		left, right := x>>half, x&mask
		for round := range uint64(4) {
			left, right = right, left^mixed(right+mixed(w.seed+mixed(stream<<3+round)))&mask
		}
		if x = left<<half | right; x < uint64(n) {
			return int(x)
		}
	}
}

// mixed spreads the bits of a number: the finaliser of SplitMix64.
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
