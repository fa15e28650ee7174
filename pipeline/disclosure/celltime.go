package disclosure

import (
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
)

// cellInTime is one cell over all its windows and months.
type cellInTime struct {
	name    Cell           // without a window
	entries []ledger.Entry // numbers that were printed before
	at      []int          // in the board; none of what is asked no more
	line    *ledger.Timeline
	seen    []mask.Status // of at, when line was made
}

// cell is the cell of a name, a new one if it is not of the board.
func (p *past) cell(name Cell) *cellInTime {
	if i, ok := p.cast.number[name]; ok {
		return &p.board[i]
	}
	c := p.gone[name]
	if c == nil {
		c = &cellInTime{name: name}
		p.gone[name] = c
	}
	return c
}

// ownTime hides every number that would make a small interval of its own cell
// derivable. Cells are independent of each other in this; those whose statuses
// are as they were are passed over.
func (p *past) ownTime(b *mask.Board, tables bool) (changed bool) {
	p.findNobody(b)
	for k := range p.board { // in any order: none depends on another
		c := &p.board[k]
		if !tables && twoFilters(c.name) || !c.moved(b) {
			continue
		}
		c.line = p.remembered(b, c)
		for _, i := range c.at {
			if b.Status[i] != mask.Shown {
				continue
			}
			from, to := p.months(b, i)
			if p.follows(c, b.Cells[i], from, to) && c.line.Safe(from, to, b.Count[i]) {
				c.line.Print(from, to, b.Count[i])
				continue
			}
			changed = true
			if b.Count[i] == 0 {
				b.Block(i, mask.ReasonLedger) // nothing says that it is at least 5
			} else {
				b.Hide(i, mask.ReasonLedger)
			}
		}
		c.note(b)
	}
	return changed
}

// follows is the rule for cells of two filters. Numbers of 12 months may be rolled
// in steps that divide them: each reaches one new point of time, and is
// independent of all others (T3). Once there is a history, one of 24 months is
// printed only where it follows from two of them, and so says nothing new.
func (p *past) follows(c *cellInTime, name Cell, from, to int) bool {
	if !twoFilters(c.name) || name.Window == 12 || !p.earlier {
		return true
	}
	_, ok := c.line.Between(from, to)
	return ok
}

// moved says that the statuses are not those that the timeline was made from.
func (c *cellInTime) moved(b *mask.Board) bool {
	if c.line == nil {
		return true
	}
	for k, i := range c.at {
		if b.Status[i] != c.seen[k] {
			return true
		}
	}
	return false
}

func (c *cellInTime) note(b *mask.Board) {
	c.seen = c.seen[:0]
	for _, i := range c.at {
		c.seen = append(c.seen, b.Status[i])
	}
}

func (p *past) months(b *mask.Board, i int) (from, to int) {
	if p.standing {
		return 0, p.end
	}
	from, to = b.Months(i, p.end)
	return max(from, p.launch), max(to, p.launch)
}

// remembered is the timeline of a cell as it was printed before, with when nobody can be in
// it as the board stands.
func (p *past) remembered(b *mask.Board, c *cellInTime) *ledger.Timeline {
	t := ledger.NewTimeline()
	for _, e := range c.entries {
		t.Print(max(e.From, p.launch), max(e.To, p.launch), e.N)
	}
	p.nobodyAbove(b, c.name, t)
	return t
}

// timeline is that of a cell of the board, as ownTime made it, or of one that is asked
// no more.
func (p *past) timeline(b *mask.Board, c *cellInTime) *ledger.Timeline {
	if c.line == nil {
		c.line = p.remembered(b, c)
	}
	return c.line
}

// without is the timeline of a cell of the board as it stands, without one of its numbers.
func (p *past) without(b *mask.Board, c *cellInTime, one int) *ledger.Timeline {
	t := p.remembered(b, c)
	for _, i := range c.at {
		if i != one && b.Status[i] == mask.Shown {
			from, to := p.months(b, i)
			t.Print(from, to, b.Count[i])
		}
	}
	return t
}
