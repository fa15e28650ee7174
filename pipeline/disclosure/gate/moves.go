package gate

import "slices"

// A move makes another population of the true one, which fits all that is printed
// as well: people change places, values or bands, one each. If a small group has
// one more or one less in it, the attacker cannot know the group: the two
// populations are told apart by nothing that is printed.
//
// The people of a value in one band flow between the leaves of the place tree and
// the values of a filter: an edge for each value and node, from the node up to the
// one above it, and from everywhere to a last state that joins all values. A
// closed walk over edges changes the people of each edge by one, and keeps the
// total of every leaf and of all values. The same walk backwards in another band
// keeps the longer windows as they are.

// net is one table with the people of one band, or of one band against another.
// An edge may be walked up when its value and node may hold one more, and down when
// one less.
type net struct {
	*population
	values      int
	up, down    []bool   // by value and node
	ahead, back *arcs    // made when first walked
	starts      [][]bool // leaf, or after them the last state → ends of walks from there
}

// arcs are the edges that may be walked out of each state.
type arcs struct {
	from     []int32 // state → its first, and one more
	to, edge []int32
}

// move is the bands of a walk: one more of the first, one less of the second, or of
// none (spans).
type move struct{ plus, minus int }

// moves are those that change a cell of the k-th window.
func moves(k int) (out []move) {
	for plus := k; plus >= 0; plus-- {
		for minus := spans; minus > k; minus-- {
			out = append(out, move{plus, minus})
		}
	}
	return out
}

// net makes the net of a table, once.
func (a *audit) net(t int, m move) *net {
	at := (t*spans+m.plus)*(spans+1) + m.minus
	if a.nets[at] == nil {
		a.nets[at] = a.population.net(t, m)
	}
	return a.nets[at]
}

func (p *population) net(t int, m move) *net {
	size := p.tables[t].values * len(p.nodes)
	n := &net{population: p, values: p.tables[t].values, up: make([]bool, size), down: make([]bool, size)}
	need := uint8(1) << m.plus
	if m.minus < spans {
		need |= 1 << m.minus
	}
	for e, cells := range p.tables[t].cells {
		up, down := true, true
		if len(p.nodes[e%len(p.nodes)].kids) == 0 {
			up = p.may[t][e]&need == need
			down = up && p.people[t][e][m.plus] > 0
			up = up && (m.minus == spans || p.people[t][e][m.minus] > 0)
		}
		for k := m.plus; k < m.minus && k < spans && (up || down); k++ {
			more, less := p.room(cells[k])
			up, down = up && more, down && less
		}
		n.up[e], n.down[e] = up, down
	}
	return n
}

// states numbers the leaves, the inner nodes of each value, and the last state.
func (n *net) states() int { return len(n.leaves) + n.values*(len(n.nodes)-len(n.leaves)) + 1 }

func (n *net) last() int32 { return int32(n.states() - 1) }

// state is that of a node, for a value; -1 is above everywhere.
func (n *net) state(v int, node int32) int32 {
	switch {
	case node < 0:
		return n.last()
	case len(n.nodes[node].kids) == 0:
		return n.nodes[node].state
	}
	return int32(len(n.leaves)+v*(len(n.nodes)-len(n.leaves))) + n.nodes[node].state
}

// walker walks a net from one state on.
type walker struct {
	seen  []bool
	queue []int32
}

// walk finds every state that can be reached, until it finds the wanted one, without
// the barred edge; backwards, it finds those from which the first can be reached.
func (w *walker) walk(n *net, from, to int32, barred int, backwards bool) bool {
	if cap(w.seen) < n.states() {
		w.seen = make([]bool, n.states())
	}
	w.seen = w.seen[:n.states()]
	clear(w.seen)
	w.queue = append(w.queue[:0], from)
	w.seen[from] = true
	out := n.arcs(backwards)
	for at := 0; at < len(w.queue) && (to < 0 || !w.seen[to]); at++ {
		s := w.queue[at]
		for k := out.from[s]; k < out.from[s+1]; k++ {
			if t := out.to[k]; !w.seen[t] && int(out.edge[k]) != barred {
				w.seen[t] = true
				w.queue = append(w.queue, t)
			}
		}
	}
	return to >= 0 && w.seen[to]
}

// arcs are those of the net, or of the net with every edge turned round.
func (n *net) arcs(backwards bool) *arcs {
	kept := &n.ahead
	if backwards {
		kept = &n.back
	}
	if *kept != nil {
		return *kept
	}
	a := &arcs{from: make([]int32, n.states()+1)}
	n.edges(backwards, func(from, _, _ int32) { a.from[from+1]++ })
	for s := range n.states() {
		a.from[s+1] += a.from[s]
	}
	a.to, a.edge = make([]int32, a.from[n.states()]), make([]int32, a.from[n.states()])
	next := slices.Clone(a.from)
	n.edges(backwards, func(from, to, e int32) {
		a.to[next[from]], a.edge[next[from]] = to, e
		next[from]++
	})
	*kept = a
	return a
}

// edges calls fn for each edge that may be walked, once for each way.
func (n *net) edges(backwards bool, fn func(from, to, e int32)) {
	for v := range n.values {
		for node := range n.nodes {
			e := int32(v*len(n.nodes) + node)
			up, down := n.up[e], n.down[e]
			if backwards {
				up, down = down, up
			}
			if !up && !down {
				continue
			}
			below, above := n.state(v, int32(node)), n.state(v, n.nodes[node].parent)
			if up {
				fn(below, above, e)
			}
			if down {
				fn(above, below, e)
			}
		}
	}
}

// moved says whether a move gives the group one more or one less.
func (a *audit) moved(g target) bool {
	n := a.b.Count[g.cell]
	for _, m := range moves(g.window) {
		if n < 4 && a.through(g, m, true) || n > 1 && a.through(g, m, false) {
			return true
		}
	}
	return false
}

// through looks for a walk over the group's own edge: a closed one in the group's own
// table, or, for somebody who could as well be in another leaf or not there at all,
// one from leaf to leaf there and one between the same two in every other table.
func (a *audit) through(g target, m move, more bool) bool {
	n := a.net(g.table, m)
	e := a.at(g.v, g.node)
	tail, head := n.state(g.v, g.node), n.state(g.v, a.nodes[g.node].parent)
	open := n.up[e]
	if !more {
		tail, head, open = head, tail, n.down[e]
	}
	if !open {
		return false
	}
	if a.walk(n, head, tail, e, false) {
		return true
	}
	// Nothing that is reached from the head reaches the tail, so that a walk from one
	// of the starts to one of the ends takes no edge twice.
	ends := a.ends(n)
	a.walk(n, tail, -1, e, true)
	for i, start := range a.ends(n) {
		if start && a.between(g.table, m, i, slices.Clone(ends)) {
			return true
		}
	}
	return false
}

// between says whether there is a walk from a start to one and the same of the ends in
// every table but one.
func (a *audit) between(but int, m move, start int, ends []bool) bool {
	for t := range a.tables {
		if t == but {
			continue
		}
		any := false
		for i, to := range a.endsFrom(a.net(t, m), start) {
			ends[i] = ends[i] && to
			any = any || ends[i]
		}
		if !any {
			return false
		}
	}
	return true
}

// endsFrom are the ends of walks from a start, walked once.
func (a *audit) endsFrom(n *net, start int) []bool {
	if n.starts == nil {
		n.starts = make([][]bool, len(a.leaves)+1)
	}
	if n.starts[start] == nil {
		from := int32(start)
		if start == len(a.leaves) {
			from = n.last()
		}
		a.walk(n, from, -1, -1, false)
		n.starts[start] = a.ends(n)
	}
	return n.starts[start]
}

// ends are the leaves, and after them the last state: those that were reached.
func (a *audit) ends(n *net) []bool {
	return append(slices.Clone(a.seen[:len(a.leaves)]), a.seen[n.last()])
}
