package mask

// monthLine is T4: each printed month or window joins two nodes of time, and "an
// interval is derivable iff its ends are connected. Print only if no two
// connected nodes differ by 1..4. Then R2 across months inside each span between
// consecutive printed windows."
func (b *Board) monthLine(m *monthLine) {
	t := newTimeline(len(m.months))
	t.prefix(b, m)
	ends := []int{0} // ends of the spans, as ages
	for i := len(m.windows) - 1; i >= 0; i-- {
		if w := m.windows[i]; b.Status[w] == Shown && b.Cells[w].Window <= len(m.months) {
			t.join(0, b.Cells[w].Window)
			ends = append(ends, b.Cells[w].Window)
		}
	}
	for age, i := range m.months { // the newest first: it is what a reader wants
		switch {
		case i < 0 || b.Status[i] != Shown:
		case t.safe(age, age+1):
			t.join(age, age+1)
		default:
			b.hide(i, ReasonMonth)
		}
	}
	b.spans(m, t, ends)
}

// spans is R2 within each span, the oldest month being the first cover; months
// beyond the last printed window hang under nothing.
func (b *Board) spans(m *monthLine, t *timeline, ends []int) {
	for k := 1; k < len(ends); k++ {
		from, to := ends[k-1], ends[k]
		var kids []int32
		for age := to - 1; age >= from; age-- {
			if i := m.months[age]; i >= 0 {
				kids = append(kids, i)
			}
		}
		if !b.cover(t.s[to]-t.s[from], kids, ReasonMonth) {
			for _, i := range kids {
				b.block(i, ReasonMonth)
			}
		}
	}
	for age := ends[len(ends)-1]; age < len(m.months); age++ {
		if i := m.months[age]; i >= 0 {
			b.block(i, ReasonParent)
		}
	}
}

// timeline is the nodes of time of one cell, with their prefix sums and which of
// them are connected by printed numbers.
type timeline struct {
	s    []int64 // people of age under the node
	root []int
}

func newTimeline(months int) *timeline {
	t := &timeline{s: make([]int64, months+1), root: make([]int, months+1)}
	for i := range t.root {
		t.root[i] = i
	}
	return t
}

// prefix fills the prefix sums. Where a window is known it is taken as it is, so
// that a month that is not there does not shift the rest.
func (t *timeline) prefix(b *Board, m *monthLine) {
	for age, i := range m.months {
		t.s[age+1] = t.s[age]
		if i >= 0 {
			t.s[age+1] += b.Count[i]
		}
	}
	for _, w := range m.windows {
		if n := b.Cells[w].Window; n < len(t.s) {
			t.s[n] = b.Count[w]
		}
	}
}

func (t *timeline) join(a, b int) {
	ra, rb := t.root[a], t.root[b]
	for i, r := range t.root {
		if r == rb {
			t.root[i] = ra
		}
	}
}

// safe says that joining a and b makes no interval of 1 to 4 people derivable.
func (t *timeline) safe(a, b int) bool {
	ra, rb := t.root[a], t.root[b]
	if ra == rb {
		return true
	}
	for i, r := range t.root {
		for j, q := range t.root {
			if r == ra && q == rb {
				if d := t.s[i] - t.s[j]; d != 0 && d > -smallest && d < smallest {
					return false
				}
			}
		}
	}
	return true
}
