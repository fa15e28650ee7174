package simplex

import (
	"cmp"
	"slices"
)

// entry is a variable of the basis and the row that was found for it; -1 = none yet.
type entry struct{ v, row int32 }

// order puts variables into the order in which their columns change each other least:
// first those alone in a row, then what is left, then those whose column has one row
// left alone, the first found last. Rows of their own are done. With them it says how many
// of what is left are in each row.
func (s *Solver) order(in []int32, own []bool) (entries []entry, rows []int32) {
	t := &triangle{s: s, row: make([]int32, len(own)), col: make([]int32, s.n)}
	for i := range own {
		if own[i] {
			t.row[i] = done
		}
	}
	for v := range t.col {
		t.col[v] = done
	}
	for _, v := range in {
		t.col[v] = 0
		at, _ := s.cols.line(int(v))
		for _, i := range at {
			if !own[i] {
				t.row[i]++
				t.col[v]++
			}
		}
	}
	first, last := t.peel(in)
	var middle []entry
	for _, v := range in {
		if t.col[v] != done {
			middle = append(middle, entry{v, -1})
		}
	}
	slices.SortFunc(middle, func(a, b entry) int { return cmp.Or(cmp.Compare(t.col[a.v], t.col[b.v]), cmp.Compare(a.v, b.v)) })
	slices.Reverse(last)
	return slices.Concat(first, middle, last), t.row
}

// triangle finds the part of a basis that is triangular.
type triangle struct {
	s   *Solver
	row []int32 // columns left in the row, or done
	col []int32 // rows left in the column, or done
	// columns and rows with one left, that are to be looked at
	cols, rows []int32
}

const done = -1

func (t *triangle) peel(in []int32) (first, last []entry) {
	for _, v := range in {
		if t.col[v] == 1 {
			t.cols = append(t.cols, v)
		}
	}
	for i, n := range t.row {
		if n == 1 {
			t.rows = append(t.rows, int32(i))
		}
	}
	for len(t.cols)+len(t.rows) > 0 {
		if n := len(t.cols); n > 0 {
			v := t.cols[n-1]
			if t.cols = t.cols[:n-1]; t.col[v] == 1 {
				last = append(last, t.take(v, only(&t.s.cols, v, t.row)))
			}
			continue
		}
		n := len(t.rows)
		i := t.rows[n-1]
		if t.rows = t.rows[:n-1]; t.row[i] == 1 {
			first = append(first, t.take(only(&t.s.rows, i, t.col), i))
		}
	}
	return first, last
}

// only is the one of a line that is not done.
func only(m *matrix, line int32, left []int32) int32 {
	at, _ := m.line(int(line))
	return at[slices.IndexFunc(at, func(i int32) bool { return left[i] != done })]
}

// take takes a column and a row away.
func (t *triangle) take(v, row int32) entry {
	t.col[v], t.row[row] = done, done
	t.rows = fewer(&t.s.cols, v, t.row, t.rows)
	t.cols = fewer(&t.s.rows, row, t.col, t.cols)
	return entry{v, row}
}

// fewer counts one less in all of a line, and adds those with one left to the list.
func fewer(m *matrix, line int32, left, ones []int32) []int32 {
	at, _ := m.line(int(line))
	for _, i := range at {
		if left[i] == done {
			continue
		}
		if left[i]--; left[i] == 1 {
			ones = append(ones, i)
		}
	}
	return ones
}
