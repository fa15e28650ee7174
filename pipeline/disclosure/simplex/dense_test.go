package simplex

import "math"

// dense is the same method on a dense dictionary of all coefficients, which is what the
// sparse one is held against.
type dense struct {
	low, high []float64 // of the variables, then of the rows
	value     []float64 // of every one of them
	rows      [][]float64
	basic     []int // variable of each row of the dictionary
	free      []int // variable of each column, not fixed
	place     []int // variable → row of the dictionary, or -1-column; gone = far below
	steps     int
	cost      []float64
	nonzero   []int
}

const gone = math.MinInt

// denseFrom is From.
func denseFrom(start, high []float64, rows []Row, maxSteps int) (*dense, error) {
	n, m := len(high), len(rows)
	s := &dense{low: make([]float64, n+m), high: make([]float64, n+m), value: make([]float64, n+m), place: make([]int, n+m), steps: maxSteps}
	copy(s.high, high)
	copy(s.value, start)
	for j := range n {
		s.free = append(s.free, j)
		s.place[j] = -1 - j
	}
	dictionary := make([]float64, n*m)
	for i, r := range rows {
		row := dictionary[i*n : (i+1)*n : (i+1)*n]
		for _, v := range r.Vars {
			row[v]++
		}
		for _, v := range r.Less {
			row[v]--
		}
		s.value[n+i] = s.Sum(r.Vars) - s.Sum(r.Less)
		s.rows = append(s.rows, row)
		s.basic = append(s.basic, n+i)
		s.place[n+i] = i
		s.low[n+i], s.high[n+i] = r.Low, r.High
	}
	s.cost = make([]float64, n)
	return s, s.feasible()
}

// feasible drives the sum of all violations to zero.
func (s *dense) feasible() error {
	for step := 0; ; step++ {
		if step > s.steps {
			return ErrSteps
		}
		cost := s.cost[:len(s.free)]
		clear(cost)
		violated := false
		for i, v := range s.basic {
			sign := s.violation(v)
			if sign == 0 {
				continue
			}
			violated = true
			for j, a := range s.rows[i] {
				cost[j] += sign * a
			}
		}
		if !violated {
			return nil
		}
		if s.improve(cost, step > 200) != better {
			return ErrInfeasible
		}
	}
}

// violation is 1 when the variable must grow, -1 when it must fall.
func (s *dense) violation(v int) float64 {
	switch {
	case s.value[v] < s.low[v]-eps:
		return 1
	case s.value[v] > s.high[v]+eps:
		return -1
	}
	return 0
}

// Range is the smallest and largest value of the sum of the variables; Inf when
// it is not bounded above.
func (s *dense) Range(vars []int) (low, high float64, err error) {
	if high, err = s.maximise(vars, 1, Inf); err != nil {
		return 0, 0, err
	}
	low, err = s.maximise(vars, -1, Inf)
	return -low, high, err
}

// Reach says whether the sum of the variables can be at least (sign 1) or at most
// (sign -1) the bound. It stops there, so that it costs less than Range.
func (s *dense) Reach(vars []int, sign, bound float64) (bool, error) {
	got, err := s.maximise(vars, sign, sign*bound)
	return got >= sign*bound-eps, err
}

// maximise raises sign × sum to its largest value, or to enough.
func (s *dense) maximise(vars []int, sign, enough float64) (float64, error) {
	for step := 0; step <= s.steps; step++ {
		if sign*s.Sum(vars) >= enough {
			return enough, nil
		}
		cost := s.cost[:len(s.free)]
		clear(cost)
		for _, v := range vars {
			switch p := s.place[v]; {
			case p == gone:
			case p < 0:
				cost[-1-p] += sign
			default:
				for j, a := range s.rows[p] {
					cost[j] += sign * a
				}
			}
		}
		switch s.improve(cost, step > 200) {
		case best:
			return sign * s.Sum(vars), nil
		case unbounded:
			return Inf, nil
		}
	}
	return 0, ErrSteps
}

// Sum is the sum of the variables at the last point reached.
func (s *dense) Sum(vars []int) (n float64) {
	for _, v := range vars {
		n += s.value[v]
	}
	return n
}

// improve makes one step that raises the objective, or says that there is none or
// no end to it. Bland's rule, which cannot cycle, takes over after many steps.
func (s *dense) improve(cost []float64, bland bool) outcome {
	most, at := eps, -1
	for j, c := range cost {
		v := s.free[j]
		if c > 0 && s.value[v] >= s.high[v]-eps || c < 0 && s.value[v] <= s.low[v]+eps {
			continue
		}
		if g := math.Abs(c); g > most && (!bland || at < 0 || v < s.free[at]) {
			at = j
			if !bland {
				most = g
			}
		}
	}
	if at < 0 {
		return best
	}
	if !s.step(at, math.Copysign(1, cost[at])) {
		return unbounded
	}
	return better
}

// step moves the variable of column j in the direction as far as all bounds let
// it, and exchanges it with the variable that stops it; false when nothing does.
func (s *dense) step(j int, dir float64) bool {
	v := s.free[j]
	far, stop := s.high[v]-s.value[v], -1
	if dir < 0 {
		far = s.value[v] - s.low[v]
	}
	for i, b := range s.basic {
		a := s.rows[i][j] * dir
		if math.Abs(a) < eps {
			continue
		}
		room := s.room(b, a)
		if room < far-eps || stop >= 0 && room < far+eps && math.Abs(s.rows[i][j]) > 2*math.Abs(s.rows[stop][j]) {
			far, stop = math.Max(room, 0), i
		}
	}
	if math.IsInf(far, 1) {
		return false
	}
	s.value[v] += dir * far
	for i, b := range s.basic {
		if a := s.rows[i][j]; a != 0 {
			s.value[b] += a * dir * far
		}
	}
	if stop >= 0 {
		s.pivot(stop, j)
	}
	return true
}

// room is how far the entering variable may move before basic variable b, which
// changes by a per unit, meets a bound. One that is outside its bounds is stopped
// by the bound that it comes back to.
func (s *dense) room(b int, a float64) float64 {
	x, low, high := s.value[b], s.low[b], s.high[b]
	if a > 0 {
		switch {
		case x < low-eps:
			return (low - x) / a
		case x > high+eps:
			return Inf
		}
		return (high - x) / a
	}
	switch {
	case x > high+eps:
		return (high - x) / a
	case x < low-eps:
		return Inf
	}
	return (low - x) / a
}

// pivot exchanges the variable of row i with that of column j. A variable that is
// fixed by its bounds leaves the dictionary for good.
func (s *dense) pivot(i, j int) {
	row := s.rows[i]
	p := row[j]
	s.nonzero = s.nonzero[:0]
	for k := range row {
		if row[k] != 0 && k != j {
			row[k] /= -p
			if math.Abs(row[k]) < 1e-11 {
				row[k] = 0
				continue
			}
			s.nonzero = append(s.nonzero, k)
		}
	}
	row[j] = 1 / p
	for r, other := range s.rows {
		f := other[j]
		if r == i || f == 0 {
			continue
		}
		other = other[:len(row)]
		for _, k := range s.nonzero {
			x := other[k] + f*row[k]
			if x < 1e-11 && x > -1e-11 {
				x = 0
			}
			other[k] = x
		}
		other[j] = f * row[j]
	}
	in, out := s.free[j], s.basic[i]
	s.free[j], s.basic[i] = out, in
	s.place[out], s.place[in] = -1-j, i
	if s.low[out] == s.high[out] {
		s.drop(j)
	}
}

// drop removes the column of a variable that can never move again.
func (s *dense) drop(j int) {
	last := len(s.free) - 1
	s.place[s.free[j]] = gone
	if j != last {
		s.free[j] = s.free[last]
		s.place[s.free[j]] = -1 - j
	}
	s.free = s.free[:last]
	for i, row := range s.rows {
		row[j] = row[last]
		s.rows[i] = row[:last]
	}
}
