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
	values   int
	up, down []bool // by value and node
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
	up, down := n.up, n.down
	if backwards {
		up, down = down, up
	}
	w.queue = append(w.queue[:0], from)
	w.seen[from] = true
	push := func(e int, open bool, s int32) {
		if open && e != barred && !w.seen[s] {
			w.seen[s] = true
			w.queue = append(w.queue, s)
		}
	}
	for at := 0; at < len(w.queue) && (to < 0 || !w.seen[to]); at++ {
		n.leave(w.queue[at], up, down, push)
	}
	return to >= 0 && w.seen[to]
}

// leave pushes the edges out of a state.
func (n *net) leave(s int32, up, down []bool, push func(e int, open bool, to int32)) {
	nodes, leaves := len(n.nodes), len(n.leaves)
	switch {
	case int(s) < leaves:
		node := n.leaves[s]
		for v := range n.values {
			push(v*nodes+int(node), up[v*nodes+int(node)], n.state(v, n.nodes[node].parent))
		}
	case s == n.last():
		for v := range n.values {
			push(v*nodes, down[v*nodes], n.state(v, 0))
		}
	default:
		v, node := (int(s)-leaves)/(nodes-leaves), n.inner[(int(s)-leaves)%(nodes-leaves)]
		for _, k := range n.nodes[node].kids {
			push(v*nodes+int(k), down[v*nodes+int(k)], n.state(v, k))
		}
		push(v*nodes+int(node), up[v*nodes+int(node)], n.state(v, n.nodes[node].parent))
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
	ends := a.ends(n, nil)
	a.walk(n, tail, -1, e, true)
	for i, start := range a.ends(n, nil) {
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
		n := a.net(t, m)
		from := int32(start)
		if start == len(a.leaves) {
			from = n.last()
		}
		a.walk(n, from, -1, -1, false)
		if ends = a.ends(n, ends); !slices.Contains(ends, true) {
			return false
		}
	}
	return true
}

// ends are the leaves, and after them the last state, that were reached, and which of
// them are among those before.
func (a *audit) ends(n *net, before []bool) []bool {
	if before == nil {
		before = slices.Repeat([]bool{true}, len(a.leaves)+1)
	}
	for i := range a.leaves {
		before[i] = before[i] && a.seen[i]
	}
	before[len(a.leaves)] = before[len(a.leaves)] && a.seen[n.last()]
	return before
}
