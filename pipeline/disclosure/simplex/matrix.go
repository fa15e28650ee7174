package simplex

import "slices"

// matrix holds the coefficients that are not 0, line by line.
type matrix struct {
	from []int32 // line → its first entry, and one more
	at   []int32
	by   []float64
}

// rowsOf are the coefficients of n variables in some rows.
func rowsOf(n int, rows []Row) matrix {
	size := 0
	for _, r := range rows {
		size += len(r.Vars) + len(r.Less)
	}
	m := matrix{from: make([]int32, 1, len(rows)+1), at: make([]int32, 0, size), by: make([]float64, 0, size)}
	last := slices.Repeat([]int32{-1}, n) // where the variable was entered last
	for _, r := range rows {
		begin := int32(len(m.at))
		enter := func(vars []int, by float64) {
			for _, v := range vars {
				if last[v] < begin {
					last[v] = int32(len(m.at))
					m.at, m.by = append(m.at, int32(v)), append(m.by, 0)
				}
				m.by[last[v]] += by
			}
		}
		enter(r.Vars, 1)
		enter(r.Less, -1)
		m.from = append(m.from, int32(len(m.at)))
	}
	return m
}

// transposed has a line for each of the n columns.
func (m matrix) transposed(n int) matrix {
	t := matrix{from: make([]int32, n+1), at: make([]int32, len(m.at)), by: make([]float64, len(m.at))}
	for _, c := range m.at {
		t.from[c+1]++
	}
	for c := range n {
		t.from[c+1] += t.from[c]
	}
	next := slices.Clone(t.from)
	for line := range len(m.from) - 1 {
		for k := m.from[line]; k < m.from[line+1]; k++ {
			c := m.at[k]
			t.at[next[c]], t.by[next[c]] = int32(line), m.by[k]
			next[c]++
		}
	}
	return t
}

// line are the entries of a line.
func (m *matrix) line(i int) (at []int32, by []float64) {
	return m.at[m.from[i]:m.from[i+1]], m.by[m.from[i]:m.from[i+1]]
}

// dot is a line times values.
func (m *matrix) dot(i int, x []float64) (sum float64) {
	at, by := m.line(i)
	for k, j := range at {
		sum += by[k] * x[j]
	}
	return sum
}

// add adds so many times a line to the sums.
func (m *matrix) add(i int, times float64, sums []float64) {
	at, by := m.line(i)
	for k, j := range at {
		sums[j] += times * by[k]
	}
}
