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
	earlier  bool                    // something was printed at an earlier quarter end
	entries  map[Cell][]ledger.Entry // numbers
	all      []ledger.Entry
	series   bool                 // something was printed or kept back before, if only a small group
	known    []Cell               // cells of the entries, in their order
	cells    map[Cell]*cellInTime // those of the board
	groups   []*lineInTime
	rows     []*tableLine           // rows and columns of tables, once there is a history
	zeros    map[Cell][]zero        // of cells above others, printed before or counted now
	nobody   map[Cell]ledger.Nobody // of cells above others, as is printed now
	scopes   *overtime.Scopes       // of the audit over time
	since    int                    // it knows of nothing that ended up to then
	audit    *overtime.Audit        // its last one
}

// cellInTime is one cell over all its windows and months.
type cellInTime struct {
	at   []int // in the board: "windows 24, 12, 6, 3", then months
	two  bool  // a place and another filter
	line *ledger.Timeline
	seen []mask.Status // of at, when line was made
}

// lineInTime is a line with its children over all times.
type lineInTime struct {
	*mask.Group
	kids   []Cell // those of now, and those that were printed before and are asked no more
	months []int  // months of the children
	seen   []*ledger.Timeline
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
	p := &past{end: r.End, launch: r.Launch, lost: r.Book.Lost(), entries: map[Cell][]ledger.Entry{}, cells: map[Cell]*cellInTime{}}
	for _, e := range entries {
		if measure(e.Measure) != m {
			continue
		}
		p.all = append(p.all, e)
		p.series = p.series || e.To != r.End
		if e.Kind != ledger.Number {
			continue
		}
		c := Cell{Signature: e.Signature, Place: e.Place, Value: e.Value}
		if p.entries[c] == nil {
			p.known = append(p.known, c)
		}
		p.entries[c] = append(p.entries[c], e)
		p.earlier = p.earlier || e.To-e.From >= 3 && e.To != r.End
	}
	for _, i := range p.order(b) {
		name := timeless(b.Cells[i])
		c := p.cells[name]
		if c == nil {
			c = &cellInTime{two: name.Place != "" && name.Dim() != ""}
			p.cells[name] = c
		}
		c.at = append(c.at, i)
	}
	for _, g := range b.Groups() {
		p.groups = append(p.groups, p.lineInTime(g, b))
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

// lineInTime finds what belongs to a line at any time.
func (p *past) lineInTime(g *mask.Group, b *mask.Board) *lineInTime {
	l := &lineInTime{Group: g, kids: slices.Clone(g.Kids)}
	seen := map[Cell]bool{}
	for _, k := range g.Kids {
		seen[k] = true
		if g.Dim != snapshots.SigPlace {
			continue
		}
		for _, i := range p.cells[k].at {
			if b.Cells[i].Window == 1 {
				l.months = append(l.months, i)
			}
		}
	}
	for _, c := range p.known {
		is := g.Dim != snapshots.SigPlace && c.Signature == g.Dim ||
			g.Dim == snapshots.SigPlace && c.Signature == snapshots.SigPlace && b.Above(c.Place) == g.Place
		if is && !seen[c] {
			l.kids = append(l.kids, c)
		}
	}
	return l
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
		if p.ownTime(b, false) || p.lines(b) {
			continue
		}
		b.Run()
		if !p.ownTime(b, true) && !p.lines(b) && !p.tables(b) {
			return
		}
	}
}

// ownTime hides every number that would make a small interval of its own cell
// derivable. Cells are independent of each other in this; those whose statuses
// are as they were are passed over.
func (p *past) ownTime(b *mask.Board, tables bool) (changed bool) {
	p.findNobody(b)
	for name, c := range p.cells { // in any order: none depends on another
		if c.two && !tables || !c.moved(b) {
			continue
		}
		c.line = p.before(name)
		p.nobodyAbove(b, name, c.line)
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
	if !c.two || name.Window == 12 || !p.earlier {
		return true
	}
	_, ok := c.line.Between(from, to)
	return ok
}

func (p *past) months(b *mask.Board, i int) (from, to int) {
	if p.standing {
		return 0, p.end
	}
	from, to = b.Months(i, p.end)
	return max(from, p.launch), max(to, p.launch)
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

// before is the timeline of a cell as it was printed before.
func (p *past) before(name Cell) *ledger.Timeline {
	t := ledger.NewTimeline()
	for _, e := range p.entries[name] {
		t.Print(max(e.From, p.launch), max(e.To, p.launch), e.N)
	}
	return t
}

// timeline is that of a cell of the board, or of one that is asked no more.
func (p *past) timeline(b *mask.Board, name Cell) *ledger.Timeline {
	c := p.cells[name]
	if c == nil {
		c = &cellInTime{line: p.before(name)}
		p.nobodyAbove(b, name, c.line)
		p.cells[name] = c
	}
	return c.line
}

// lines withholds new numbers of every line whose children could be told from
// their total and their siblings over time: months go first, then the shortest
// windows, and 12 months, which are safe alone, last. A line of which nothing
// changed since it was found safe is passed over.
func (p *past) lines(b *mask.Board) (changed bool) {
	for _, g := range p.groups {
		l := ledger.Line{Total: p.timeline(b, g.Total)}
		all := []*ledger.Timeline{l.Total}
		for _, k := range g.kids {
			l.Kids = append(l.Kids, p.timeline(b, k))
		}
		if all = append(all, l.Kids...); slices.Equal(all, g.seen) {
			continue
		}
		if l.Leaks() && g.withhold(b) {
			changed = true
			continue
		}
		g.seen = all
	}
	return changed
}

func (g *lineInTime) withhold(b *mask.Board) bool {
	block := func(cells ...int) (any bool) {
		for _, i := range cells {
			if b.Status[i] != mask.Blocked {
				b.Block(i, mask.ReasonLedger)
				any = true
			}
		}
		return any
	}
	if block(g.months...) {
		return true
	}
	for _, w := range shortestFirst {
		if block(g.Cells[w]...) {
			return true
		}
	}
	for _, w := range shortestFirst {
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
