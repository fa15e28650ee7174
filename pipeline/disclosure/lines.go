package disclosure

import (
	"slices"

	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/snapshots"
)

// lineInTime is a total and its children over all times.
type lineInTime struct {
	total *cellInTime
	kids  []*cellInTime      // those of now, and those that were printed before and are asked no more
	seen  []*ledger.Timeline // of the total and the kids, when the line was found safe
}

// timelines are those of the total and of the kids.
func (l *lineInTime) timelines(p *past, b *mask.Board) []*ledger.Timeline {
	all := make([]*ledger.Timeline, 0, 1+len(l.kids))
	all = append(all, p.timeline(b, l.total))
	for _, k := range l.kids {
		all = append(all, p.timeline(b, k))
	}
	return all
}

// leaks says that a child could be told from the total and its siblings over time.
func leaks(timelines []*ledger.Timeline) bool {
	return ledger.Line{Total: timelines[0], Kids: timelines[1:]}.Leaks()
}

// heldLine is a line that is held over time: of one filter, or a row or column of a table.
type heldLine interface {
	inTime() *lineInTime
	// withhold takes something new of the line back; false when there is nothing left.
	withhold(p *past, b *mask.Board) bool
}

func (l *lineInTime) inTime() *lineInTime { return l }

// hold withholds new numbers of every line that says too much over time. A line of which
// nothing changed since it was found safe is passed over.
func hold[L heldLine](p *past, b *mask.Board, lines []L) (changed bool) {
	for _, l := range lines {
		in := l.inTime()
		now := in.timelines(p, b)
		if slices.Equal(now, in.seen) {
			continue
		}
		if leaks(now) && l.withhold(p, b) {
			changed = true
			continue
		}
		in.seen = now
	}
	return changed
}

// groupLine is a line of one filter over all times.
type groupLine struct {
	*mask.Group
	lineInTime
	months []int // of the board: months of the children
}

// groupLine finds what belongs to a line at any time.
func (p *past) groupLine(g *mask.Group, b *mask.Board) *groupLine {
	l := &groupLine{Group: g, lineInTime: lineInTime{total: p.cell(g.Total)}}
	seen := map[Cell]bool{}
	for _, k := range g.Kids {
		seen[k] = true
		kid := p.cell(k)
		l.kids = append(l.kids, kid)
		if g.Dim != snapshots.SigPlace {
			continue
		}
		for _, i := range kid.at {
			if b.Cells[i].Window == 1 {
				l.months = append(l.months, i)
			}
		}
	}
	for _, c := range p.known {
		is := g.Dim != snapshots.SigPlace && c.name.Signature == g.Dim ||
			g.Dim == snapshots.SigPlace && c.name.Signature == snapshots.SigPlace && b.Above(c.name.Place) == g.Place
		if is && !seen[c.name] {
			l.kids = append(l.kids, c)
		}
	}
	return l
}

// withhold takes back months first, then the shortest windows, and 12 months, which are
// safe alone, last.
func (g *groupLine) withhold(_ *past, b *mask.Board) bool {
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
