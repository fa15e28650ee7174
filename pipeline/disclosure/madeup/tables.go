package madeup

import "slices"

// Tables calls fn with every table of counts that has the margins, row by row in
// one slice that is used again, and says how many there are. fn may be nil.
func Tables(rows, cols []int64, fn func([]int64)) int {
	e := &tables{rows: rows, left: slices.Clone(cols), cells: make([]int64, len(rows)*len(cols)), fn: fn}
	e.from(0, rows[0])
	return e.n
}

type tables struct {
	rows  []int64
	left  []int64 // of each column
	cells []int64
	fn    func([]int64)
	n     int
}

// from fills the cells from i on; here is what the row of i has left.
func (e *tables) from(i int, here int64) {
	if i == len(e.cells) {
		e.n++
		if e.fn != nil {
			e.fn(e.cells)
		}
		return
	}
	cols := len(e.left)
	row, col := i/cols, i%cols
	low, high := int64(0), min(here, e.left[col])
	if col == cols-1 {
		low = here
	}
	if row == len(e.rows)-1 {
		low = max(low, e.left[col])
	}
	for v := low; v <= high; v++ {
		next := here - v
		if col == cols-1 && row < len(e.rows)-1 {
			next = e.rows[row+1]
		}
		e.cells[i] = v
		e.left[col] -= v
		e.from(i+1, next)
		e.left[col] += v
	}
}
