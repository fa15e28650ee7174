package attack

// prime is 2^31 - 1: a false zero in a verdict over this field has a chance of
// about one in two thousand million, and errs on the side of finding a leak.
const prime = 1<<31 - 1

// Elimination is a set of equations in row-echelon form over GF(2^31 - 1).
type Elimination struct {
	n     int
	pivot []int // column → row with that pivot, or -1
	rows  [][]uint64
	work  []uint64
}

// NewElimination is empty, over n unknowns.
func NewElimination(n int) *Elimination {
	e := &Elimination{n: n, pivot: make([]int, n), work: make([]uint64, n)}
	for i := range e.pivot {
		e.pivot[i] = -1
	}
	return e
}

// Add adds the sum of the columns as known.
func (e *Elimination) Add(columns []int) {
	if at := e.reduce(columns); at >= 0 {
		row := make([]uint64, e.n)
		f := inverse(e.work[at])
		for i, v := range e.work {
			row[i] = v * f % prime
		}
		e.pivot[at] = len(e.rows)
		e.rows = append(e.rows, row)
	}
}

// Derives says that the sum of the columns is a linear combination of what is
// known.
func (e *Elimination) Derives(columns []int) bool { return e.reduce(columns) < 0 }

// reduce subtracts what is known, and gives the first column that is left over,
// or -1.
func (e *Elimination) reduce(columns []int) int {
	clear(e.work)
	for _, c := range columns {
		e.work[c]++
	}
	first := -1
	for i := range e.n {
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
		for j, a := range e.rows[e.pivot[i]] {
			if a != 0 {
				e.work[j] = (e.work[j] + (prime-v)*a) % prime
			}
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
