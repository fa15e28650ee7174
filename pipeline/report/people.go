package report

import (
	"maps"

	"labour/pipeline/disclosure"
	"labour/snapshots"
)

// belowSmallGroup is the name of the cells that are null because they are parts of a small group.
const belowSmallGroup = "below_a_small_group"

// AddPeople adds the numbers of printed and withheld figures of people made in this run.
func (r *Report) AddPeople(t disclosure.Tally) {
	r.People["number"] += t.Numbers
	r.People["under_5"] += t.UnderFive
	r.Withheld[belowSmallGroup] = t.BelowSmallGroup
	r.withholdNothing()
}

// CopyPeople copies the numbers of figures of people from another report, since the figures are
// copied too.
func (r *Report) CopyPeople(from *Report) {
	maps.Copy(r.People, from.People)
	maps.Copy(r.Withheld, from.Withheld)
	r.withholdNothing()
}

// SubtractPeople subtracts figures of people that were copied but are no longer published.
func (r *Report) SubtractPeople(t disclosure.Tally) {
	if t.Numbers+t.UnderFive > 0 {
		r.People["number"] -= t.Numbers
		r.People["under_5"] -= t.UnderFive
	}
}

// withholdNothing sets the number of cells below small groups to 0 if all figures are withdrawn:
// then no rule withholds anything.
func (r *Report) withholdNothing() {
	if _, all := snapshots.WithdrawalOf(r.PeopleWithdrawn, ""); all {
		r.Withheld[belowSmallGroup] = 0
	}
}
