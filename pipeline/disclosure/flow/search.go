package flow

import "container/heap"

// direction says which cycle through an edge is looked for.
type direction uint8

const (
	anyway   direction = iota // any path of hidden edges between its ends
	upward                    // the edge's count one more: a residual path back from its column to its row
	downward                  // one less: from its row to its column
)

// search is the reusable state of one path search.
type search struct {
	dist  []int64
	via   []int32 // edge by which a vertex was reached
	stamp []int32 // in which search the two above were set
	now   int32
	queue []int32
	heap  pathHeap
}

func (s *search) init(n int) {
	s.dist, s.via, s.stamp = make([]int64, n), make([]int32, n), make([]int32, n)
}

// from and to are where a path for e begins and ends.
func (g *graph) span(e *edge, d direction) (from, to int32) {
	row, col := g.ends(e)
	if d == upward {
		return col, row
	}
	return row, col
}

// passable says that a path may use x from v. Along a row-to-column step the
// count grows by one, along the other it falls.
func (g *graph) passable(x *edge, v int32, d direction) bool {
	if d == anyway {
		return true
	}
	if int(v) < g.rows {
		return x.CanUp
	}
	return x.CanDown
}

// reach says whether hidden edges other than e lead from one end of e to the
// other in the direction.
func (g *graph) reach(e *edge, d direction) bool {
	s := &g.search
	s.now++
	from, to := g.span(e, d)
	s.queue = append(s.queue[:0], from)
	s.stamp[from] = s.now
	for len(s.queue) > 0 {
		v := s.queue[0]
		s.queue = s.queue[1:]
		for _, i := range g.adj[v] {
			x := &g.edges[i]
			if x.State == Shown || x == e || !g.passable(x, v, d) {
				continue
			}
			w := g.other(x, v)
			if w == to {
				return true
			}
			if s.stamp[w] != s.now {
				s.stamp[w] = s.now
				s.queue = append(s.queue, w)
			}
		}
	}
	return false
}

// hidePath hides the cheapest shown cells that make e part of a cycle in the
// direction; false when there is no such path.
func (g *graph) hidePath(e *edge, d direction) bool {
	s := &g.search
	s.now++
	from, to := g.span(e, d)
	s.heap = append(s.heap[:0], step{vertex: from})
	s.dist[from], s.via[from], s.stamp[from] = 0, -1, s.now
	for len(s.heap) > 0 {
		at := heap.Pop(&s.heap).(step)
		if at.cost > s.dist[at.vertex] {
			continue
		}
		if at.vertex == to {
			g.hideBack(to)
			return true
		}
		for _, i := range g.adj[at.vertex] {
			x := &g.edges[i]
			if x == e || !g.passable(x, at.vertex, d) {
				continue
			}
			cost := at.cost
			if x.State == Shown {
				cost += coverCost + x.Order
			}
			w := g.other(x, at.vertex)
			if s.stamp[w] != s.now || cost < s.dist[w] {
				s.stamp[w], s.dist[w], s.via[w] = s.now, cost, i
				heap.Push(&s.heap, step{vertex: w, cost: cost})
			}
		}
	}
	return false
}

// hideBack hides what is shown on the path that led to v.
func (g *graph) hideBack(v int32) {
	for g.search.via[v] >= 0 {
		x := &g.edges[g.search.via[v]]
		if x.State == Shown {
			x.State = Hidden
			g.hidden = append(g.hidden, x.id)
		}
		v = g.other(x, v)
	}
}

// step is an entry of the queue of hidePath; ties go to the lower vertex, so that
// the path is the same on every run.
type step struct {
	cost   int64
	vertex int32
}

type pathHeap []step

func (h pathHeap) Len() int { return len(h) }
func (h pathHeap) Less(i, j int) bool {
	return h[i].cost < h[j].cost || h[i].cost == h[j].cost && h[i].vertex < h[j].vertex
}
func (h pathHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push and Pop are of heap.Interface.
func (h *pathHeap) Push(x any) { *h = append(*h, x.(step)) }

// Pop removes the last entry.
func (h *pathHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
