package disclosure

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/overtime"
	"labour/snapshots"
)

// past is what was printed of one measure of one skill, and what it allows now.
type past struct {
	end    int // first month after people_as_of
	launch int // all times before it are one
	lost   bool
	// standing says that the counts are those of one time, which is for the ledger
	// the time from the beginning on.
	standing bool
	earlier  bool // something was printed at an earlier quarter end
	all      []ledger.Entry
	series   bool                 // something was printed or kept back before, if only a small group
	known    []*cellInTime        // those of which a number was printed before, in the order of the entries
	board    []*cellInTime        // those of the board
	cells    map[Cell]*cellInTime // both, and totals of rows and columns
	groups   []*groupLine
	rows     []*tableLine           // rows and columns of tables, once there is a history
	zeros    map[Cell][]zero        // of cells above others, printed before or counted now
	nobody   map[Cell]ledger.Nobody // of cells above others, as is printed now
	scopes   *overtime.Scopes       // of the audit over time
	before   []overtime.Fact        // what it knows from the ledger
	audit    *overtime.Audit        // its last one
}

// timeless names a cell whatever its time: a month belongs to the cell that it is
// a month of.
func timeless(c Cell) Cell {
	c.Window = 0
	switch c.Signature {
	case snapshots.SigMonth:
		c.Signature, c.Value = snapshots.SigNone, ""
	case snapshots.SigPlaceMonth:
		c.Signature, c.Value = snapshots.SigPlace, ""
	}
	return c
}

// recall sorts the entries of a measure, and the cells of its board.
func recall(entries []ledger.Entry, m measure, r Rules, b *mask.Board) *past {
	p := &past{end: r.End, launch: r.Launch, lost: r.Book.Lost(), cells: map[Cell]*cellInTime{}}
	for _, e := range entries {
		if measure(e.Measure) != m {
			continue
		}
		p.all = append(p.all, e)
		p.series = p.series || e.To != r.End
		if e.Kind != ledger.Number {
			continue
		}
		c := p.cell(Cell{Signature: e.Signature, Place: e.Place, Value: e.Value})
		if c.entries == nil {
			p.known = append(p.known, c)
		}
		c.entries = append(c.entries, e)
		p.earlier = p.earlier || e.To-e.From >= 3 && e.To != r.End
	}
	for _, i := range p.order(b) {
		c := p.cell(timeless(b.Cells[i]))
		if c.at == nil {
			p.board = append(p.board, c)
		}
		c.at = append(c.at, i)
	}
	for _, g := range b.Groups() {
		p.groups = append(p.groups, p.groupLine(g, b))
	}
	p.findZeros(b)
	if p.earlier {
		p.rows = p.tableLines(b)
	}
	return p
}

// order is "windows 24, 12, 6, 3", then months; of cells with two filters 12
// months come first.
func (p *past) order(b *mask.Board) []int {
	var order []int
	for i := range b.Cells {
		if !b.Unlisted[i] {
			order = append(order, i)
		}
	}
	rank := func(c Cell) int {
		if c.Place != "" && c.Dim() != "" && c.Window == 12 {
			return 25
		}
		return c.Window
	}
	slices.SortFunc(order, func(x, y int) int {
		a, c := b.Cells[x], b.Cells[y]
		return cmp.Or(cmp.Compare(rank(c), rank(a)), cmp.Compare(a.Signature, c.Signature), cmp.Compare(a.Place, c.Place), cmp.Compare(c.Value, a.Value))
	})
	return order
}

// restrict takes out of the lattice what cannot be printed once what was printed
// before is forgotten.
func (p *past) restrict(b *mask.Board) {
	for i, c := range b.Cells {
		if p.lost && (p.standing || c.Window != 12) {
			b.Block(i, mask.ReasonLedger)
		}
	}
}

// apply is T2: "before printing a new number it asks: with everything printed
// before, does any small group become a linear combination? If yes: null (also
// for a 0). Then run R2-R4 with those nulls as hidden."
func (p *past) apply(b *mask.Board) {
	p.restrict(b)
	for {
		b.RunLines()
		if p.ownTime(b, false) || hold(p, b, p.groups) {
			continue
		}
		b.Run()
		if !p.ownTime(b, true) && !hold(p, b, p.groups) && !hold(p, b, p.rows) {
			return
		}
	}
}

// printedEntries are the numbers of a board, for the ledger.
func printedEntries(b *mask.Board, m measure, end int) []ledger.Entry {
	var out []ledger.Entry
	for i, c := range b.Cells {
		if b.Status[i] == mask.Shown && !b.Unlisted[i] {
			from, to := b.Months(i, end)
			c = timeless(c)
			out = append(out, ledger.Entry{Measure: int(m), Signature: c.Signature, Place: c.Place, Value: c.Value, From: from, To: to, N: b.Count[i]})
		}
	}
	return out
}
