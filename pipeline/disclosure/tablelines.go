package disclosure

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/mask"
	"labour/snapshots"
)

// tableLine is a row or a column of the tables of places by another filter, over all
// times: a place by the values of the filter, or a value in a node of the place tree by
// the places directly below it. Its total may be printed in months and in windows that
// its cells are not, so that it says of one quarter what they say of years alone.
type tableLine struct {
	lineInTime
	at      []int // of the board: the kids, in public order; 24 months before 12
	months  []int // of the board: months of the total
	margins []int // of the board: windows of the total, in the order in which they are withheld
}

// tableLines are the rows and columns of a board that was printed before.
func (p *past) tableLines(b *mask.Board) []*tableLine {
	type key struct {
		total *cellInTime
		by    string // what splits it
	}
	at := map[key]*tableLine{}
	var out []*tableLine
	add := func(total Cell, kid *cellInTime, by string) {
		k := key{p.cell(total), by}
		l := at[k]
		if l == nil {
			l = &tableLine{lineInTime: lineInTime{total: k.total}}
			at[k], out = l, append(out, l)
		}
		l.kids, l.at = append(l.kids, kid), append(l.at, kid.at...)
	}
	for _, c := range p.twoFilters(b) {
		dim, above := c.name.Dim(), b.Above(c.name.Place)
		add(Cell{Signature: snapshots.SigPlace, Place: c.name.Place}, c, dim)
		add(Cell{Signature: mask.Signature(above, dim), Place: above, Value: c.name.Value}, c, snapshots.SigPlace)
	}
	for _, l := range out {
		l.find(b)
	}
	return out
}

// twoFilters are the cells of two filters of now and of before, in a fixed order.
func (p *past) twoFilters(b *mask.Board) []*cellInTime {
	out := make([]*cellInTime, 0, len(p.cast.two))
	for _, i := range p.cast.two {
		out = append(out, &p.board[i])
	}
	for _, c := range p.gone {
		if twoFilters(c.name) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y *cellInTime) int { return compareTwo(b.Index, x.name, y.name) })
	return out
}

// find finds what of the board is withheld for a line.
func (l *tableLine) find(b *mask.Board) {
	slices.SortStableFunc(l.at, func(i, j int) int { return cmp.Compare(b.Cells[j].Window, b.Cells[i].Window) })
	for _, w := range shortestFirst {
		for _, i := range l.total.at {
			if b.Cells[i].Window == w {
				l.margins = append(l.margins, i)
			}
		}
	}
	for _, i := range l.total.at {
		if b.Cells[i].Window == 1 {
			l.months = append(l.months, i)
		}
	}
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
func (l *tableLine) leaksWithout(p *past, b *mask.Board, one int) bool {
	now := l.timelines(p, b)
	k := slices.IndexFunc(l.kids, func(c *cellInTime) bool { return slices.Contains(c.at, one) })
	now[1+k] = p.without(b, l.kids[k], one)
	return leaks(now)
}
