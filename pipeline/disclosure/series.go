package disclosure

import (
	"cmp"
	"maps"
	"slices"

	"labour/pipeline/disclosure/gate"
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
	p.before = p.printedBefore()
	beyond := map[overtime.Target]bool{}
	for l := p.lookBack(b); ; l = p.look(b, l.since, beyond) {
		p.audit = l.audit
		if !p.series {
			return nil // the audit of the snapshot is all
		}
		pinned, err := p.audit.Pinned(l.targets)
		if err != nil || len(pinned) == 0 {
			return err
		}
		if err := p.free(b, pinned, beyond); err != nil {
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

// free withholds something new on account of each pinned group: what costs least and
// frees it, with what is withheld for those before it. A group that what was printed
// before pins alone is beyond that: the audits before it look ahead so that there is
// none, which they cannot where their system was too large.
func (p *past) free(b *mask.Board, pinned []overtime.Target, beyond map[overtime.Target]bool) error {
	slices.SortFunc(pinned, compareTargets)
	withheld := map[int]bool{}
	for _, t := range pinned {
		free, err := p.frees(t, withheld, nil)
		if err == nil && !free {
			free, err = p.freeOne(b, t, withheld)
		}
		if err != nil {
			return err
		}
		beyond[t] = !free
	}
	for i := range withheld {
		p.withhold(b, i)
	}
	for _, t := range pinned { // and nothing is asked again for nothing
		beyond[t] = beyond[t] || len(withheld) == 0
	}
	return nil
}

// freeOne adds to what is withheld; false says that nothing helps.
func (p *past) freeOne(b *mask.Board, t overtime.Target, withheld map[int]bool) (bool, error) {
	single, whole := p.bundles(b, t, withheld)
	for _, bundle := range slices.Concat(single, growing(single), whole, growing(whole)) {
		free, err := p.frees(t, withheld, bundle)
		if err != nil {
			return false, err
		}
		if free {
			maps.Copy(withheld, bundle)
			return true, nil
		}
	}
	return false, nil
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
	var totals []map[int]bool
	for _, w := range shortestFirst {
		for _, cells := range p.around(b, t.Cell, w) {
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
		for _, g := range p.groups {
			if i, ok := g.Totals[w]; ok && g.about(b, t.Cell) && printed(i) {
				totals = append(totals, map[int]bool{i: true})
			}
		}
	}
	every := map[int]bool{}
	for i := range b.Cells {
		if printed(i) && !b.Unlisted[i] {
			every[i] = true
		}
	}
	return single, append(append(whole, totals...), every)
}

// shortestFirst are the windows in the order in which they are withheld: 12 months,
// which are safe alone, last.
var shortestFirst = []int{3, 6, 24, 12}

// around are the children of the lines that a cell is in, and the cells of its table,
// in a window.
func (p *past) around(b *mask.Board, c Cell, window int) (cells [][]int) {
	for _, g := range p.groups {
		if g.about(b, c) {
			cells = append(cells, g.Cells[window])
		}
	}
	if c.Place != "" && c.Dim() != "" {
		cells = append(cells, p.table(b, c, window))
	}
	return cells
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
func (g *groupLine) about(b *mask.Board, c Cell) bool {
	if g.Dim == snapshots.SigPlace {
		return c.Place != "" && g.Place == b.Above(c.Place) || c.Dim() == "" && c.Place == g.Place
	}
	return c.Dim() == g.Dim || c.Place == "" && c.Dim() == ""
}
