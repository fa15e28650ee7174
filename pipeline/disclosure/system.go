package disclosure

// sum says that the count of whole is the sum of those of parts, or, if atLeast, that it
// is no less.
type sum struct {
	whole   int32
	parts   []int32
	atLeast bool
}

type system struct {
	cells           lists  // of each sum, the whole and then the parts
	atLeast         []bool // by sum
	partOf, wholeOf lists  // of each cell, the sums in which it is
}

// newSystem returns the system of so many cells. The first are those of a number of columns
// at so many times, time by time; the sums of columns hold at each time, single are those
// of cells.
func newSystem(cells, width, times int, columns, single []sum) *system {
	s := &system{atLeast: make([]bool, len(columns)*times+len(single))}
	number := int32(0)
	each := func(sums []sum, times int, fn func(number, cell int32, part bool)) {
		for i := range sums {
			for first := int32(0); first < int32(times*width); first += int32(width) {
				fn(number, first+sums[i].whole, false)
				for _, p := range sums[i].parts {
					fn(number, first+p, true)
				}
				s.atLeast[number] = sums[i].atLeast
				number++
			}
		}
	}
	all := func(fn func(number, cell int32, part bool)) {
		number = 0
		each(columns, times, fn)
		each(single, 1, fn)
	}
	s.cells = listsOf(len(s.atLeast), func(add func(list, item int32)) {
		all(func(number, cell int32, _ bool) { add(number, cell) })
	})
	of := func(asPart bool) lists {
		return listsOf(cells, func(add func(list, item int32)) {
			all(func(number, cell int32, part bool) {
				if part == asPart {
					add(cell, number)
				}
			})
		})
	}
	s.partOf, s.wholeOf = of(true), of(false)
	return s
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

// listsOf returns n lists of the items that each adds, which it is asked for twice.
func listsOf(n int, each func(add func(list, item int32))) lists {
	l := lists{start: make([]int32, n+1)}
	each(func(list, _ int32) { l.start[list+1]++ })
	for i := range n {
		l.start[i+1] += l.start[i]
	}
	next := append([]int32(nil), l.start...)
	l.all = make([]int32, l.start[n])
	each(func(list, item int32) {
		l.all[next[list]] = item
		next[list]++
	})
	return l
}
