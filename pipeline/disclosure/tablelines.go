package disclosure

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/snapshots"
)

// tableLine is a row or a column of the tables of places by another filter, over all
// times: a place by the values of the filter, or a value in a node of the place tree by
// the places directly below it. Its total may be printed in months and in windows that
// its cells are not, so that it says of one quarter what they say of years alone.
type tableLine struct {
	total   Cell
	kids    []Cell // those of now, and those that were printed before and are asked no more
	at      []int  // of the board: the kids, in public order; 24 months before 12
	months  []int  // of the board: months of the total
	margins []int  // of the board: windows of the total, in the order in which they are withheld
	seen    []*ledger.Timeline
}

// tableLines are the rows and columns of a board that was printed before.
func (p *past) tableLines(b *mask.Board) []*tableLine {
	at := map[[2]string]*tableLine{} // by what is printed of their total, and by what splits it
	var out []*tableLine
	add := func(total, kid Cell, by string) {
		k := [2]string{total.Signature + "\x00" + total.Place + "\x00" + total.Value, by}
		l := at[k]
		if l == nil {
			l = &tableLine{total: total}
			at[k], out = l, append(out, l)
		}
		l.kids = append(l.kids, kid)
		if c := p.cells[kid]; c != nil {
			l.at = append(l.at, c.at...)
		}
	}
	for _, c := range p.twoFilters(b) {
		dim, above := c.Dim(), b.Above(c.Place)
		add(Cell{Signature: snapshots.SigPlace, Place: c.Place}, c, dim)
		add(Cell{Signature: mask.Signature(above, dim), Place: above, Value: c.Value}, c, snapshots.SigPlace)
	}
	for _, l := range out {
		l.find(p, b)
	}
	return out
}

// twoFilters are the cells of two filters of now and of before, in a fixed order.
func (p *past) twoFilters(b *mask.Board) (out []Cell) {
	for name, c := range p.cells {
		if c.two {
			out = append(out, name)
		}
	}
	for _, c := range p.known {
		if c.Place != "" && c.Dim() != "" && p.cells[c] == nil {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y Cell) int {
		return cmp.Or(cmp.Compare(x.Signature, y.Signature), b.Compare("place", x.Place, y.Place), b.Compare(x.Dim(), x.Value, y.Value))
	})
	return out
}

// find finds what of the board is withheld for a line.
func (l *tableLine) find(p *past, b *mask.Board) {
	slices.SortStableFunc(l.at, func(i, j int) int { return cmp.Compare(b.Cells[j].Window, b.Cells[i].Window) })
	total := p.cells[l.total]
	if total == nil {
		return
	}
	for _, w := range shortestFirst {
		for _, i := range total.at {
			if b.Cells[i].Window == w {
				l.margins = append(l.margins, i)
			}
		}
	}
	for _, i := range total.at {
		if b.Cells[i].Window == 1 {
			l.months = append(l.months, i)
		}
	}
}

// tables withholds new numbers of every row and column that says too much over time.
// A line of which nothing changed since it was found safe is passed over.
func (p *past) tables(b *mask.Board) (changed bool) {
	for _, l := range p.rows {
		all := []*ledger.Timeline{p.timeline(b, l.total)}
		for _, k := range l.kids {
			all = append(all, p.timeline(b, k))
		}
		if slices.Equal(all, l.seen) {
			continue
		}
		if (ledger.Line{Total: all[0], Kids: all[1:]}).Leaks() && l.withhold(p, b) {
			changed = true
			continue
		}
		l.seen = all
	}
	return changed
}

// withhold takes back the first single number of the line that suffices, or else all of
// them, then the months of the total, then its windows one after the other.
func (l *tableLine) withhold(p *past, b *mask.Board) bool {
	shown := slices.DeleteFunc(slices.Clone(l.at), func(i int) bool { return b.Status[i] != mask.Shown })
	for _, i := range shown {
		if b.Count[i] > 0 && !l.leaksWithout(p, b, i) {
			p.withhold(b, i)
			return true
		}
	}
	if len(shown) == 0 {
		shown = slices.DeleteFunc(slices.Clone(l.months), func(i int) bool { return b.Status[i] != mask.Shown })
	}
	for _, i := range l.margins {
		if len(shown) == 0 && b.Status[i] == mask.Shown {
			shown = []int{i}
		}
	}
	for _, i := range shown {
		p.withhold(b, i)
	}
	return len(shown) > 0
}

// leaksWithout says whether the line says too much without one of its numbers.
func (l *tableLine) leaksWithout(p *past, b *mask.Board, without int) bool {
	line := ledger.Line{Total: p.timeline(b, l.total)}
	for _, k := range l.kids {
		t := p.timeline(b, k)
		if k == timeless(b.Cells[without]) {
			t = p.before(k)
			p.nobodyAbove(b, k, t)
			for _, i := range p.cells[k].at {
				if i != without && b.Status[i] == mask.Shown {
					from, to := p.months(b, i)
					t.Print(from, to, b.Count[i])
				}
			}
		}
		line.Kids = append(line.Kids, t)
	}
	return line.Leaks()
}
