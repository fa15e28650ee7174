package report

import (
	"maps"

	"labour/pipeline/disclosure"
	"labour/snapshots"
)

// WithheldInSmallGroups is a key of the field people_withheld in report.json. Its value is the
// number of counts that are null because they are parts of a total that is too small to be broken
// down (disclosure.MayPublishPart).
const WithheldInSmallGroups = "below_a_small_group"

// AddPeople adds the number of published counts of people to the report, and the number of withheld
// ones.
func (r *Report) AddPeople(t disclosure.ValueTally) {
	r.People["number"] += t.Numbers
	r.People["under_5"] += t.UnderFive
	r.Withheld[WithheldInSmallGroups] = t.WithinSmallGroup
	r.withholdNothing()
}

// CopyPeople copies the number of published and of withheld counts of people from another report.
// It is used when the counts themselves are copied.
func (r *Report) CopyPeople(from *Report) {
	maps.Copy(r.People, from.People)
	maps.Copy(r.Withheld, from.Withheld)
	r.withholdNothing()
}

// SubtractPeople reduces the number of published counts of people. The counts in t were copied from
// an earlier snapshot, but may no longer be published.
func (r *Report) SubtractPeople(t disclosure.ValueTally) {
	if t.Numbers+t.UnderFive > 0 {
		r.People["number"] -= t.Numbers
		r.People["under_5"] -= t.UnderFive
	}
}

// WithheldInSmallGroupsCount returns the number of counts of people that are null because they are
// parts of a total that is too small to be broken down.
func (r *Report) WithheldInSmallGroupsCount() int64 { return r.Withheld[WithheldInSmallGroups] }

// withholdNothing sets the number for WithheldInSmallGroups to 0 if all counts of people are
// withdrawn, because they are then null for that reason only.
func (r *Report) withholdNothing() {
	if snapshots.AllPeopleWithdrawn(r.PeopleWithdrawn) {
		r.Withheld[WithheldInSmallGroups] = 0
	}
}
