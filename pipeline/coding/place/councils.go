package place

import (
	"cmp"
	"math/bits"
	"slices"
)

// set is a set of councils. Each council is one bit, at the council's number.
type set [8]uint64

// setSize is the largest number of councils that a set can hold.
const setSize = 8 * 64

func setOf(numbers ...int) (s set) {
	for _, n := range numbers {
		s[n>>6] |= 1 << (n & 63)
	}
	return s
}

func (s set) has(n int) bool { return s[n>>6]&(1<<(n&63)) != 0 }

func (s set) and(o set) set {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

func (s set) or(o set) set {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

func (s set) isEmpty() bool { return s == set{} }

func (s set) meets(o set) bool { return !s.and(o).isEmpty() }

// isSubset reports whether all councils in s are also in o.
func (s set) isSubset(o set) bool { return s.and(o) == s }

func (s set) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// numbers returns the numbers of the councils in the set, in ascending order.
func (s set) numbers() []int {
	var out []int
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			out = append(out, i<<6+bits.TrailingZeros64(word))
		}
	}
	return out
}

func narrower(a, b set) set {
	if a.isEmpty() || b.len() < a.len() {
		return b
	}
	return a
}

// withinCouncils returns the places in spots that are at least partly in the given councils.
func withinCouncils(spots []spot, councils set) []spot {
	var out []spot
	for _, s := range spots {
		if s.councils.meets(councils) {
			out = append(out, s)
		}
	}
	return out
}

func sharesCouncil(a, b []spot) bool {
	return slices.ContainsFunc(a, func(s spot) bool { return len(withinCouncils(b, s.councils)) > 0 })
}

func largest(spots []spot) spot {
	return slices.MaxFunc(spots, func(a, b spot) int { return cmp.Compare(a.size, b.size) })
}
