package gate

import (
	"slices"

	"labour/pipeline/disclosure/simplex"
)

// reduced are the rows of a system without the unknowns that have one value alone as
// far as single rows tell: the one unknown of a sum that is known, and those of a sum
// that is known to be 0. Most numbers that are printed are of this kind, so that what is
// left is a fraction. It needs one point within all bounds, which says the values.
type reduced struct {
	at    []int // unknown → its number among those left, -1 = fixed
	start []float64
	rows  []simplex.Row
	value []float64 // of every unknown at the point
}

func reduce(point []float64, rows []simplex.Row) *reduced {
	fixed, in := make([]bool, len(point)), make([][]int, len(point))
	open := make([]int, len(rows)) // unknowns of the row that are not fixed
	var queue []int
	for i, row := range rows {
		for _, x := range slices.Concat(row.Vars, row.Less) {
			in[x] = append(in[x], i)
			open[i]++
		}
		queue = append(queue, i)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		row := rows[queue[0]]
		if row.Low != row.High || open[queue[0]] == 0 || open[queue[0]] > 1 && !allZero(row, point, fixed) {
			continue
		}
		for _, x := range slices.Concat(row.Vars, row.Less) {
			if fixed[x] {
				continue
			}
			fixed[x] = true
			for _, i := range in[x] {
				open[i]--
				queue = append(queue, i)
			}
		}
	}
	return compress(point, rows, fixed, open)
}

// allZero says that a known sum of unknowns that are at least 0 leaves nothing to any
// of those that are not fixed.
func allZero(row simplex.Row, point []float64, fixed []bool) bool {
	for _, x := range row.Less {
		if !fixed[x] {
			return false
		}
	}
	for _, x := range row.Vars {
		if !fixed[x] && point[x] != 0 {
			return false
		}
	}
	return true
}

func compress(point []float64, rows []simplex.Row, fixed []bool, open []int) *reduced {
	r := &reduced{at: make([]int, len(point)), value: point}
	for x := range point {
		r.at[x] = -1
		if !fixed[x] {
			r.at[x] = len(r.start)
			r.start = append(r.start, point[x])
		}
	}
	for i, row := range rows {
		if open[i] == 0 {
			continue
		}
		vars, n := r.left(row.Vars)
		less, m := r.left(row.Less)
		r.rows = append(r.rows, simplex.Row{Vars: vars, Less: less, Low: row.Low - n + m, High: row.High - n + m})
	}
	return r
}

// left are the unknowns of a sum that are not fixed, and the sum of the others.
func (r *reduced) left(sum []int) (left []int, n float64) {
	for _, x := range sum {
		if r.at[x] >= 0 {
			left = append(left, r.at[x])
		} else {
			n += r.value[x]
		}
	}
	return left, n
}
