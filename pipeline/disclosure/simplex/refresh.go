package simplex

import "math"

// refresh makes the triangles anew from the variables in the basis, and the values of
// those from all others. A variable that depends on others in the basis, as far as can
// be told, leaves it and stays where it is.
func (s *Solver) refresh() {
	b := &s.basis
	var in []int32
	done := make([]bool, len(b.holds)) // rows that have their variable
	for _, v := range b.holds {
		if int(v) < s.n {
			in = append(in, v)
			b.place[v] = -1
		} else {
			done[int(v)-s.n] = true
		}
	}
	b.reset()
	entries, rows := s.order(in, done)
	for _, e := range entries {
		s.column(int(e.v))
		for k := range b.lower.of {
			b.lower.divide(k, &s.rate)
		}
		i := s.pivotal(done, rows, int(e.row))
		if i < 0 {
			continue
		}
		b.triangles(i, done, &s.rate)
		done[i] = true
		b.holds[i], b.place[e.v], b.place[s.n+i] = e.v, int32(i), -1
	}
	s.follow()
}

// triangles adds a column with its pivot: what is in rows that are done to the upper,
// what is in those that are not to the lower.
func (b *basis) triangles(pivot int, done []bool, y *sparse) {
	p := y.x[pivot]
	lower := false
	for _, i := range y.at {
		a := y.x[i]
		switch {
		case a < tiny && a > -tiny || int(i) == pivot:
		case done[i]:
			b.upper.enter(i, a)
		default:
			b.lower.enter(i, a/p)
			lower = true
		}
	}
	b.upper.end(pivot, p)
	if lower {
		b.lower.end(pivot, 1)
	}
}

// pivotal is the place for the column in rate: the row that was found for it, or of
// those not done and not much weaker than the strongest the one with fewest entries;
// -1 = none.
func (s *Solver) pivotal(done []bool, rows []int32, row int) int {
	if row >= 0 && !done[row] && math.Abs(s.rate.x[row]) > 0.1 {
		return row
	}
	most := 1e-6
	for _, i := range s.rate.at {
		if !done[i] {
			most = max(most, math.Abs(s.rate.x[i]))
		}
	}
	at := -1
	for _, i := range s.rate.at {
		if done[i] || math.Abs(s.rate.x[i]) < most/4 {
			continue
		}
		if at < 0 || rows[i] < rows[at] || rows[i] == rows[at] && int(i) < at {
			at = int(i)
		}
	}
	return at
}

// follow makes the values in the basis anew from all others.
func (s *Solver) follow() {
	s.rate.clear()
	for v, x := range s.value {
		switch {
		case s.basis.place[v] >= 0 || x == 0:
		case v >= s.n:
			s.rate.add(int32(v-s.n), -x)
		default:
			s.rate.line(&s.cols, v, x)
		}
	}
	s.basis.forward(&s.rate)
	for i, v := range s.basis.holds {
		s.value[v] = s.rate.x[i]
	}
}

// sparse is a column with few entries.
type sparse struct {
	x  []float64
	at []int32 // where it may be other than 0
	in []bool  // the same, by place
}

func newSparse(n int) sparse { return sparse{x: make([]float64, n), in: make([]bool, n)} }

func (y *sparse) clear() {
	for _, i := range y.at {
		y.x[i], y.in[i] = 0, false
	}
	y.at = y.at[:0]
}

func (y *sparse) add(i int32, by float64) {
	y.x[i] += by
	if !y.in[i] {
		y.in[i], y.at = true, append(y.at, i)
	}
}

// line adds so many times a line of a matrix.
func (y *sparse) line(m *matrix, i int, times float64) {
	at, by := m.line(i)
	for k, j := range at {
		y.add(j, times*by[k])
	}
}
