package disclosure

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/overtime"
	"labour/snapshots"
)

// decide is what is shown of one measure: the rules in the light of the ledger, the
// audit of the series that the snapshot ends, and the audit of the snapshot. Each only
// withholds, which frees groups and pins none.
func (p *past) decide(b *mask.Board, limits gate.Limits, audit func() gate.Report) gate.Report {
	p.apply(b)
	var errs []string
	if limits.Unknowns >= 0 && !p.standing {
		if err := p.auditSeries(b); err != nil {
			errs = append(errs, err.Error())
			p.nothingNew(b)
		}
	}
	report := audit()
	report.Errors = append(report.Errors, errs...)
	if p.audit != nil && p.series {
		report.Systems, report.NotAudited = report.Systems+p.audit.Systems(), report.NotAudited+p.audit.Skipped
	}
	return report
}

// auditSeries withholds until no small group of any quarter end has one value alone
// under all that was printed before and all that would be printed now.
func (p *past) auditSeries(b *mask.Board) error {
	p.scopes = overtime.Choose(b, overtime.Limits{})
	before := p.facts(b, false)
	for {
		targets := p.targets(b)
		p.audit = p.scopes.New(p.facts(b, true, before...), targets)
		if !p.series {
			return nil // the audit of the snapshot is all
		}
		pinned, err := p.audit.Pinned(targets)
		if err != nil || len(pinned) == 0 {
			return err
		}
		if err := p.free(b, pinned); err != nil {
			return err
		}
		p.apply(b)
	}
}

// nothingNew is the last resort, "always safe".
func (p *past) nothingNew(b *mask.Board) {
	for i := range b.Cells {
		b.Block(i, mask.ReasonLedger)
	}
}

var errPinned = errors.New("a small group is pinned by what was printed before alone")

// free withholds something new on account of each pinned group: what costs least and
// frees it, with what is withheld for those before it.
func (p *past) free(b *mask.Board, pinned []overtime.Target) error {
	slices.SortFunc(pinned, compareTargets)
	withheld := map[int]bool{}
	for _, t := range pinned {
		if free, err := p.frees(t, withheld, nil); err != nil || free {
			if err != nil {
				return err
			}
			continue
		}
		if err := p.freeOne(b, t, withheld); err != nil {
			return err
		}
	}
	if len(withheld) == 0 {
		return errPinned
	}
	for i := range withheld {
		p.withhold(b, i)
	}
	return nil
}

// freeOne adds to what is withheld.
func (p *past) freeOne(b *mask.Board, t overtime.Target, withheld map[int]bool) error {
	single, whole := p.bundles(b, t, withheld)
	for _, bundle := range slices.Concat(single, growing(single), whole, growing(whole)) {
		free, err := p.frees(t, withheld, bundle)
		if err != nil {
			return err
		}
		if free {
			maps.Copy(withheld, bundle)
			return nil
		}
	}
	return errPinned
}

func (p *past) frees(t overtime.Target, withheld, more map[int]bool) (bool, error) {
	without := maps.Clone(withheld)
	maps.Copy(without, more)
	return p.audit.Frees(t, without)
}

// growing are the first 2, 4, 8 ... bundles together, and all of them.
func growing(bundles []map[int]bool) (out []map[int]bool) {
	all := map[int]bool{}
	for i, bundle := range bundles {
		maps.Copy(all, bundle)
		if n := i + 1; n > 1 && (n&(n-1) == 0 || n == len(bundles)) {
			out = append(out, maps.Clone(all))
		}
	}
	return out
}

// withhold takes a number or "<5" back. Only a number can be hidden as a cover is.
func (p *past) withhold(b *mask.Board, i int) {
	if b.Status[i] == mask.Shown && b.Count[i] > 0 {
		b.Hide(i, mask.ReasonLedger)
	} else {
		b.Block(i, mask.ReasonLedger)
	}
}

func compareTargets(a, b overtime.Target) int {
	return cmp.Or(cmp.Compare(a.Cell.Signature, b.Cell.Signature), cmp.Compare(a.Cell.Place, b.Cell.Place), cmp.Compare(a.Cell.Value, b.Cell.Value),
		cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// mostSingle is how many single numbers are tried for one group.
const mostSingle = 24

// bundles are what may be withheld for a group, what costs least first: single numbers
// of the lines and the table that it is in, then those in one window, then a total, then
// everything.
func (p *past) bundles(b *mask.Board, t overtime.Target, withheld map[int]bool) (single, whole []map[int]bool) {
	printed := func(i int) bool { return !withheld[i] && (b.Status[i] == mask.Shown || b.Status[i] == mask.Small) }
	together := func(cells []int) {
		bundle := map[int]bool{}
		for _, i := range cells {
			if !printed(i) {
				continue
			}
			bundle[i] = true
			if from, to := b.Months(i, p.end); b.Status[i] == mask.Shown && b.Count[i] > 0 && from < t.To && t.From < to && len(single) < mostSingle {
				single = append(single, map[int]bool{i: true})
			}
		}
		if len(bundle) > 0 {
			whole = append(whole, bundle)
		}
	}
	windows := []int{3, 6, 24, 12}
	for _, w := range windows {
		for _, g := range p.groups {
			if g.about(b, t.Cell) {
				together(g.Cells[w])
			}
		}
		if t.Cell.Place != "" && t.Cell.Dim() != "" {
			together(p.table(b, t.Cell, w))
		}
	}
	for _, w := range windows {
		for _, g := range p.groups {
			if i, ok := g.Totals[w]; ok && g.about(b, t.Cell) {
				whole = append(whole, map[int]bool{i: true})
			}
		}
	}
	every := map[int]bool{}
	for i := range b.Cells {
		if printed(i) && !b.Unlisted[i] {
			every[i] = true
		}
	}
	return single, append(whole, every)
}

// table are the cells of the table of a cell of two filters in a window.
func (p *past) table(b *mask.Board, of Cell, window int) (cells []int) {
	for i, c := range b.Cells {
		if c.Window == window && c.Dim() == of.Dim() && c.Place != "" && b.Above(c.Place) == b.Above(of.Place) && !b.Unlisted[i] {
			cells = append(cells, i)
		}
	}
	slices.SortFunc(cells, func(i, j int) int {
		return cmp.Or(cmp.Compare(b.Cells[i].Place, b.Cells[j].Place), cmp.Compare(b.Cells[i].Value, b.Cells[j].Value))
	})
	return cells
}

// about says that a cell is the total or a child of the line, or below one.
func (g *lineInTime) about(b *mask.Board, c Cell) bool {
	if g.Dim == snapshots.SigPlace {
		return c.Place != "" && g.Place == b.Above(c.Place) || c.Dim() == "" && c.Place == g.Place
	}
	return c.Dim() == g.Dim || c.Place == "" && c.Dim() == ""
}

// facts are what was printed before, and with that what would be printed now, in
// whole quarters: three months of one are a quarter.
func (p *past) facts(b *mask.Board, now bool, before ...overtime.Fact) []overtime.Fact {
	c := &collected{past: p, facts: slices.Clone(before), months: map[Cell]map[int]overtime.Fact{}}
	if !now {
		for _, e := range p.all {
			if e.Kind != ledger.SmallHidden {
				c.add(overtime.Fact{Cell: Cell{Signature: e.Signature, Place: e.Place, Value: e.Value}, From: e.From, To: e.To, N: e.N, Small: e.Kind == ledger.Small, At: -1})
			}
		}
		return c.facts
	}
	for _, f := range before {
		c.month(f)
	}
	for i := range b.Cells {
		if b.Unlisted[i] || b.Status[i] != mask.Shown && b.Status[i] != mask.Small {
			continue
		}
		from, to := b.Months(i, p.end)
		f := overtime.Fact{Cell: timeless(b.Cells[i]), From: from, To: to, At: i}
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
	facts  []overtime.Fact
	months map[Cell]map[int]overtime.Fact
}

// add keeps what an affordable system may take.
func (c *collected) add(f overtime.Fact) {
	f.From = max(f.From, c.launch)
	if f.To <= c.end-longestWindow || f.From >= f.To || !c.scopes.Hold(f.Cell) {
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

// longestWindow is the longest window in months: what ended before it began shares no
// person with what is printed now.
const longestWindow = 24

// whole says that a span is one of whole quarters up to a quarter end, or begins at
// launch.
func (p *past) whole(from, to int) bool {
	return (p.end-to)%3 == 0 && ((p.end-from)%3 == 0 || from == p.launch)
}

// targets are the small groups of every quarter end that can still be told from
// what is printed now.
func (p *past) targets(b *mask.Board) []overtime.Target {
	seen := map[overtime.Target]bool{}
	var out []overtime.Target
	add := func(t overtime.Target) {
		if t.From = max(t.From, p.launch); t.To > p.end-longestWindow && t.From < t.To && p.whole(t.From, t.To) && p.scopes.Hold(t.Cell) && !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	for _, e := range p.all {
		if e.Kind != ledger.Number {
			add(overtime.Target{Cell: Cell{Signature: e.Signature, Place: e.Place, Value: e.Value}, From: e.From, To: e.To})
		}
	}
	for i, c := range b.Cells {
		if !b.Unlisted[i] && c.Window > 1 && b.Count[i] != 0 && mask.IsSmall(b.Count[i]) {
			from, to := b.Months(i, p.end)
			add(overtime.Target{Cell: timeless(c), From: from, To: to})
		}
	}
	slices.SortFunc(out, compareTargets)
	return out
}

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
