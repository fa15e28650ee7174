package attack

import "slices"

// prime is 2^31 - 1: a false zero in a verdict over this field has a chance of
// about one in two thousand million, and errs on the side of finding a leak.
const prime = 1<<31 - 1

// Elimination is a set of equations in row-echelon form over GF(2^31 - 1). Rows
// are sparse: most are the few unknowns of one cell.
type Elimination struct {
	n     int
	pivot []int // column → row that begins with it, or -1
	rows  [][]entry
	work  []uint64
}

// entry is one unknown of a row.
type entry struct {
	column int
	value  uint64
}

// NewElimination is empty, over n unknowns.
func NewElimination(n int) *Elimination {
	e := &Elimination{n: n, pivot: make([]int, n), work: make([]uint64, n)}
	for i := range e.pivot {
		e.pivot[i] = -1
	}
	return e
}

// AddAll adds sums of columns as known. The short ones go first, so that the rows
// that later ones are reduced by stay short.
func (e *Elimination) AddAll(sums [][]int) {
	sums = slices.Clone(sums)
	slices.SortStableFunc(sums, func(a, b []int) int { return len(a) - len(b) })
	for _, s := range sums {
		e.Add(s)
	}
}

// Add adds the sum of the columns as known.
func (e *Elimination) Add(columns []int) { e.AddDifference(columns, nil) }

// AddDifference adds the sum of some columns less that of others as known.
func (e *Elimination) AddDifference(plus, minus []int) {
	at := e.reduce(plus, minus)
	if at < 0 {
		return
	}
	f := inverse(e.work[at])
	var row []entry
	for i := at; i < e.n; i++ {
		if v := e.work[i]; v != 0 {
			row = append(row, entry{i, v * f % prime})
		}
	}
	e.pivot[at] = len(e.rows)
	e.rows = append(e.rows, row)
}

// Derives says that the sum of the columns is a linear combination of what is
// known.
func (e *Elimination) Derives(columns []int) bool { return e.reduce(columns, nil) < 0 }

// DerivesDifference says that one sum less another is derivable.
func (e *Elimination) DerivesDifference(plus, minus []int) bool { return e.reduce(plus, minus) < 0 }

// reduce subtracts what is known, and gives the first column that is left over,
// or -1.
func (e *Elimination) reduce(plus, minus []int) int {
	clear(e.work)
	first, from := -1, e.n
	for _, c := range plus {
		e.work[c]++
		from = min(from, c)
	}
	for _, c := range minus {
		e.work[c] = (e.work[c] + prime - 1) % prime
		from = min(from, c)
	}
	for i := from; i < e.n; i++ {
		v := e.work[i]
		if v == 0 {
			continue
		}
		if e.pivot[i] < 0 {
			if first < 0 {
				first = i
			}
			continue
		}
		for _, x := range e.rows[e.pivot[i]] {
			e.work[x.column] = (e.work[x.column] + (prime-v)*x.value) % prime
		}
	}
	return first
}

// inverse is a^(prime-2).
func inverse(a uint64) uint64 {
	out := uint64(1)
	for n := uint64(prime - 2); n > 0; n >>= 1 {
		if n&1 == 1 {
			out = out * a % prime
		}
		a = a * a % prime
	}
	return out
}
