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
