// Package flow protects one table of two dimensions whose margins are printed
// (R4). Rows and columns are the vertices of a bipartite graph, hidden cells its
// edges. What an attacker cannot tell apart are circulations on the hidden
// edges, hence:
//
//   - a hidden cell is determined by subtraction exactly if its edge is a bridge
//     (Gusfield 1988);
//   - under the bounds that the tokens state ("<5" is 1 to 4, null is at least 5)
//     it stays put exactly if it is on no directed cycle of the residual graph.
//
// Protect hides more cells until neither holds for any cell that must be
// protected, or says that the table cannot be saved.
package flow

import "slices"

// State is how a cell is printed at the moment.
type State uint8

// The states of a cell of a table. A cell that holds nobody and is not hidden is
// no part of the graph and is left out by the caller.
const (
	Shown    State = iota // a number of at least 5 that may be hidden
	Hidden                // null, at least 5
	Small                 // "<5"
	Rest                  // people in no cell that is asked: nothing is printed, at least 0
	Withheld              // a cell that is asked and of which nothing is printed, at least 0
)

// Cell is a cell of a table.
type Cell struct {
	Row, Col int
	Count    int64
	State    State
	Order    int64 // public order; covers with a low one are chosen first
	// CanUp and CanDown say whether the count, once hidden, could be one more or one
	// less as far as the cell's own token and its other windows tell.
	CanUp, CanDown bool
}

// coverCost is the cost of hiding one cell beside its public order, so that few
// covers come before early ones.
const coverCost = 1000

type edge struct {
	Cell
	id int // index in the caller's list
}

type graph struct {
	rows   int
	edges  []edge
	adj    [][]int32 // vertex → edges; rows first, then columns
	hidden []int     // in the order in which they were hidden
	search search
}

// Protect gives the indexes of the shown cells to hide, ascending, or ok = false
// when a repair does not exist and the whole table must be withheld. It is a
// pure function of its arguments.
func Protect(rows, cols int, cells []Cell) (hide []int, ok bool) {
	g := newGraph(rows, cols, cells)
	for {
		cut, ok := g.offBridges()
		if !ok {
			return nil, false
		}
		moved, ok := g.freeSmall()
		if !ok {
			return nil, false
		}
		if !cut && !moved {
			break
		}
	}
	slices.Sort(g.hidden)
	return g.hidden, true
}

func newGraph(rows, cols int, cells []Cell) *graph {
	g := &graph{rows: rows, adj: make([][]int32, rows+cols), edges: make([]edge, len(cells))}
	degree := make([]int32, rows+cols)
	for _, c := range cells {
		degree[c.Row]++
		degree[rows+c.Col]++
	}
	flat := make([]int32, 2*len(cells))
	for v, d := range degree {
		g.adj[v], flat = flat[:0:d], flat[d:]
	}
	for i, c := range cells {
		g.edges[i] = edge{Cell: c, id: i}
		g.adj[c.Row] = append(g.adj[c.Row], int32(i))
		g.adj[rows+c.Col] = append(g.adj[rows+c.Col], int32(i))
	}
	g.search.init(rows + cols)
	return g
}

// ends are the two vertices of an edge.
func (g *graph) ends(e *edge) (row, col int32) { return int32(e.Row), int32(g.rows + e.Col) }

// other is the end of e that is not v.
func (g *graph) other(e *edge, v int32) int32 {
	row, col := g.ends(e)
	if v == row {
		return col
	}
	return row
}

// target says that the cell must not be determined: covers and small groups. A
// rest of 5 or more is nobody's small group and no cover.
func (e *edge) target() bool {
	return e.State == Hidden || e.small()
}

// small says that the cell is a small group, printed as "<5" or not at all.
func (e *edge) small() bool {
	return e.State == Small || (e.State == Rest || e.State == Withheld) && e.Count > 0 && e.Count < 5
}

// offBridges hides until no edge that must be protected is a bridge.
func (g *graph) offBridges() (changed, ok bool) {
	bridge := g.bridges()
	for i := range g.edges {
		e := &g.edges[i]
		if !bridge[i] || !e.target() || changed && g.reach(e, anyway) {
			continue
		}
		if !g.hidePath(e, anyway) {
			return changed, false
		}
		changed = true
	}
	return changed, true
}

// freeSmall hides until every small cell can move by at least one within 1 to 4:
// where nothing is printed it could be 0 or 5 too, but whoever asks for the group
// may know it for a small one. People in no cell that is asked may do either. The design gives each up to two further covers, so
// that it can take all of 1 to 4; here it gets none. They cost every tenth number
// of a table of few people, and most cells can take all four values without.
func (g *graph) freeSmall() (changed, ok bool) {
	w := g.swaying()
	for i := range g.edges {
		e := &g.edges[i]
		if !e.small() || w.sways(e, i) {
			continue
		}
		more, less := e.CanUp && (e.Count < 4 || e.State == Rest), e.CanDown && (e.Count > 1 || e.State == Rest)
		switch {
		case more && g.reach(e, upward), less && g.reach(e, downward):
		case more && g.hidePath(e, upward), less && g.hidePath(e, downward):
			changed = true
		default:
			return changed, false
		}
	}
	return changed, true
}
