package ledger

import (
	"fmt"
	"slices"
	"strings"
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
	var bare []int // children of which nothing was printed: they absorb any change
	for i, k := range l.Kids {
		if len(k.order) == 0 {
			bare = append(bare, i)
		}
	}
	if len(bare) > 1 {
		return false
	}
	return l.leaks(nodes, len(bare) == 1)
}

// leaks tests the children by kind: those whose printed numbers join the same
// points of time know the same of the others.
func (l Line) leaks(nodes []int, onlyBare bool) bool {
	var kinds []string
	members := map[string][]int{}
	for v, k := range l.Kids {
		kind := k.kind(nodes)
		if members[kind] == nil {
			kinds = append(kinds, kind)
		}
		members[kind] = append(members[kind], v)
	}
	for _, kind := range kinds {
		if onlyBare && len(l.Kids[members[kind][0]].order) > 0 {
			continue // the bare child absorbs any change
		}
		others := newSpan(len(nodes))
		others.addBlocks(l.Total, nodes)
		for _, other := range kinds {
			if other != kind || len(members[kind]) > 1 {
				others.addBlocks(l.Kids[members[other][0]], nodes)
			}
		}
		if l.leaksAt(members[kind], others, nodes) {
			return true
		}
	}
	return false
}

// kind names the partition of the nodes.
func (t *Timeline) kind(nodes []int) string {
	var b strings.Builder
	for i, at := range nodes {
		for j, other := range nodes[:i+1] {
			if t.block(at) == t.block(other) {
				fmt.Fprintf(&b, "%d ", j)
				break
			}
		}
	}
	return b.String()
}

func (l Line) nodes() []int {
	seen := map[int]bool{}
	var out []int
	for _, t := range append([]*Timeline{l.Total}, l.Kids...) {
		for _, n := range t.order {
			if !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out
}

// leaksAt tests children of one kind. What is known of one is what vanishes on the
// vectors that both its own blocks and those of the others leave free.
func (l Line) leaksAt(kids []int, others *span, nodes []int) bool {
	if others.full() {
		return false
	}
	own := l.Kids[kids[0]]
	known := newSpan(len(nodes))
	for _, f := range others.orthogonal() {
		known.add(f)
	}
	for i := range nodes {
		for j := range i {
			if own.block(nodes[i]) == own.block(nodes[j]) {
				known.add(difference(len(nodes), j, i))
			}
		}
	}
	for i := range nodes {
		for j := range i {
			if own.block(nodes[i]) == own.block(nodes[j]) || !known.has(difference(len(nodes), j, i)) {
				continue
			}
			for _, v := range kids {
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
func (s *span) addBlocks(t *Timeline, nodes []int) {
	done := map[int]bool{}
	for _, at := range nodes {
		root := t.block(at)
		if done[root] {
			continue
		}
		done[root] = true
		f := make([]int64, s.n)
		for i, other := range nodes {
			if t.block(other) == root {
				f[i] = 1
			}
		}
		s.add(f)
	}
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
