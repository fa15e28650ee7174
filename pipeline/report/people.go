package report

import (
	"maps"

	"labour/pipeline/disclosure"
	"labour/snapshots"
)

// belowSmallGroup is the name, in people_withheld, of the counts that are null because they are
// parts of a small group.
const belowSmallGroup = "below_a_small_group"

// AddPeople adds the number of published and of withheld counts of people to the report.
func (r *Report) AddPeople(t disclosure.ValueTally) {
	r.People["number"] += t.Numbers
	r.People["under_5"] += t.UnderFive
	r.Withheld[belowSmallGroup] = t.WithinSmallGroup
	r.withholdNothing()
}

// CopyPeople copies the number of published and of withheld counts of people from another report.
// It is used when the counts themselves are copied too.
func (r *Report) CopyPeople(from *Report) {
	maps.Copy(r.People, from.People)
	maps.Copy(r.Withheld, from.Withheld)
	r.withholdNothing()
}

// SubtractPeople corrects the number of published counts of people. It subtracts the counts that
// were copied from an earlier snapshot but may no longer be published.
func (r *Report) SubtractPeople(t disclosure.ValueTally) {
	if t.Numbers+t.UnderFive > 0 {
		r.People["number"] -= t.Numbers
		r.People["under_5"] -= t.UnderFive
	}
}

// withholdNothing sets the number of counts withheld as parts of small groups to 0 if all counts
// of people are withdrawn, since no rule then withholds anything.
func (r *Report) withholdNothing() {
	if snapshots.AllPeopleWithdrawn(r.PeopleWithdrawn) {
		r.Withheld[belowSmallGroup] = 0
	}
}
