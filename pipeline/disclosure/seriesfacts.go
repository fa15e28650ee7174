package disclosure

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/overtime"
)

// printedBefore are the facts of the ledger that an affordable system may take.
func (p *past) printedBefore() (facts []overtime.Fact) {
	for _, c := range p.known {
		for _, e := range c.entries {
			if !p.scopes.Hold(c.name) {
				break
			}
			facts = append(facts, overtime.Fact{Cell: c.name, From: e.From, To: e.To, N: e.N, At: -1})
		}
	}
	for _, e := range p.small {
		if c := nameOf(e); e.Kind == ledger.Small && p.scopes.Hold(c) {
			facts = append(facts, overtime.Fact{Cell: c, From: e.From, To: e.To, Small: true, At: -1})
		}
	}
	return facts
}

// facts are what was printed before and what would be printed now, as far as it ended
// after since, in whole quarters: three months of one are a quarter.
func (p *past) facts(b *mask.Board, since int) []overtime.Fact {
	c := &collected{past: p, since: since, months: map[Cell]map[int]overtime.Fact{}}
	for _, f := range p.before {
		c.add(f)
	}
	for i := range b.Cells {
		name := timeless(b.Cells[i])
		if b.Unlisted[i] || b.Status[i] != mask.Shown && b.Status[i] != mask.Small || !p.scopes.Hold(name) {
			continue
		}
		from, to := b.Months(i, p.end)
		f := overtime.Fact{Cell: name, From: from, To: to, At: i}
		if f.Small = b.Status[i] == mask.Small; !f.Small {
			f.N = b.Count[i]
		}
		c.add(f)
	}
	c.quarters()
	facts := slices.DeleteFunc(c.facts, func(f overtime.Fact) bool { return !p.whole(f.From, f.To) })
	slices.SortFunc(facts, func(a, b overtime.Fact) int {
		return cmp.Or(cmp.Compare(a.Cell.Signature, b.Cell.Signature), cmp.Compare(a.Cell.Place, b.Cell.Place), cmp.Compare(a.Cell.Value, b.Cell.Value),
			cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.N, b.N), cmp.Compare(a.At, b.At))
	})
	return facts
}

// collected are facts as they come in.
type collected struct {
	*past
	since  int // nothing that ended up to then is taken
	facts  []overtime.Fact
	months map[Cell]map[int]overtime.Fact
}

func (c *collected) add(f overtime.Fact) {
	f.From = max(f.From, c.launch)
	if f.To <= c.since || f.From >= f.To {
		return
	}
	c.facts = append(c.facts, f)
	c.month(f)
}

// month notes a printed month.
func (c *collected) month(f overtime.Fact) {
	if f.To-f.From != 1 || f.Small {
		return
	}
	if c.months[f.Cell] == nil {
		c.months[f.Cell] = map[int]overtime.Fact{}
	}
	c.months[f.Cell][f.From] = f
}

// quarters adds up three months of a quarter.
func (c *collected) quarters() {
	for _, printed := range c.months {
		for from, f := range printed {
			two, three := printed[from+1], printed[from+2]
			if two.To == 0 || three.To == 0 || !c.whole(from, from+3) {
				continue
			}
			f.To, f.N, f.At = from+3, f.N+two.N+three.N, max(f.At, two.At, three.At)
			c.facts = append(c.facts, f)
		}
	}
}

// longestWindow is the longest window in months. What ended before it began shares no
// person with what is printed now, and yet may be told from it: by what was printed
// in between, which shares people with both.
const longestWindow = 24

// look is the audit of a series as far back as what ended after since.
type look struct {
	since   int
	targets []overtime.Target // that are asked
	audit   *overtime.Audit
}

// look looks back so far; what is beyond help is not asked.
func (p *past) look(b *mask.Board, since int, beyond map[overtime.Target]bool) look {
	targets := slices.DeleteFunc(p.targets(b, since), func(t overtime.Target) bool { return beyond[t] })
	return look{since, targets, p.scopes.New(p.facts(b, since), targets)}
}

// lookBack looks as far back as the audit of the series goes: to launch, or to two years or
// one before the longest window, whichever its systems can take without becoming
// narrower than those of that window alone, which they always hold, and without old
// numbers that fit those of now no longer, since people have moved.
func (p *past) lookBack(b *mask.Board) look {
	least := p.end - longestWindow
	if p.launch >= least {
		return p.look(b, p.launch, nil)
	}
	narrow := p.look(b, least, nil)
	for _, since := range []int{p.launch, least - longestWindow, least - longestWindow/2} {
		if long := p.look(b, max(p.launch, since), nil); asWide(b, long.audit, narrow.audit) && (long.audit.Fits() || !narrow.audit.Fits()) {
			return long
		}
	}
	return narrow
}

// asWide says that one audit takes the cells of a board in systems as wide as another.
func asWide(b *mask.Board, one, other *overtime.Audit) bool {
	return one.Systems() == other.Systems() && !slices.ContainsFunc(b.Cells, func(c Cell) bool { return one.Holds(c) != other.Holds(c) })
}

// whole says that a span is one of whole quarters up to a quarter end, or begins at
// launch.
func (p *past) whole(from, to int) bool {
	return (p.end-to)%3 == 0 && ((p.end-from)%3 == 0 || from == p.launch)
}

// targets are the small groups of every quarter end after since, and what the quarter ends
// to come may make one of, as far as it has passed.
func (p *past) targets(b *mask.Board, since int) []overtime.Target {
	seen := map[overtime.Target]bool{}
	var out []overtime.Target
	add := func(t overtime.Target) {
		if t.From = max(t.From, p.launch); t.To > since && t.From < t.To && p.whole(t.From, t.To) && p.scopes.Hold(t.Cell) && !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	for _, e := range p.small {
		add(overtime.Target{Cell: nameOf(e), From: e.From, To: e.To})
	}
	for i, c := range b.Cells {
		if !b.Unlisted[i] && c.Window > 1 && b.Count[i] != 0 && mask.IsSmall(b.Count[i]) {
			from, to := b.Months(i, p.end)
			add(overtime.Target{Cell: timeless(c), From: from, To: to})
		}
		if !b.Unlisted[i] && p.mayShrink(b, i) {
			from, to := b.Months(i, p.end)
			for from += 3; from < to-c.Window/2; from += 3 {
				add(overtime.Target{Cell: timeless(c), From: from, To: to, Ahead: true})
			}
		}
	}
	slices.SortFunc(out, compareTargets)
	return out
}

// mayShrink says that a window of a year or two, as it is at the quarter ends up to half
// its length from now, may hold 4 people or fewer: what it holds of a shorter window is
// no more than that. Cells
// of two filters have no window of six months: of those with many people in a year it is
// taken that they do not come down to 4.
func (p *past) mayShrink(b *mask.Board, i int) bool {
	c := b.Cells[i]
	if c.Window < 12 || b.Count[i] < mostSmall {
		return false
	}
	c.Window /= 2
	if inner := b.Find(c); inner >= 0 {
		return b.Count[inner] <= mostSmall
	}
	return b.Count[i] <= 2*mostSmall
}

// mostSmall is the largest small group.
const mostSmall = 4

// smallEntries are the small groups of a board, for the ledger: those printed as
// "<5", and the others of the systems that are audited.
func (p *past) smallEntries(b *mask.Board, m measure) []ledger.Entry {
	var out []ledger.Entry
	if p.audit == nil {
		return out // nothing is audited
	}
	for i, c := range b.Cells {
		if b.Unlisted[i] || c.Window == 1 || b.Count[i] == 0 || !mask.IsSmall(b.Count[i]) || !p.audit.Holds(c) {
			continue
		}
		kind := ledger.SmallHidden
		if b.Status[i] == mask.Small {
			kind = ledger.Small
		}
		from, to := b.Months(i, p.end)
		c = timeless(c)
		out = append(out, ledger.Entry{Measure: int(m), Signature: c.Signature, Place: c.Place, Value: c.Value, From: from, To: to, Kind: kind})
	}
	return out
}
