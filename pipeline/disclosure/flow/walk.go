package flow

// bridges says which hidden edges are bridges of the hidden graph.
func (g *graph) bridges() []bool {
	return g.walk(func(x *edge) bool { return x.State != Shown }).bridge
}

// swaying is the walk over the hidden edges that can both grow and fall. Within
// what they join, any two vertices have a residual path both ways.
func (g *graph) swaying() *walk { return g.walk((*edge).sways) }

func (e *edge) sways() bool { return e.State != Shown && e.CanUp && e.CanDown }

// sways says that e moves by one along edges that all can both grow and fall,
// which is the quick way to see it and holds for all but a few. What the walk
// found stays true when more is hidden.
func (w *walk) sways(e *edge, i int) bool {
	row, col := w.g.ends(e)
	return w.part[row] == w.part[col] && !(e.sways() && w.bridge[i])
}

// walk finds bridges by low-link values, and what is joined, in one walk of
// O(vertices + edges).
type walk struct {
	g           *graph
	of          func(*edge) bool
	found, low  []int32 // 0 = not yet found
	next        []int32 // position in the adjacency list
	part        []int32 // the vertex from which it was found
	bridge      []bool
	clock       int32
	stack, into []int32 // vertices, and the edge by which each was entered
}

// walk walks over the edges that of picks.
func (g *graph) walk(of func(*edge) bool) *walk {
	n := len(g.adj)
	w := &walk{g: g, of: of, found: make([]int32, n), low: make([]int32, n), next: make([]int32, n), part: make([]int32, n), bridge: make([]bool, len(g.edges))}
	for v := range n {
		if w.found[v] == 0 {
			w.from(int32(v))
		}
	}
	return w
}

func (w *walk) enter(v, by, root int32) {
	w.clock++
	w.found[v], w.low[v], w.part[v] = w.clock, w.clock, root
	w.stack, w.into = append(w.stack, v), append(w.into, by)
}

func (w *walk) from(root int32) {
	w.enter(root, -1, root)
	for len(w.stack) > 0 {
		top := len(w.stack) - 1
		v, by := w.stack[top], w.into[top]
		if int(w.next[v]) == len(w.g.adj[v]) {
			w.stack, w.into = w.stack[:top], w.into[:top]
			if top > 0 {
				u := w.stack[top-1]
				w.low[u] = min(w.low[u], w.low[v])
				w.bridge[by] = w.low[v] > w.found[u]
			}
			continue
		}
		i := w.g.adj[v][w.next[v]]
		w.next[v]++
		x := &w.g.edges[i]
		if i == by || !w.of(x) {
			continue
		}
		if u := w.g.other(x, v); w.found[u] == 0 {
			w.enter(u, i, root)
		} else {
			w.low[v] = min(w.low[v], w.found[u])
		}
	}
}
