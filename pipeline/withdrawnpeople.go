package pipeline

import (
	"labour/snapshots"
	"labour/snapshots/figure"
)

// findWithdrawn finds the withdrawals of figures of people that are in force; for a rebuild, those
// of the time.
func (b *build) findWithdrawn() (err error) {
	if b.withdrawn, err = b.basis.withdrawn(); err != nil {
		return err
	}
	b.report.PeopleWithdrawn = b.withdrawn
	return nil
}

// hidden reports whether the figures of people of a skill are withdrawn; with an empty skill, whether
// all figures of people are.
func (b *build) hidden(skill string) bool {
	_, ok := snapshots.WithdrawalOf(b.withdrawn, skill)
	return ok
}

// hides reports whether a row of the table people is withdrawn; the report then does not count it.
func (b *build) hides(r *snapshots.PeopleRow) bool {
	if !b.hidden(r.Skill) {
		return false
	}
	switch r.PeopleTurnedDownStatus {
	case figure.Number:
		b.report.People["number"]--
	case figure.UnderFive:
		b.report.People["under_5"]--
	}
	return true
}
