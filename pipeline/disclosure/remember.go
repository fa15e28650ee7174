package disclosure

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/snapshots"
)

// past is what was printed of one measure of one skill, by cell without time.
type past struct {
	end      int // first month after people_as_of
	launch   int // all times before it are one
	entries  []ledger.Entry
	earlier  bool // something was printed at an earlier quarter end
	byCell   map[Cell]*ledger.Timeline
	lost     bool
	parentOf func(place string) string
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

// recall sorts the entries of a measure.
func recall(entries []ledger.Entry, m measure, r Rules, parentOf func(string) string) *past {
	p := &past{end: r.End, launch: r.Launch, lost: r.Book.Lost(), parentOf: parentOf}
	for _, e := range entries {
		if measure(e.Measure) == m {
			p.entries = append(p.entries, e)
			p.earlier = p.earlier || e.To-e.From >= 3 && e.To != r.End
		}
	}
	return p
}

// restrict takes out of the lattice what the ledger does not cover. Of cells with
// two filters only one window is printed once there is a history: a single window
// length rolled in steps that divide it leaves every window of every cell
// underivable by subtraction (T3), while two lengths do not; and months of places
// would tie the windows of one quarter to those of the next.
func (p *past) restrict(b *mask.Board) {
	for i, c := range b.Cells {
		two := c.Place != "" && c.Dim() != ""
		switch {
		case p.lost && c.Window != 12,
			c.Signature == snapshots.SigPlaceMonth,
			two && p.earlier && c.Window != 12:
			b.Block(i, mask.ReasonLedger)
		}
	}
}

// apply is T2: "before printing a new number it asks: with everything printed
// before, does any small group become a linear combination? If yes: null (also
// for a 0). Then run R2-R4 with those nulls as hidden."
func (p *past) apply(b *mask.Board) {
	p.restrict(b)
	order := p.order(b)
	groups := b.Groups()
	one := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return b.Cells[i].Place != "" && b.Cells[i].Dim() != "" })
	for {
		b.RunLines()
		if p.ownTime(b, one) || p.lines(b, groups) {
			continue
		}
		b.Run()
		if !p.ownTime(b, order) && !p.lines(b, groups) {
			return
		}
	}
}

// order is "total first, then children, windows 24, 12, 6, 3", then months.
func (p *past) order(b *mask.Board) []int {
	var order []int
	for i := range b.Cells {
		if !b.Unlisted[i] {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		a, c := b.Cells[x], b.Cells[y]
		return cmp.Or(cmp.Compare(c.Window, a.Window), cmp.Compare(a.Signature, c.Signature), cmp.Compare(a.Place, c.Place), cmp.Compare(c.Value, a.Value))
	})
	return order
}

// ownTime hides every number that would make a small interval of its own cell
// derivable, and fills the timelines with what was and will be printed.
func (p *past) ownTime(b *mask.Board, order []int) (changed bool) {
	p.byCell = map[Cell]*ledger.Timeline{}
	for _, e := range p.entries {
		p.timeline(Cell{Signature: e.Signature, Place: e.Place, Value: e.Value}).Print(max(e.From, p.launch), max(e.To, p.launch), e.N)
	}
	for _, i := range order {
		if b.Status[i] != mask.Shown {
			continue
		}
		from, to := b.Months(i, p.end)
		from, to = max(from, p.launch), max(to, p.launch)
		t := p.timeline(timeless(b.Cells[i]))
		if !t.Safe(from, to, b.Count[i]) {
			b.Hide(i, mask.ReasonLedger)
			changed = true
			continue
		}
		t.Print(from, to, b.Count[i])
	}
	return changed
}

func (p *past) timeline(c Cell) *ledger.Timeline {
	t := p.byCell[c]
	if t == nil {
		t = ledger.NewTimeline()
		p.byCell[c] = t
	}
	return t
}

// lines withholds new numbers of every line whose children could be told from
// their total and their siblings over time; the shortest windows go first, and 12
// months, which are safe alone, last.
func (p *past) lines(b *mask.Board, groups []*mask.Group) (changed bool) {
	for _, g := range groups {
		l := ledger.Line{Total: p.timeline(g.Total)}
		for _, k := range p.kids(g) {
			l.Kids = append(l.Kids, p.timeline(k))
		}
		if l.Leaks() && p.withhold(b, g) {
			changed = true
		}
	}
	return changed
}

// kids are the children of a line now, and those that were printed before and are
// asked no more.
func (p *past) kids(g *mask.Group) []Cell {
	kids, seen := slices.Clone(g.Kids), map[Cell]bool{}
	for _, k := range kids {
		seen[k] = true
	}
	for _, e := range p.entries {
		c := Cell{Signature: e.Signature, Place: e.Place, Value: e.Value}
		is := g.Dim != snapshots.SigPlace && e.Signature == g.Dim ||
			g.Dim == snapshots.SigPlace && e.Signature == snapshots.SigPlace && p.parentOf(e.Place) == g.Place
		if is && !seen[c] {
			seen[c] = true
			kids = append(kids, c)
		}
	}
	return kids
}

func (p *past) withhold(b *mask.Board, g *mask.Group) bool {
	block := func(cells ...int) (any bool) {
		for _, i := range cells {
			if b.Status[i] != mask.Blocked {
				b.Block(i, mask.ReasonLedger)
				any = true
			}
		}
		return any
	}
	windows := []int{3, 6, 24, 12}
	for _, w := range windows {
		if block(g.Cells[w]...) {
			return true
		}
	}
	for _, w := range windows {
		if i, ok := g.Totals[w]; ok && block(i) {
			return true
		}
	}
	return false
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
