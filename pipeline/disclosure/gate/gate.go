// Package gate audits what the masking has decided, with the bounds attacker of
// R10, and withdraws until it finds nothing: "run the LP oracle per skill where it
// is affordable; that is where leaks occur; large tables have slack".
//
// The attacker's unknowns are the people of each value of each filter in each
// smallest place and band of time. Since all tables of the lattice share the
// place, any such unknowns that agree on every place's total are those of some
// population, so that nothing is lost against one unknown per combination of all
// filters.
package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/simplex"
)

// Limits say which skills are affordable.
type Limits struct {
	// Unknowns is the largest number of unknowns of a system. Above it, each filter
	// is audited alone with the places; above it again, the slack of R2 and R4 is
	// relied on and the report says so. 0 = a sound limit; -1 = nothing is audited.
	Unknowns int
	Steps    int // of the simplex method, for each question
}

// defaultLimits keep the audit of one skill under a second.
var defaultLimits = Limits{Unknowns: 600, Steps: 20_000}

// Report is what the gate did with one measure of one skill. Exact names cells
// that held small groups: it belongs into the protected zone.
type Report struct {
	Systems    int         // audited
	Partly     int         // filters audited alone, the whole being too large
	NotAudited int         // filters too large to audit
	Exact      []mask.Cell // found exact, before withdrawal
	Errors     []string    // why two-dimension tables were withheld altogether
}

// Audit withdraws from the board until the attacker pins no group of 1 to 4: one
// whose least and greatest value, cut with 1 to 4, are the same. "If the audit
// errors out, publish the skill with 2-D people fields withheld. Never skip."
func Audit(b *mask.Board, limits Limits) Report {
	if limits.Unknowns == 0 {
		limits = defaultLimits
	}
	var report Report
	step, covers := map[int]mask.Step{}, map[int]int{}
	for {
		report.Systems, report.Partly, report.NotAudited = 0, 0, 0
		exact, err := audit(b, limits, &report)
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

// audit is one round: the cells that are exact.
func audit(b *mask.Board, limits Limits, report *Report) (exact []int, err error) {
	if whole := affordable(b, mask.Dims(), limits); whole != nil {
		report.Systems++
		return whole.exact(limits.Steps)
	}
	for _, dim := range mask.Dims() {
		part := affordable(b, []string{dim}, limits)
		if part == nil {
			report.NotAudited++
			continue
		}
		report.Systems, report.Partly = report.Systems+1, report.Partly+1
		found, err := part.exact(limits.Steps)
		if err != nil {
			return nil, err
		}
		exact = append(exact, found...)
	}
	return exact, nil
}

// affordable is the system of the filters, or nil when it is too large.
func affordable(b *mask.Board, dims []string, limits Limits) *system {
	if tooLarge(b, dims, limits.Unknowns) {
		return nil
	}
	if s := newSystem(b, dims); s.size() <= limits.Unknowns {
		return s
	}
	return nil
}

// exact is the small groups that have one value alone, cut with 1 to 4. The truth
// is one population that fits what is printed, so that a group is free as soon as
// one other point has one more or one less of it; and one point frees many.
func (s *system) exact(steps int) ([]int, error) {
	pending := s.targets()
	if len(pending) == 0 {
		return nil, nil
	}
	solver, err := simplex.From(s.start(), s.high(), s.rows(), steps)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	var exact []int
	for pending = s.stuck(solver, pending); len(pending) > 0; pending = s.stuck(solver, pending) {
		i := pending[0]
		n := float64(s.b.Count[i])
		free := false
		for _, sign := range []float64{1, -1} {
			if to := n + sign; !free && to >= 1 && to <= 4 {
				if free, err = solver.Reach(s.of(i), sign, to); err != nil {
					return nil, fmt.Errorf("audit: %w", err)
				}
			}
		}
		if !free {
			exact = append(exact, i)
		}
		pending = pending[1:]
	}
	return exact, nil
}

// stuck keeps the groups that the last point does not show to be free.
func (s *system) stuck(solver *simplex.Solver, pending []int) []int {
	return slices.DeleteFunc(pending, func(i int) bool {
		n, at := float64(s.b.Count[i]), solver.Sum(s.of(i))
		return n < 4 && at >= n+1-1e-6 || n > 1 && at <= n-1+1e-6
	})
}
