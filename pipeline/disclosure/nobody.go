package disclosure

import (
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
)

// zero is a count of 0: the time in which nobody was in a cell.
type zero struct {
	from, to int
	at       int // of the board; -1 = printed before
}

// findZeros finds what of the cells that have cells below them is a 0, printed before or
// counted now, once there is a history.
func (p *past) findZeros(b *mask.Board) {
	p.zeros = map[Cell][]zero{}
	if !p.earlier {
		return
	}
	above := func(c Cell) bool { return c.Place == "" || c.Dim() == "" || len(b.Tree.Kids[c.Place]) > 0 }
	for _, c := range p.known {
		if !above(c.name) {
			continue
		}
		for _, e := range c.entries {
			if e.N == 0 {
				p.zeros[c.name] = append(p.zeros[c.name], zero{max(e.From, p.launch), max(e.To, p.launch), -1})
			}
		}
	}
	for i, n := range b.Count {
		if c := timeless(b.Cells[i]); n == 0 && !b.Unlisted[i] && above(c) {
			from, to := p.months(b, i)
			p.zeros[c] = append(p.zeros[c], zero{from, to, i})
		}
	}
}

// findNobody finds when nobody is in a cell, of the zeros that are printed as they stand.
func (p *past) findNobody(b *mask.Board) {
	p.nobody = map[Cell]ledger.Nobody{}
	for c, zeros := range p.zeros { // in any order: none depends on another
		var nobody ledger.Nobody
		for _, z := range zeros {
			if z.at < 0 || b.Status[z.at] == mask.Shown {
				nobody.Add(z.from, z.to)
			}
		}
		p.nobody[c] = nobody
	}
}

// nobodyAbove tells the timeline of a cell when nobody can be in it, since nobody is in a
// cell above it: that joins its points of time with numbers of another cell.
func (p *past) nobodyAbove(b *mask.Board, name Cell, t *ledger.Timeline) {
	tell := func(above Cell) {
		for _, s := range p.nobody[above] {
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
