package mask

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/madeup"
	"labour/snapshots"
)

// drawn is a board with one table of places by sectors.
type drawn struct {
	*Board
	rows, cols []int64
}

// drawTable draws a table with printed margins that not too many tables have.
func drawTable(t *rapid.T) drawn {
	d := drawn{rows: make([]int64, rapid.IntRange(2, 3).Draw(t, "rows")), cols: make([]int64, rapid.IntRange(2, 3).Draw(t, "cols"))}
	var n []int64
	for r := range d.rows {
		for c := range d.cols {
			x := rapid.SampledFrom([]int64{0, 0, 1, 1, 2, 3, 4, 5, 6, 9, 15}).Draw(t, "n")
			d.rows[r], d.cols[c], n = d.rows[r]+x, d.cols[c]+x, append(n, x)
		}
	}
	for _, margin := range append(append([]int64{}, d.rows...), d.cols...) {
		if margin < smallest {
			t.Skip("a margin is not printed")
		}
	}
	if madeup.Tables(d.rows, d.cols, nil) > 20_000 {
		t.Skip("too many tables have these margins")
	}
	cells, count := []Cell{{Signature: snapshots.SigNone, Window: 24}}, []int64{0}
	add := func(signature, place, value string, n int64) {
		cells, count = append(cells, Cell{signature, place, value, 24}), append(count, n)
	}
	for c, n := range d.cols {
		count[0] += n
		add(snapshots.SigSector, "", fmt.Sprint("s", c), n)
	}
	for r, n := range d.rows {
		add(snapshots.SigPlace, fmt.Sprint("p", r), "", n)
	}
	for i, x := range n {
		add(snapshots.SigPlaceSector, fmt.Sprint("p", i/len(d.cols)), fmt.Sprint("s", i%len(d.cols)), x)
	}
	d.Board = NewIndex(cells, make([]bool, len(cells)), lattice.New(nil, nil)).NewBoard(count)
	return d
}

// blockedUpTo says that the floor takes the row or the column of a cell.
func (d drawn) blockedUpTo(floor int64, r, c int) bool {
	return d.rows[r] <= floor || d.cols[c] <= floor
}

// possible says, by brute force over all tables with the same margins, which of 1
// to 4 each cell can be: bit n = it can be n.
func (d drawn) possible(least, most []int64) []uint8 {
	values := make([]uint8, len(least))
	madeup.Tables(d.rows, d.cols, func(n []int64) {
		for i, x := range n {
			if x < least[i] || x > most[i] {
				return
			}
		}
		for i, x := range n {
			values[i] |= 1 << min(x, 5)
		}
	})
	return values
}

// pinned says that of 1 to 4 one value alone is possible for a small cell.
func pinned(count []int64, values []uint8) bool {
	for i, n := range count {
		if n > 0 && n < smallest && values[i]&0b11110 == 1<<n {
			return true
		}
	}
	return false
}

// TestTheFloorAgainstBruteForce: what is not broken down is a function of the
// printed margins and of the floor; no small cell, broken down or not, has one
// possible value among 1 to 4 while anything is printed; and the floor is the least at which that can be had, whatever
// else is hidden.
func TestTheFloorAgainstBruteForce(t *testing.T) {
	raised := 0
	rapid.Check(t, func(t *rapid.T) {
		d := drawTable(t)
		d.Run()
		first := len(d.Cells) - len(d.rows)*len(d.cols)
		count, state := d.Count[first:], d.tabled[0]
		least, most := make([]int64, len(count)), make([]int64, len(count))
		lower, higher := make([]int64, len(count)), make([]int64, len(count))
		for i := range count {
			r, c := i/len(d.cols), i%len(d.cols)
			if blocked := d.Status[first+i] == Blocked; blocked != (state.withheld || d.blockedUpTo(state.floor, r, c)) {
				t.Fatalf("floor %d, withheld %v: a cell of %d and %d is blocked: %v", state.floor, state.withheld, d.rows[r], d.cols[c], blocked)
			}
			least[i], most[i] = bounds(d.Status[first+i], count[i])
			lower[i], higher[i] = 0, 1<<40
			if !d.blockedUpTo(state.floor/2, r, c) { // with everything hidden that may be
				lower[i], higher[i] = bounds([]Status{Small, Hidden}[min(count[i]/smallest, 1)], count[i])
			}
		}
		if !state.withheld && pinned(count, d.possible(least, most)) {
			t.Fatalf("a small cell of %v has one possible value, printed as %v", count, d.Status[first:])
		}
		if state.floor > narrowest {
			raised++
			if !pinned(count, d.possible(lower, higher)) {
				t.Fatalf("the floor of %v was raised to %d, and half would have done", count, state.floor)
			}
		}
	})
	if raised == 0 {
		t.Error("no table needed its floor raised: the test shows nothing")
	}
}

// bounds are what a token says of a cell.
func bounds(s Status, n int64) (least, most int64) {
	switch {
	case s == Small && n > 0:
		return 1, smallest - 1
	case s == Hidden:
		return smallest, 1 << 40
	case s == Blocked:
		return 0, 1 << 40
	}
	return n, n
}
