// Package gate audits what the masking has decided, with the bounds attacker of
// R10, and withdraws until it finds nothing.
//
// The attacker's unknowns are the people of each value of each filter in each
// smallest place and band of time. Since all tables of the lattice share the
// place, any such unknowns that agree on every place's total are those of some
// population, so that nothing is lost against one unknown per combination of all
// filters.
//
// A small group cannot be known as soon as one other population, in which it has one
// more or one less, fits all that is printed. Such a population is looked for as a
// move of a few people from the true one, by walks in graphs (moves.go); then, for the
// few groups that no move frees, by linear programming (system.go): over all places, or
// where those are too many unknowns over a few (near.go). What is found free in the small
// is free in the large. A group that is not found free is withdrawn, whether it is exact
// or only could not be shown not to be.
package gate

import (
	"cmp"
	"slices"
	"strings"

	"labour/pipeline/disclosure/mask"
)

// Limits bound the search for populations by linear programming.
type Limits struct {
	// Unknowns is the largest number of unknowns of a system; of a larger one, the people
	// of some leaves are taken as they truly are; a tenth of it where the true population
	// does not fit what is printed. 0 = a sound limit; -1 = nothing is audited at all,
	// which is for tests.
	Unknowns int
	Steps    int // of the simplex method, for each question
}

// defaultLimits keep one system under 100 MB and most under a second. The whole of 36
// places and 400 occupations is some 20,000 unknowns, however many people.
var defaultLimits = Limits{Unknowns: 60_000, Steps: 20_000}

// fromNowhere is how many times fewer unknowns may be where the true population does not
// fit what is printed, so that one that does must be looked for first.
const fromNowhere = 10

// Report is what the gate did with one measure of one skill. Exact names cells
// that held small groups: it belongs into the protected zone.
type Report struct {
	Systems    int         // audited: 1, or 0 with NotAudited 1
	Groups     int         // small groups that can be asked
	Searched   int         // of them those that no move frees
	NotAudited int         // 1 when the true population does not fit what is printed and the system is too large
	Unproven   int         // of Exact those that may be free: their system is too large to tell, or took too many steps
	Exact      []mask.Cell // not found free, before withdrawal
	Errors     []string    // why two-dimension tables were withheld altogether
}

// Gate audits the measures of one skill.
type Gate struct{ layout *layout }

// New is a gate for the boards of one index.
func New(x *mask.Index) *Gate { return &Gate{newLayout(x)} }

// Audit withdraws from the board until the attacker pins no group of 1 to 4: one
// whose least and greatest value, cut with 1 to 4, are the same. "If the audit
// errors out, publish the skill with 2-D people fields withheld. Never skip."
// recent may be nil where no cell has a place and another filter.
func (g *Gate) Audit(b *mask.Board, recent Recent, limits Limits) Report {
	if limits.Unknowns == 0 {
		limits = defaultLimits
	}
	var report Report
	if limits.Unknowns < 0 {
		report.NotAudited = 1
		return report
	}
	step, covers := map[int]mask.Step{}, map[int]int{}
	var exact []int
	for {
		var err error
		exact, err = g.round(b, exact, recent, limits, &report)
		if err != nil {
			report.Errors = append(report.Errors, err.Error())
			b.Withdraw(0, mask.StepAllTables)
			b.Run()
			return report
		}
		if len(exact) == 0 {
			return report
		}
		slices.SortFunc(exact, func(i, j int) int { return compare(b.Cells[i], b.Cells[j]) })
		report.note(b, exact)
		if !cover(b, exact, covers) && !withdraw(b, exact, step) {
			report.Errors = append(report.Errors, "a withdrawn skill is still exact")
			return report
		}
		b.Run()
	}
}

// compare orders cells, so that what is withdrawn does not depend on the order in
// which they arrived.
func compare(a, b mask.Cell) int {
	return cmp.Or(strings.Compare(a.Signature, b.Signature), strings.Compare(a.Place, b.Place), strings.Compare(a.Value, b.Value), b.Window-a.Window)
}

// note keeps the cells that were found exact, each once.
func (r *Report) note(b *mask.Board, exact []int) {
	for _, i := range exact {
		if !slices.Contains(r.Exact, b.Cells[i]) {
			r.Exact = append(r.Exact, b.Cells[i])
		}
	}
}

// cover hides one more number beside each exact cell, a bounded number of times,
// and says whether any could be. Cells of one filter come first, since what is
// exact below them most often is so on their account.
func cover(b *mask.Board, exact []int, covers map[int]int) (any bool) {
	for _, one := range []bool{true, false} {
		for _, i := range exact {
			c := b.Cells[i]
			if one != (c.Place == "" || c.Dim() == "") || covers[i] == mask.Covers {
				continue
			}
			covers[i]++
			any = b.Cover(i) || any
		}
		if any {
			return true
		}
	}
	return false
}

// withdraw takes the next step of R10 for each exact cell; false when a cell has
// had all of them.
func withdraw(b *mask.Board, exact []int, step map[int]mask.Step) bool {
	for _, i := range exact {
		if step[i]++; step[i] > mask.StepSkill {
			return false
		}
		b.Withdraw(i, step[i])
	}
	return true
}

// audit is one round over a board.
type audit struct {
	*population
	walker
	nets []*net // by table and move, made when first walked
	// by node, for those that are leaves, made when first asked for
	loose, unknowns []int
}

// round finds the cells that are not free. Since what was printed only ever becomes
// less, what an earlier round found free is free, and only the cells that were not are
// looked at again; nil are all.
func (g *Gate) round(b *mask.Board, again []int, recent Recent, limits Limits, report *Report) (exact []int, err error) {
	a := &audit{population: g.layout.population(b, recent), nets: make([]*net, len(g.layout.tables)*spans*(spans+1))}
	groups := a.targets()
	report.Systems = 1
	if again != nil {
		groups = slices.DeleteFunc(groups, func(t target) bool { return !slices.Contains(again, int(t.cell)) })
	} else {
		report.Groups = len(groups)
	}
	if a.whole {
		groups = slices.DeleteFunc(groups, a.moved)
	}
	if again == nil {
		report.Searched = len(groups)
	}
	switch {
	case len(groups) == 0:
		return nil, nil
	case a.whole || a.size() <= limits.Unknowns/fromNowhere:
		groups, err = a.search(groups, limits, report)
	default:
		report.Systems, report.NotAudited = 0, 1
		return nil, nil
	}
	for _, g := range groups {
		exact = append(exact, int(g.cell))
	}
	return exact, err
}

// target is a small group: the cell, and where it is in the layout.
type target struct {
	cell     int32
	table, v int
	node     int32
	window   int
}

// targets are the small groups that can be asked, printed or not.
func (p *population) targets() (out []target) {
	for t := range p.tables {
		for e, cells := range p.tables[t].cells {
			for k, i := range cells {
				if i >= 0 && !p.Unlisted[i] && p.b.Count[i] != 0 && mask.IsSmall(p.b.Count[i]) {
					out = append(out, target{i, t, e / len(p.nodes), int32(e % len(p.nodes)), k})
				}
			}
		}
	}
	return out
}
