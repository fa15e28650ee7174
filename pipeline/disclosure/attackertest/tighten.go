package attackertest

// Tighten narrows every unknown by every row until nothing moves, and judges the
// targets by what is left of each. It is weaker than a linear program and takes
// milliseconds. Targets must be unknowns of their own.
func (s *System) Tighten() (v Verdict) {
	low, high := s.bounds()
	v.Systems, v.Small = 1, len(s.Targets)
	for _, t := range s.Targets {
		least, most := sumOf(low, t.Vars), min(sumOf(high, t.Vars), Unbounded)
		switch sizes := min(most, 4) - max(least, 1); {
		case least == most:
			v.Pinned++
			v.Leaks = append(v.Leaks, t.Name)
		case least >= 1 && sizes < 3:
			v.Narrowed++
		}
	}
	return v
}

func sumOf(values []int64, vars []int32) (n int64) {
	for _, v := range vars {
		n += values[v]
	}
	return n
}

// bounds returns the least and the most of every unknown.
func (s *System) bounds() (low, high []int64) {
	low, high = make([]int64, len(s.High)), append([]int64(nil), s.High...)
	rowsOf := make([][]int32, len(s.High))
	for i, r := range s.Rows {
		for _, vars := range [][]int32{r.Plus, r.Minus} {
			for _, v := range vars {
				rowsOf[v] = append(rowsOf[v], int32(i))
			}
		}
	}
	queue, queued := make([]int32, len(s.Rows)), make([]bool, len(s.Rows))
	for i := range queue {
		queue[i], queued[i] = int32(i), true
	}
	for len(queue) > 0 {
		row := queue[0]
		queue, queued[row] = queue[1:], false
		s.Rows[row].narrow(low, high, func(v int32) {
			for _, other := range rowsOf[v] {
				if !queued[other] {
					queue, queued[other] = append(queue, other), true
				}
			}
		})
	}
	return low, high
}

// narrow applies one row to its unknowns: each is what the sum leaves beside the others.
func (r Row) narrow(low, high []int64, moved func(int32)) {
	var least, most int64 // of the whole sum
	open := 0             // unknowns without a bound that makes most finite
	openBelow := 0        // and least
	for _, v := range r.Plus {
		least += low[v]
		most, open = addOpen(most, open, high[v])
	}
	for _, v := range r.Minus {
		most -= low[v]
		var taken int64
		taken, openBelow = addOpen(0, openBelow, high[v])
		least -= taken
	}
	for _, v := range r.Plus {
		least, rest, bounded := least-low[v], most, open == 0 // of the others
		if high[v] >= Unbounded {
			bounded = open == 1
		} else {
			rest -= high[v]
		}
		if openBelow == 0 && r.High < Unbounded {
			lower(high, v, r.High-least, moved)
		}
		if bounded {
			raise(low, v, r.Low-rest, moved)
		}
	}
	for _, v := range r.Minus {
		most, rest, bounded := most+low[v], least, openBelow == 0
		if high[v] >= Unbounded {
			bounded = openBelow == 1
		} else {
			rest += high[v]
		}
		if open == 0 && r.Low > -Unbounded {
			lower(high, v, most-r.Low, moved)
		}
		if bounded && r.High < Unbounded {
			raise(low, v, rest-r.High, moved)
		}
	}
}

func addOpen(sum int64, open int, high int64) (int64, int) {
	if high >= Unbounded {
		return sum, open + 1
	}
	return sum + high, open
}

func lower(high []int64, v int32, to int64, moved func(int32)) {
	if to < high[v] {
		high[v] = to
		moved(v)
	}
}

func raise(low []int64, v int32, to int64, moved func(int32)) {
	if to > low[v] {
		low[v] = to
		moved(v)
	}
}
