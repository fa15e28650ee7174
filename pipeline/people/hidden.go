package people

import (
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// HiddenCounts describes counts of people that must not be published: withdrawn counts, and counts
// of places that have changed.
type HiddenCounts struct {
	Withdrawn []snapshots.PeopleWithdrawal
	// Places has the slugs of places that are no longer served, or that consist of other councils
	// than when the counts were made. It is set only if the counts are copied from an older
	// snapshot.
	Places map[string]bool
}

// isEmpty reports whether no counts of people are hidden.
func (h *HiddenCounts) isEmpty() bool { return len(h.Withdrawn) == 0 && len(h.Places) == 0 }

// hidesSkill reports whether the counts of people for the skill with this slug are withdrawn.
func (h *HiddenCounts) hidesSkill(slug string) bool {
	_, ok := snapshots.WithdrawalOf(h.Withdrawn, slug)
	return ok
}

// hidesAll reports whether all counts of people are withdrawn.
func (h *HiddenCounts) hidesAll() bool { return h.hidesSkill("") }

// hidesPeople returns a function that reports whether a row of the table people is hidden. The
// function also counts the withdrawn values in tally.
func (h *HiddenCounts) hidesPeople(tally *disclosure.ValueTally) func(r *snapshots.PeopleRow) bool {
	return func(r *snapshots.PeopleRow) bool {
		if h.Places[r.Place] {
			return true
		}
		if !h.hidesSkill(r.Skill) {
			return false
		}
		switch r.PeopleTurnedDownStatus {
		case figure.StatusNumber:
			tally.Numbers++
		case figure.StatusUnderFive:
			tally.UnderFive++
		}
		return true
	}
}

func (h *HiddenCounts) residents(r *snapshots.ResidentsRow) bool {
	return h.Places[r.Place] || h.hidesSkill(r.Skill)
}

func (h *HiddenCounts) s106(r *snapshots.S106PeopleRow) bool {
	return h.Places[r.Place] || h.hidesAll()
}

func (h *HiddenCounts) candidates(r *snapshots.CandidatesRow) bool {
	return h.hidesAll() || r.Dimension == snapshots.CandidatesByBorough && h.Places[r.Value]
}
