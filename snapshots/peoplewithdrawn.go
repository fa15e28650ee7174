package snapshots

import "time"

// PeopleWithdrawal records that the operator withdrew the counts of people of one skill, or of all
// skills, from publication.
type PeopleWithdrawal struct {
	// time at which the withdrawal was recorded, in UTC and whole seconds
	At time.Time `json:"at"`
	// slug of the skill whose counts of people are withdrawn; empty = all skills
	Skill  string `json:"skill,omitempty"`
	By     string `json:"by"`
	Reason string `json:"reason"`
}

// WithdrawalOf returns the withdrawal that covers the counts of people of a skill, and reports
// whether there is one. An empty skill stands for the counts of all skills together.
func WithdrawalOf(withdrawals []PeopleWithdrawal, skill string) (PeopleWithdrawal, bool) {
	return find(withdrawals, func(w PeopleWithdrawal) bool { return w.Skill == "" || w.Skill == skill })
}

// AllPeopleWithdrawn reports whether the operator withdrew the counts of people of all skills.
func AllPeopleWithdrawn(withdrawals []PeopleWithdrawal) bool {
	_, all := WithdrawalOf(withdrawals, "")
	return all
}
