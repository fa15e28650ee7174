package snapshots

import "time"

// PeopleWithdrawal records that the figures of people of one skill, or of all skills, are
// withdrawn.
type PeopleWithdrawal struct {
	At     time.Time `json:"at"`              // when it was recorded, UTC, whole seconds
	Skill  string    `json:"skill,omitempty"` // empty = all figures of people
	By     string    `json:"by"`
	Reason string    `json:"reason"`
}

// WithdrawalOf returns the withdrawal that applies to a skill's figures of people; false if there
// is none. An empty skill asks for the withdrawal of all skills' figures.
func WithdrawalOf(all []PeopleWithdrawal, skill string) (PeopleWithdrawal, bool) {
	return find(all, func(w PeopleWithdrawal) bool { return w.Skill == "" || w.Skill == skill })
}
