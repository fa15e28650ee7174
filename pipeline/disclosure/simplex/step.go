package simplex

import "math"

// outcome is what became of one step.
type outcome int

const (
	better outcome = iota
	best
	unbounded
)

// improve makes one step that raises the objective, or says that there is none or
// no end to it. The objective is sign for each of the variables named and the prices,
// by place, for what is in the basis.
func (s *Solver) improve(vars []int, sign float64) outcome {
	s.basis.backward(s.price)
	clear(s.gain)
	for _, v := range vars {
		s.gain[v] += sign
	}
	for i, p := range s.price {
		if p != 0 {
			s.rows.add(i, p, s.gain)
		}
	}
	v, up := s.enter()
	if v < 0 {
		return best
	}
	dir := 1.0
	if !up {
		dir = -1
	}
	if !s.step(v, dir) {
		return unbounded
	}
	return better
}

// enter is the variable outside the basis that adds most to the objective for each of
// the fixed rows that it is in, which are what stops it at once, and whether it adds by
// growing; -1 = none. Where nothing moved for long it is the first.
func (s *Solver) enter() (at int, up bool) {
	at = -1
	most := 0.0
	for _, v := range s.loose {
		g := 0.0
		if int(v) < s.n {
			g = s.gain[v]
		} else {
			g = -s.price[int(v)-s.n]
		}
		size := math.Abs(g)
		if size <= eps || size*s.ease[v] <= most || s.basis.place[v] >= 0 {
			continue
		}
		if g > 0 && s.value[v] >= s.high[v]-eps || g < 0 && s.value[v] <= s.low[v]+eps {
			continue
		}
		at, up, most = int(v), g > 0, size*s.ease[v]
		if s.still > standing {
			break
		}
	}
	return at, up
}

// step moves variable v in the direction as far as all bounds let it, and exchanges it
// with the variable that stops it; false when nothing does.
func (s *Solver) step(v int, dir float64) bool {
	s.column(v)
	s.basis.forward(&s.rate)
	far := s.high[v] - s.value[v]
	if dir < 0 {
		far = s.value[v] - s.low[v]
	}
	far, stop := s.stopped(far, dir)
	if math.IsInf(far, 1) {
		return false
	}
	if s.still++; far > eps {
		s.still = 0
	}
	s.value[v] += dir * far
	for _, i := range s.rate.at {
		s.value[s.basis.holds[i]] -= s.rate.x[i] * dir * far
	}
	if stop >= 0 {
		s.basis.exchange(stop, v, &s.rate)
	}
	if s.basis.long() {
		s.refresh()
	}
	return true
}

// column puts the coefficients of a variable into rate, as the rows have them that
// begin with their own variable.
func (s *Solver) column(v int) {
	s.rate.clear()
	if v >= s.n {
		s.rate.add(int32(v-s.n), 1)
		return
	}
	s.rate.line(&s.cols, v, -1)
}

// stopped is how far a variable may move that changes the basis by the rates, and the
// place in the basis of what stops it; -1 = its own bound. Of several it is one that
// is fixed, which leaves for good, then that with the largest rate.
func (s *Solver) stopped(far, dir float64) (float64, int) {
	stop, strength := -1, 0.0
	for _, i := range s.rate.at {
		a := s.rate.x[i]
		if a < eps && a > -eps {
			continue
		}
		b := int(s.basis.holds[i])
		room := s.room(b, -a*dir)
		if room > far+eps {
			continue
		}
		how := math.Abs(a)
		if how > weak && s.still > standing {
			how = float64(1 + len(s.low) - b) // Bland's rule
		} else if how > weak && s.low[b] == s.high[b] {
			how += 1000
		}
		if room < far-eps || stop < 0 || how > strength {
			far, stop, strength = math.Max(math.Min(room, far), 0), int(i), how
		}
	}
	return far, stop
}

// room is how far the entering variable may move before basic variable b, which
// changes by a per unit, meets a bound. While a feasible point is looked for, one that
// is outside its bounds is stopped by the bound that it comes back to; after that none
// is, but by what was rounded, and it may not go further.
func (s *Solver) room(b int, a float64) float64 {
	x, low, high := s.value[b], s.low[b], s.high[b]
	if a < 0 {
		x, low, high, a = -x, -high, -low, -a
	}
	switch {
	case x < low-eps && s.seeking:
		return (low - x) / a
	case x > high+eps && s.seeking:
		return Inf
	}
	return max(0, (high-x)/a)
}
