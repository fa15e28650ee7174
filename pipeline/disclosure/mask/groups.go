package mask

// Group is one line over all its windows. Cells in it have no window.
type Group struct {
	Place, Dim string // the node, and what it is split by
	Total      Cell
	Kids       []Cell
	Cells      map[int][]int // window → children
	Totals     map[int]int   // window → total
}

// Groups are the lines of the index, each over all its windows.
func (x *Index) Groups() []*Group {
	var out []*Group
	at := map[node]*Group{}
	seen := map[Cell]bool{}
	for _, l := range x.lines {
		k := node{l.place, l.dim}
		g := at[k]
		if g == nil {
			g = &Group{Place: l.place, Dim: l.dim, Total: timeless(x.Cells[l.total]), Cells: map[int][]int{}, Totals: map[int]int{}}
			at[k], out = g, append(out, g)
		}
		g.Totals[l.window] = int(l.total)
		for _, i := range l.kids {
			g.Cells[l.window] = append(g.Cells[l.window], int(i))
			if c := timeless(x.Cells[i]); !seen[c] {
				seen[c] = true
				g.Kids = append(g.Kids, c)
			}
		}
	}
	return out
}

// timeless is a cell without its window.
func timeless(c Cell) Cell {
	c.Window = 0
	return c
}

// Months is the span of a cell, the newest month being the one before end: from,
// and just under to, in months since year 0.
func (x *Index) Months(i, end int) (from, to int) {
	c := x.Cells[i]
	if c.Dim() == "month" {
		n := monthNumber(c.Value) - 1
		return n, n + 1
	}
	return end - c.Window, end
}
