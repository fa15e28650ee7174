package report

import (
	"maps"

	"labour/pipeline/disclosure"
	"labour/snapshots"
)

// belowSmallGroup is the name of the cells that are null because they are parts of a small group.
const belowSmallGroup = "below_a_small_group"

// AddPeople counts figures of people that are made in this run.
func (r *Report) AddPeople(t disclosure.Tally) {
	r.People["number"] += t.Numbers
	r.People["under_5"] += t.UnderFive
	r.Withheld[belowSmallGroup] = t.Below
	r.withholdNothing()
}

// CarryPeople takes over the counts of the figures of people that are carried forward.
func (r *Report) CarryPeople(from *Report) {
	maps.Copy(r.People, from.People)
	maps.Copy(r.Withheld, from.Withheld)
	r.withholdNothing()
}

// HidePeople removes carried figures from the counts that are not published any more.
func (r *Report) HidePeople(t disclosure.Tally) {
	if t.Numbers+t.UnderFive > 0 {
		r.People["number"] -= t.Numbers
		r.People["under_5"] -= t.UnderFive
	}
}

// withholdNothing removes the count of cells below small groups if all figures are withdrawn: then
// no rule withholds anything.
func (r *Report) withholdNothing() {
	if _, all := snapshots.WithdrawalOf(r.PeopleWithdrawn, ""); all {
		r.Withheld[belowSmallGroup] = 0
	}
}
