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
	total := make([]int, len(nodes))
	l.Total.blocks(nodes, total)
	kinds := l.kinds(nodes)
	open := openNodes(total, kinds)
	common := newSpan(len(open)) // what is among the others of every kind
	common.addBlocks(labels(total, open))
	for i := range kinds {
		kinds[i].open = labels(kinds[i].blocks, open)
		if len(kinds[i].members) > 1 {
			common.addBlocks(kinds[i].open)
		}
	}
	if common.full() {
		return false // the others take any change
	}
	before, after := around(common, kinds)
	for i, k := range kinds {
		if before[i].full() || after[i].full() {
			continue
		}
		others := before[i].clone()
		others.addSpan(after[i])
		if !others.full() && l.leaksAt(k, others, nodes, open) {
			return true
		}
	}
	return false
}

// kind is the children whose printed numbers join the same points of time: they
// know the same of the others.
type kind struct {
	blocks  []int // of all nodes
	open    []int // of the open ones
	members []int
}

// openNodes are those that the others of some child do not fix alone: one that neither
// the total's numbers join to another, or those of two children do not, takes any change
// for each child. Most of those are months and quarters that the total is printed in.
func openNodes(total []int, kinds []kind) (open []int) {
	lone := make([]int, len(total)) // how many leave the node alone
	alone := func(blocks []int, times int) {
		for i := range blocks {
			if first := slices.Index(blocks, blocks[i]); first == i && !slices.Contains(blocks[i+1:], i) {
				lone[i] += times
			}
		}
	}
	alone(total, 2)
	for _, k := range kinds {
		alone(k.blocks, len(k.members))
	}
	for i, n := range lone {
		if n < 2 {
			open = append(open, i)
		}
	}
	return open
}

// labels are the blocks of some of the nodes alone, each by the first of them.
func labels(blocks, nodes []int) []int {
	out := make([]int, len(nodes))
	for i, at := range nodes {
		out[i] = slices.IndexFunc(nodes[:i+1], func(n int) bool { return blocks[n] == blocks[at] })
	}
	return out
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
			so.addBlocks(k.open)
		}
	}
	so = common
	for i := len(kinds) - 1; i >= 0; i-- {
		after[i] = so
		if !so.full() {
			so = so.clone()
			so.addBlocks(kinds[i].open)
		}
	}
	return before, after
}

// kinds sorts the children by what joins their points of time.
func (l Line) kinds(nodes []int) []kind {
	var kinds []kind
	at := map[string]int{}
	blocks, name := make([]int, len(nodes)), make([]byte, 0, 2*len(nodes))
	for v, t := range l.Kids {
		if t.nobody.Holds(nodes[0], nodes[len(nodes)-1]) {
			continue // of nobody everything is known
		}
		t.blocks(nodes, blocks)
		name = name[:0]
		for _, b := range blocks {
			name = binary.LittleEndian.AppendUint16(name, uint16(b))
		}
		i, ok := at[string(name)]
		if !ok {
			i = len(kinds)
			at[string(name)], kinds = i, append(kinds, kind{blocks: slices.Clone(blocks)})
		}
		kinds[i].members = append(kinds[i].members, v)
	}
	return kinds
}

// nodes are all points of time, in order. There are few.
func (l Line) nodes() (out []int) {
	add := func(t *Timeline) {
		for _, p := range t.points {
			if i, ok := slices.BinarySearch(out, p.at); !ok {
				out = slices.Insert(out, i, p.at)
			}
		}
	}
	add(l.Total)
	for _, k := range l.Kids {
		add(k)
	}
	return out
}

// leaksAt tests children of one kind. What is known of one is what vanishes on the
// vectors that both its own blocks and those of the others leave free; it is told of a
// block by its first open node, since a block's nodes are known to be alike.
func (l Line) leaksAt(k kind, others *span, nodes, open []int) bool {
	known := newSpan(others.n)
	for _, f := range others.orthogonal() {
		for i, first := range k.open {
			if first != i {
				f[first], f[i] = (f[first]+f[i])%prime, 0
			}
		}
		known.add(f)
	}
	difference := make([]int64, others.n)
	for i := range k.open {
		for j := range i {
			if k.open[i] != i || k.open[j] != j {
				continue
			}
			clear(difference)
			difference[j], difference[i] = prime-1, 1
			if known.has(difference) && l.harmfulBetween(k, nodes, k.blocks[open[j]], k.blocks[open[i]]) {
				return true
			}
		}
	}
	return false
}

// harmfulBetween says that some interval between two blocks of a kind is harmful for one
// of its children.
func (l Line) harmfulBetween(k kind, nodes []int, one, other int) bool {
	for i := range nodes {
		for j := range i {
			if x, y := k.blocks[i], k.blocks[j]; min(x, y) != min(one, other) || max(x, y) != max(one, other) {
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
