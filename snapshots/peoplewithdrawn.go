package snapshots

import "time"

// PeopleWithdrawal records that the figures of people of a skill, or all of them, are withdrawn.
// "What must not stand is withdrawn as a whole."
type PeopleWithdrawal struct {
	At     time.Time `json:"at"`              // when it was recorded, UTC, whole seconds
	Skill  string    `json:"skill,omitempty"` // empty = all figures of people
	By     string    `json:"by"`
	Reason string    `json:"reason"`
}

// WithdrawalOf returns the withdrawal that applies to the figures of people of a skill; if skill is
// empty, to those of all skills.
func WithdrawalOf(all []PeopleWithdrawal, skill string) (PeopleWithdrawal, bool) {
	return find(all, func(w PeopleWithdrawal) bool { return w.Skill == "" || w.Skill == skill })
}
