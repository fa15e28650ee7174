package disclosure

import (
	"cmp"
	"math"
	"slices"

	"labour/snapshots/figure"
)

// interval is what a reader knows of a count: it is from lo to hi.
type interval struct{ lo, hi int32 }

const unbounded = math.MaxInt32 // by nothing that is known
var unknown = interval{0, unbounded}

// intervalOf returns what a printed value says of the true count: "a printed multiple of 5 is an
// interval of five (5 is 5 to 7), `"<5"` is 1 to 4. Unknown cells (`null`) are at least 0".
func (p Protection) intervalOf(c figure.Count) interval {
	n, number := c.Number()
	switch {
	case c.Status() == figure.Small:
		return interval{1, figure.SmallestShown - 1}
	case !number:
		return unknown
	case n == 0 || p == Plain:
		return interval{int32(n), int32(n)}
	}
	const half = figure.RoundedTo / 2
	return interval{int32(max(n-half, figure.SmallestShown)), int32(n + half)}
}

// smallValue reports whether a group of 1 to 4 people is worked out.
func (i interval) smallValue() bool { return i.lo == i.hi && i.lo > 0 && i.lo < figure.SmallestShown }

// width returns how many values but one are possible.
func (i interval) width() int64 { return int64(i.hi) - int64(i.lo) }

// total is what the parts of a sum are together. What is looked at for every sum stands side by
// side, since most have nothing to say and looking is what takes the time.
type total struct {
	lo, hi  int64
	open    int32 // parts without an upper bound, which hi leaves out
	widest  int32 // no part is wider
	whole   int32 // cell
	waiting bool  // is due
}

// add counts a part, or takes it out with a sign of -1.
func (t *total) add(i interval, sign int64) {
	t.lo += sign * int64(i.lo)
	if i.hi == unbounded {
		t.open += int32(sign)
	} else {
		t.hi += sign * int64(i.hi)
	}
}

// knowledge is what a reader knows of the cells of a system.
type knowledge struct {
	*system
	at      []interval
	totals  []total    // by sum
	because [][2]int32 // by cell, the sums that last narrowed it from below and above; 0 = none, else one more than the number
	due     []int32    // sums that may have more to say
	// Of a value of one cell that is tried:
	trying, refuted bool     // the value contradicts the sums
	undo            []change // what was known of cells before
}

const bySomethingElse = -1 // than a sum

// newKnowledge returns what follows from the intervals of printed values.
func newKnowledge(s *system, printed []interval) *knowledge {
	n := len(s.atLeast)
	k := &knowledge{system: s, at: printed, totals: make([]total, n), because: make([][2]int32, len(printed))}
	k.bound()
	for number := range int32(n) {
		cells, t := s.cells.of(number), &k.totals[number]
		t.whole, t.widest = cells[0], unbounded
		if s.atLeast[number] {
			t.open = 2 // as if it had two more parts, of which nothing is known
		}
		for _, part := range cells[1:] {
			t.add(k.at[part], 1)
		}
		k.look(bySomethingElse, number)
	}
	k.tighten()
	return k
}

// bound gives each cell the least upper bound of those that it is below, which is most of
// what follows. From the least bound on each cell has to be looked at once.
func (k *knowledge) bound() {
	var bounded []int32
	for c, is := range k.at {
		if is.hi < unbounded {
			bounded = append(bounded, int32(c))
		}
	}
	slices.SortStableFunc(bounded, func(a, b int32) int { return cmp.Compare(k.at[b].hi, k.at[a].hi) })
	for due := bounded; len(due) > 0; {
		whole := due[len(due)-1]
		due = due[:len(due)-1]
		for _, number := range k.wholeOf.of(whole) {
			for _, part := range k.cells.of(number)[1:] {
				if hi := k.at[whole].hi; k.at[part].hi > hi && k.at[part].lo <= hi {
					k.at[part].hi, k.because[part][1] = hi, number+1
					due = append(due, part)
				}
			}
		}
	}
}

// tighten narrows the intervals by the sums until nothing moves.
func (k *knowledge) tighten() {
	for i := 0; i < len(k.due); i++ {
		number := k.due[i]
		k.totals[number].waiting = false
		for !(k.trying && k.refuted) && k.apply(number) { // until it has no more to say
		}
	}
	k.due = k.due[:0]
}

// apply narrows the cells of one sum, and reports whether one moved.
func (k *knowledge) apply(number int32) (moved bool) {
	t, most := &k.totals[number], int64(unbounded)
	if t.open == 0 {
		most = t.hi
	}
	moved = k.narrow(number, t.whole, t.lo, most)
	whole, widest := k.at[t.whole], int64(t.widest)
	above := whole.hi < unbounded && int64(whole.hi)-t.lo < widest
	below := t.open == 0 && t.hi-int64(whole.lo) < widest || t.open == 1 && t.hi < int64(whole.lo)
	if !above && !below {
		return moved
	}
	widest = 0
	for _, part := range k.cells.of(number)[1:] {
		is, least, most := k.at[part], int64(0), int64(unbounded)
		if whole.hi < unbounded {
			most = int64(whole.hi) - (t.lo - int64(is.lo))
		}
		if is.hi == unbounded && t.open == 1 {
			least = int64(whole.lo) - t.hi
		} else if t.open == 0 {
			least = int64(whole.lo) - (t.hi - int64(is.hi))
		}
		moved = k.narrow(number, part, least, most) || moved
		widest = max(widest, k.at[part].width())
	}
	if !k.trying {
		t.widest = int32(widest)
	}
	return moved
}

// narrow takes what a sum says of a cell into its interval, has the cell's other sums
// looked at again, and reports whether that moved.
func (k *knowledge) narrow(by, cell int32, lo, hi int64) bool {
	is := k.at[cell]
	if lo <= int64(is.lo) && hi >= int64(is.hi) {
		return false
	}
	to := interval{int32(max(lo, int64(is.lo))), int32(min(hi, int64(is.hi)))}
	if to.lo > to.hi {
		k.refuted = true // without a trial, it is of a series whose feed was corrected
		return false
	}
	if k.trying {
		k.undo = append(k.undo, change{cell, is})
	} else {
		if to.lo > is.lo {
			k.because[cell][0] = by + 1
		}
		if to.hi < is.hi {
			k.because[cell][1] = by + 1
		}
	}
	k.set(by, cell, to)
	return true
}

// reasons returns the sums by which a cell was narrowed.
func (k *knowledge) reasons(cell int32) (numbers []int32) {
	for _, number := range k.because[cell] {
		if number > 0 {
			numbers = append(numbers, number-1)
		}
	}
	return numbers
}

// put makes an interval what is known of a cell.
func (k *knowledge) put(cell int32, to interval) {
	var change total
	change.add(k.at[cell], -1)
	change.add(to, 1)
	k.at[cell] = to
	for _, number := range k.partOf.of(cell) {
		t := &k.totals[number]
		t.lo, t.hi, t.open = t.lo+change.lo, t.hi+change.hi, t.open+change.open
	}
}

// set is put, and has the cell's sums but one looked at again.
func (k *knowledge) set(by, cell int32, to interval) {
	k.put(cell, to)
	for _, number := range k.partOf.of(cell) {
		k.look(by, number)
	}
	for _, number := range k.wholeOf.of(cell) {
		k.look(by, number)
	}
}

func (k *knowledge) look(by, number int32) {
	if t := &k.totals[number]; number != by && !t.waiting {
		k.due, t.waiting = append(k.due, number), true
	}
}

// smallValues returns those of some cells whose count follows and is 1 to 4.
func (k *knowledge) smallValues(of []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(of), func(c int32) bool { return !k.at[c].smallValue() })
}

type change struct {
	cell int32
	was  interval
}

// try narrows those of some cells that are known to hold at most 4 people, and to three values or
// fewer, by trial: a value that contradicts the sums cannot be. The true counts only save trials:
// what holds the truth contradicts nothing, so that without them the same would follow.
func (k *knowledge) try(cells []int32, truth []int32) {
	for _, c := range cells {
		for {
			is := k.at[c]
			if is.hi >= figure.SmallestShown || is.width() > 2 || is.lo == is.hi {
				break
			}
			part, rest := interval{is.lo, is.lo}, interval{is.lo + 1, is.hi}
			if truth[c] == is.lo {
				part, rest = rest, part
			}
			if part.lo > 0 && rest == (interval{}) || !k.refutes(c, part) {
				break // nobody is no small group
			}
			k.set(bySomethingElse, c, rest)
			k.tighten()
		}
	}
}

// refutes reports whether a cell cannot be within an interval.
func (k *knowledge) refutes(cell int32, is interval) bool {
	k.trying, k.refuted, k.undo = true, false, append(k.undo[:0], change{cell, k.at[cell]})
	k.set(bySomethingElse, cell, is)
	k.tighten()
	for i := len(k.undo) - 1; i >= 0; i-- { // nothing is new, so that no sum is looked at again
		k.put(k.undo[i].cell, k.undo[i].was)
	}
	k.trying = false
	return k.refuted
}

// Sum says that the count of Whole is the sum of those of Parts, or, if AtLeast, that it
// is no less. All are so many cells further on.
type Sum struct {
	Whole   int32
	Parts   []int32
	further int32
	AtLeast bool
}

type system struct {
	cells           lists  // of each sum, the whole and then the parts
	atLeast         []bool // by sum
	partOf, wholeOf lists  // of each cell, the sums in which it is
}

func newSystem(cells int, sums []Sum) *system {
	s := &system{atLeast: make([]bool, len(sums)), cells: lists{start: make([]int32, 1, len(sums)+1)}}
	for i, sum := range sums {
		s.atLeast[i] = sum.AtLeast
		s.cells.all = append(s.cells.all, sum.further+sum.Whole)
		for _, p := range sum.Parts {
			s.cells.all = append(s.cells.all, sum.further+p)
		}
		s.cells.start = append(s.cells.start, int32(len(s.cells.all)))
	}
	s.partOf = s.sumsOf(cells, func(sum []int32) []int32 { return sum[1:] })
	s.wholeOf = s.sumsOf(cells, func(sum []int32) []int32 { return sum[:1] })
	return s
}

// sumsOf returns of each cell the sums that have it among those of their cells.
func (s *system) sumsOf(cells int, those func(sum []int32) []int32) lists {
	l := lists{start: make([]int32, cells+1)}
	for i := range s.atLeast {
		for _, c := range those(s.cells.of(int32(i))) {
			l.start[c+1]++
		}
	}
	for c := range cells {
		l.start[c+1] += l.start[c]
	}
	next := append([]int32(nil), l.start...)
	l.all = make([]int32, l.start[cells])
	for i := range s.atLeast {
		for _, c := range those(s.cells.of(int32(i))) {
			l.all[next[c]] = int32(i)
			next[c]++
		}
	}
	return l
}

// below marks the cells below some: their parts, and theirs.
func (s *system) below(due []int32) []bool {
	is := make([]bool, len(s.partOf.start)-1)
	for len(due) > 0 {
		c := due[len(due)-1]
		due = due[:len(due)-1]
		for _, number := range s.wholeOf.of(c) {
			for _, p := range s.cells.of(number)[1:] {
				if !is[p] {
					is[p], due = true, append(due, p)
				}
			}
		}
	}
	return is
}

// lists are lists of numbers, one after the other.
type lists struct{ start, all []int32 }

func (l *lists) of(i int32) []int32 { return l.all[l.start[i]:l.start[i+1]] }
