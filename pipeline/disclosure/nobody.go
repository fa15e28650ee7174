package disclosure

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
)

// empty is a time in which nobody was in a cell, as was printed.
type empty struct {
	from, to int
	at       int // of the board; -1 = printed before
}

// findNobody finds what of the cells that have cells below them is a 0, printed before or
// counted now, once there is a history.
func (p *past) findNobody(b *mask.Board) {
	p.nobody = map[Cell][]empty{}
	if !p.earlier {
		return
	}
	above := func(c Cell) bool { return c.Place == "" || c.Dim() == "" || len(b.Tree.Kids[c.Place]) > 0 }
	for c, entries := range p.entries {
		if !above(c) {
			continue
		}
		for _, e := range entries {
			if e.N == 0 {
				p.nobody[c] = append(p.nobody[c], empty{max(e.From, p.launch), max(e.To, p.launch), -1})
			}
		}
	}
	for i, n := range b.Count {
		if n == 0 && !b.Unlisted[i] && above(timeless(b.Cells[i])) {
			from, to := p.months(b, i)
			c := timeless(b.Cells[i])
			p.nobody[c] = append(p.nobody[c], empty{from, to, i})
		}
	}
}

// mergeNobody joins the times that are printed as they stand, those that touch to one.
func (p *past) mergeNobody(b *mask.Board) {
	p.empty = map[Cell][][2]int{}
	for c, all := range p.nobody { // in any order: none depends on another
		var spans [][2]int
		for _, e := range all {
			if e.at < 0 || b.Status[e.at] == mask.Shown {
				spans = append(spans, [2]int{e.from, e.to})
			}
		}
		slices.SortFunc(spans, func(x, y [2]int) int { return cmp.Compare(x[0], y[0]) })
		var merged [][2]int
		for _, s := range spans {
			if n := len(merged); n > 0 && s[0] <= merged[n-1][1] {
				merged[n-1][1] = max(merged[n-1][1], s[1])
				continue
			}
			merged = append(merged, s)
		}
		p.empty[c] = merged
	}
}

// nobodyAbove tells the timeline of a cell when nobody can be in it, since nobody is in a
// cell above it: that joins its points of time with numbers of another cell.
func (p *past) nobodyAbove(b *mask.Board, name Cell, t *ledger.Timeline) {
	tell := func(above Cell) {
		for _, s := range p.empty[above] {
			if name.Place == "" || name.Dim() == "" || s[1]-s[0] >= 3 { // others have no months
				t.Print(s[0], s[1], 0)
			}
		}
	}
	dim := name.Dim()
	for place := name.Place; ; place = b.Above(place) {
		if place != name.Place {
			tell(Cell{Signature: mask.Signature(place, dim), Place: place, Value: name.Value})
		}
		if dim != "" {
			tell(Cell{Signature: mask.Signature(place, ""), Place: place})
		}
		if place == "" {
			return
		}
	}
}
