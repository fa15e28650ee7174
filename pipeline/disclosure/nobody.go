package disclosure

import (
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
	for c, entries := range p.entries {
		for _, e := range entries {
			if e.N == 0 {
				p.nobody[c] = append(p.nobody[c], empty{max(e.From, p.launch), max(e.To, p.launch), -1})
			}
		}
	}
	for i, n := range b.Count {
		if n == 0 && !b.Unlisted[i] {
			from, to := p.months(b, i)
			c := timeless(b.Cells[i])
			p.nobody[c] = append(p.nobody[c], empty{from, to, i})
		}
	}
}

// nobodyAbove tells the timeline of a cell when nobody can be in it, since nobody is in a
// cell above it: that joins its points of time with numbers of another cell.
func (p *past) nobodyAbove(b *mask.Board, name Cell, t *ledger.Timeline) {
	tell := func(above Cell) {
		for _, e := range p.nobody[above] {
			if e.at < 0 || b.Status[e.at] == mask.Shown {
				t.Print(e.from, e.to, 0)
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
