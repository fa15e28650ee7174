package disclosure

import (
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
	series   bool // something was printed or kept back before, if only a small group
	cast     *cast
	board    []cellInTime         // those of the cast
	gone     map[Cell]*cellInTime // those that are asked no more, and totals that cannot be
	known    []*cellInTime        // of both those of which a number was printed before
	small    []ledger.Entry       // small groups of before
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

// nameOf is the cell that an entry is of, without a window.
func nameOf(e ledger.Entry) Cell {
	return Cell{Signature: e.Signature, Place: e.Place, Value: e.Value}
}

// recall sorts the entries of a measure, and the cells of its board, whose counts may be
// standing ones.
func recall(entries []ledger.Entry, m measure, r Rules, b *mask.Board, of *cast, standing bool) *past {
	p := &past{end: r.End, launch: r.Launch, lost: r.Book.Lost(), standing: standing, cast: of, board: make([]cellInTime, len(of.names)), gone: map[Cell]*cellInTime{}}
	for i, name := range of.names {
		p.board[i].name, p.board[i].at = name, of.at[i]
	}
	p.sort(entries, m)
	for _, g := range of.groups {
		p.groups = append(p.groups, p.groupLine(g, b))
	}
	p.findZeros(b)
	if p.earlier {
		p.rows = p.tableLines(b)
	}
	return p
}

// sort gives each cell the numbers of it that were printed, in their order.
func (p *past) sort(entries []ledger.Entry, m measure) {
	var numbers []int       // of the entries
	var cells []*cellInTime // of the numbers
	times := map[*cellInTime]int{}
	for i, e := range entries {
		if measure(e.Measure) != m {
			continue
		}
		p.series = p.series || e.To != p.end
		if e.Kind != ledger.Number {
			p.small = append(p.small, e)
			continue
		}
		p.earlier = p.earlier || e.To-e.From >= 3 && e.To != p.end
		c := p.cell(nameOf(e))
		if times[c]++; times[c] == 1 {
			p.known = append(p.known, c)
		}
		numbers, cells = append(numbers, i), append(cells, c)
	}
	room := make([]ledger.Entry, len(numbers))
	for _, c := range p.known {
		c.entries, room = room[:0:times[c]], room[times[c]:]
	}
	for k, i := range numbers {
		cells[k].entries = append(cells[k].entries, entries[i])
	}
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
