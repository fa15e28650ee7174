package ledger

import (
	"encoding/binary"
	"slices"
)

// Line is a total and its children over time.
type Line struct {
	Total *Timeline
	Kids  []*Timeline
}

// Leaks says that some child has an interval that is derivable through the other
// children and the total, and that is 1 to 4 people, or not known to be anything
// else. "Interval (a,b) of child v is derivable iff every vector in span(blocks of
// v) and [span of the blocks of all other children and the total] takes equal
// values at a and b." People in no child are left out of the reckoning: an
// attacker may know that there are none.
func (l Line) Leaks() bool {
	nodes := l.nodes()
	if len(nodes) < 2 {
		return false
	}
	bare := 0 // children of which nothing was printed: they absorb any change
	for _, k := range l.Kids {
		if len(k.points) == 0 && len(k.nobody) == 0 {
			bare++
		}
	}
	if bare > 1 {
		return false
	}
	return l.leaks(nodes, bare == 1)
}

// kind is the children whose printed numbers join the same points of time: they
// know the same of the others.
type kind struct {
	blocks  []int
	members []int
}

// leaks tests the children by kind.
func (l Line) leaks(nodes []int, onlyBare bool) bool {
	kinds := l.kinds(nodes)
	common := newSpan(len(nodes)) // what is among the others of every kind
	common.addBlocks(l.Total.blocks(nodes))
	for _, k := range kinds {
		if len(k.members) > 1 {
			common.addBlocks(k.blocks)
		}
	}
	before, after := around(common, kinds)
	for i, k := range kinds {
		if onlyBare && len(l.Kids[k.members[0]].points) > 0 {
			continue // the bare child absorbs any change
		}
		if before[i].full() || after[i].full() {
			continue // the others take any change
		}
		others := before[i].clone()
		others.addSpan(after[i])
		if l.leaksAt(k, others, nodes) {
			return true
		}
	}
	return false
}

// around is, for each kind, the common span with the kinds before it, and with
// those after it.
func around(common *span, kinds []kind) (before, after []*span) {
	before, after = make([]*span, len(kinds)), make([]*span, len(kinds))
	so := common
	for i, k := range kinds {
		before[i] = so
		if !so.full() {
			so = so.clone()
			so.addBlocks(k.blocks)
		}
	}
	so = common
	for i := len(kinds) - 1; i >= 0; i-- {
		after[i] = so
		if !so.full() {
			so = so.clone()
			so.addBlocks(kinds[i].blocks)
		}
	}
	return before, after
}

// kinds sorts the children by what joins their points of time.
func (l Line) kinds(nodes []int) []kind {
	var kinds []kind
	at := map[string]int{}
	for v, t := range l.Kids {
		if t.nobody.Holds(nodes[0], nodes[len(nodes)-1]) {
			continue // of nobody everything is known
		}
		blocks := t.blocks(nodes)
		name := make([]byte, 0, 2*len(blocks))
		for _, b := range blocks {
			name = binary.LittleEndian.AppendUint16(name, uint16(b))
		}
		i, ok := at[string(name)]
		if !ok {
			i = len(kinds)
			at[string(name)], kinds = i, append(kinds, kind{blocks: blocks})
		}
		kinds[i].members = append(kinds[i].members, v)
	}
	return kinds
}

func (l Line) nodes() []int {
	seen := map[int]bool{}
	var out []int
	add := func(t *Timeline) {
		for _, p := range t.points {
			if !seen[p.at] {
				seen[p.at] = true
				out = append(out, p.at)
			}
		}
	}
	add(l.Total)
	for _, k := range l.Kids {
		add(k)
	}
	slices.Sort(out)
	return out
}

// leaksAt tests children of one kind. What is known of one is what vanishes on the
// vectors that both its own blocks and those of the others leave free.
func (l Line) leaksAt(k kind, others *span, nodes []int) bool {
	if others.full() {
		return false
	}
	known := newSpan(len(nodes))
	for _, f := range others.orthogonal() {
		known.add(f)
	}
	for i := range nodes {
		for j := range i {
			if k.blocks[i] == k.blocks[j] {
				known.add(difference(len(nodes), j, i))
			}
		}
	}
	for i := range nodes {
		for j := range i {
			if k.blocks[i] == k.blocks[j] || !known.has(difference(len(nodes), j, i)) {
				continue
			}
			for _, v := range k.members {
				if l.harmful(v, nodes[j], nodes[i]) {
					return true
				}
			}
		}
	}
	return false
}

// harmful says that the derivable interval of child v is 1 to 4 people, or that
// its number does not follow plainly.
func (l Line) harmful(v, from, to int) bool {
	if _, own := l.Kids[v].Between(from, to); own {
		return false // judged when it was printed
	}
	n, ok := l.Total.Between(from, to)
	if !ok {
		return true
	}
	for u, k := range l.Kids {
		if u == v {
			continue
		}
		m, ok := k.Between(from, to)
		if !ok {
			return true
		}
		n -= m
	}
	return n != 0 && n < smallest
}

func difference(n, from, to int) []int64 {
	f := make([]int64, n)
	f[from], f[to] = prime-1, 1
	return f
}

// prime is 2^31 - 1: linear algebra modulo it errs with a chance of about one in
// two thousand million.
const prime = 1<<31 - 1

// span is a space of vectors modulo prime, its rows reduced.
type span struct {
	n    int
	rows [][]int64
	lead []int // first column of each row
}

func newSpan(n int) *span { return &span{n: n} }

func (s *span) full() bool { return len(s.rows) == s.n }

// addBlocks adds the indicator of every block of a timeline.
func (s *span) addBlocks(blocks []int) {
	for first, b := range blocks {
		if s.full() {
			return
		}
		if b != first {
			continue
		}
		f := make([]int64, s.n)
		for i, other := range blocks {
			if other == first {
				f[i] = 1
			}
		}
		s.add(f)
	}
}

// addSpan adds everything that another span holds.
func (s *span) addSpan(other *span) {
	for _, row := range other.rows {
		if s.full() {
			return
		}
		s.add(slices.Clone(row))
	}
}

func (s *span) clone() *span {
	c := &span{n: s.n, rows: make([][]int64, len(s.rows)), lead: slices.Clone(s.lead)}
	for i, row := range s.rows {
		c.rows[i] = slices.Clone(row)
	}
	return c
}

// reduce takes what the span holds out of f and gives the first column left, or -1.
func (s *span) reduce(f []int64) int {
	for k, row := range s.rows {
		if c := f[s.lead[k]]; c != 0 {
			for i := range f {
				f[i] = (f[i] + (prime-c)*row[i]) % prime
			}
		}
	}
	return slices.IndexFunc(f, func(x int64) bool { return x != 0 })
}

func (s *span) has(f []int64) bool { return s.reduce(f) < 0 }

// add adds a vector, keeping every lead column zero in the other rows.
func (s *span) add(f []int64) {
	lead := s.reduce(f)
	if lead < 0 {
		return
	}
	inverse := power(f[lead], prime-2)
	for i := range f {
		f[i] = f[i] * inverse % prime
	}
	for _, row := range s.rows {
		if c := row[lead]; c != 0 {
			for i := range row {
				row[i] = (row[i] + (prime-c)*f[i]) % prime
			}
		}
	}
	s.rows, s.lead = append(s.rows, f), append(s.lead, lead)
}

// orthogonal is a basis of what vanishes on the span.
func (s *span) orthogonal() [][]int64 {
	var out [][]int64
	for free := range s.n {
		if slices.Contains(s.lead, free) {
			continue
		}
		f := make([]int64, s.n)
		f[free] = 1
		for k, row := range s.rows {
			f[s.lead[k]] = (prime - row[free]) % prime
		}
		out = append(out, f)
	}
	return out
}

func power(a int64, n int) int64 {
	out := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = out * a % prime
		}
		a = a * a % prime
	}
	return out
}
