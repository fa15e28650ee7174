package ledger

import "slices"

// Nobody is the times at which nobody was in a cell, as was printed: each from a month to
// just under another (months since year 0), in order, no two of them touching.
type Nobody [][2]int

// Add adds a time, joined to those that it touches, and gives the whole of it.
func (n *Nobody) Add(from, to int) (int, int) {
	first := 0
	for first < len(*n) && (*n)[first][1] < from {
		first++
	}
	last := first
	for ; last < len(*n) && (*n)[last][0] <= to; last++ {
		from, to = min(from, (*n)[last][0]), max(to, (*n)[last][1])
	}
	*n = slices.Replace(*n, first, last, [2]int{from, to})
	return from, to
}

// Holds says that nobody is there from from to to.
func (n Nobody) Holds(from, to int) bool {
	return slices.ContainsFunc(n, func(span [2]int) bool { return span[0] <= from && to <= span[1] })
}
