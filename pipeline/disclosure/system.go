package disclosure

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
	s := &system{atLeast: make([]bool, len(sums))}
	s.cells = listsOf(len(sums), func(add func(list, item int32)) {
		for i, sum := range sums {
			s.atLeast[i] = sum.AtLeast
			add(int32(i), sum.further+sum.Whole)
			for _, p := range sum.Parts {
				add(int32(i), sum.further+p)
			}
		}
	})
	s.partOf = listsOf(cells, func(add func(list, item int32)) {
		for i := range int32(len(sums)) {
			for _, c := range s.cells.of(i)[1:] {
				add(c, i)
			}
		}
	})
	s.wholeOf = listsOf(cells, func(add func(list, item int32)) {
		for i := range int32(len(sums)) {
			add(s.cells.of(i)[0], i)
		}
	})
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
