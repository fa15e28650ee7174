package mask

import "labour/pipeline/disclosure/flow"

// graph is a table as flow.Protect takes it.
type graph struct {
	rows, cols int
	cells      []flow.Cell
	ids        []int32 // cell of the board; -1 for the rests
}

// graph builds the graph of a table. Rows and columns whose margin is no number,
// and people in no listed row or column, are lumped into one last row and one
// last column: their cells are never seen one by one. ok is false when nothing
// needs protecting.
func (b *Board) graph(t *table) (g *graph, ok bool) {
	total, ok := b.numeric(t.total)
	if !ok {
		return nil, false
	}
	rows, rowLeft := b.margins(t.rows)
	cols, colLeft := b.margins(t.cols)
	if len(rows) == 0 {
		return nil, false
	}
	g = &graph{rows: len(rows) + 1, cols: len(cols) + 1}
	corner := total
	for i, r := range rows {
		corner -= rowLeft[i]
		for j, c := range cols {
			id := t.cells[r][c]
			if id < 0 {
				continue
			}
			rowLeft[i] -= b.Count[id]
			colLeft[j] -= b.Count[id]
			if b.Count[id] != 0 || b.Status[id] != Shown && !b.equalWindow(id, true) { // 0 in a longer window is 0 here
				g.cells = append(g.cells, b.edge(id, i, j, t.order[r][c]))
				g.ids = append(g.ids, id)
			}
		}
	}
	for j := range cols {
		corner -= colLeft[j]
		g.rest(len(rows), j, colLeft[j])
	}
	for i := range rows {
		g.rest(i, len(cols), rowLeft[i])
	}
	g.rest(len(rows), len(cols), corner)
	return g, g.needed()
}

// margins are the positions of the printed margins and their numbers.
func (b *Board) margins(all []sum) (at []int, n []int64) {
	for i, s := range all {
		if v, ok := b.numeric(s); ok {
			at, n = append(at, i), append(n, v)
		}
	}
	return at, n
}

func (g *graph) rest(row, col int, n int64) {
	if n > 0 {
		g.cells = append(g.cells, flow.Cell{Row: row, Col: col, Count: n, State: flow.Rest, CanUp: true, CanDown: true})
		g.ids = append(g.ids, -1)
	}
}

func (g *graph) needed() bool {
	for _, c := range g.cells {
		if c.State == flow.Hidden || c.State == flow.Small || (c.State == flow.Rest || c.State == flow.Withheld) && c.Count < smallest {
			return true
		}
	}
	return false
}

// edge is a cell with its bounds: ""<5" in [1,4]; null >= 5; also <= the same
// cell's number in a longer window and >= its number in a shorter one".
func (b *Board) edge(id int32, row, col int, order int64) flow.Cell {
	n := b.Count[id]
	c := flow.Cell{Row: row, Col: col, Count: n, Order: order, CanUp: true, CanDown: n > 0}
	switch {
	case b.Unlisted[id]:
		c.State = flow.Rest
	case b.Status[id] == Blocked:
		c.State = flow.Withheld
	case b.Status[id] == Small:
		c.State, c.CanUp, c.CanDown = flow.Small, n < smallest-1, n > 1
	case b.Status[id] == Hidden:
		c.State, c.CanDown = flow.Hidden, n > smallest
	default:
		c.State, c.CanDown = flow.Shown, n > smallest
	}
	c.CanUp = c.CanUp && !b.equalWindow(id, true)
	c.CanDown = c.CanDown && !b.equalWindow(id, false)
	return c
}

// equalWindow says that the same cell's printed number in a longer (or shorter)
// window equals the count, so that the count cannot grow (or fall).
func (b *Board) equalWindow(id int32, longer bool) bool {
	i := b.twin[id]
	return i >= 0 && (b.Cells[i].Window > b.Cells[id].Window) == longer && b.Status[i] == Shown && b.Count[i] == b.Count[id]
}
