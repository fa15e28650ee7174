package access

import (
	"slices"
	"time"
)

// Plan sets the ceilings of a key.
type Plan string

// The plans. "A key [...] starts on the Evaluation plan."
const (
	Evaluation Plan = "evaluation"
	Standard   Plan = "standard"
	Partner    Plan = "partner"
)

// Allowance is how many calls a key may make.
type Allowance struct {
	Hourly  int64 // calls per clock hour, at least 1
	Monthly int64 // calls per calendar month; 0 = no monthly cap
}

// Plans lists the plans, the smallest first.
func Plans() []Plan { return []Plan{Evaluation, Standard, Partner} }

// Allowance is the plan's allowance. The second result is false for a plan that
// is not known.
func (p Plan) Allowance() (Allowance, bool) {
	switch p {
	case Evaluation:
		return Allowance{Hourly: 100, Monthly: 10_000}, true
	case Standard:
		return Allowance{Hourly: 1_000, Monthly: 250_000}, true
	case Partner:
		return Allowance{Hourly: 10_000}, true
	}
	return Allowance{}, false
}

// Scope is what a key may read or do.
type Scope string

// The scopes. "[labour:read] is granted immediately on any key"; the operator
// grants the others.
const (
	LabourRead     Scope = "labour:read"
	JobsRead       Scope = "jobs:read"
	PathwaysRead   Scope = "pathways:read"
	CandidatesRead Scope = "candidates:read"
	S106Read       Scope = "s106:read"
	EventsRead     Scope = "events:read"
	WebhooksManage Scope = "webhooks:manage"
	Developer      Scope = "developer"
)

// Scopes lists the scopes.
func Scopes() []Scope {
	return []Scope{LabourRead, JobsRead, PathwaysRead, CandidatesRead, S106Read, EventsRead, WebhooksManage, Developer}
}

// Key is a partner's key, without its secret.
type Key struct {
	ID          string // "key_" and a ULID
	PartnerID   string // "ptn_" and a ULID
	PartnerName string
	Label       string // what the partner calls it; may be empty
	Mode        Mode
	Plan        Plan
	Scopes      []Scope // sorted
	Hourly      *int64  // bespoke calls per hour; nil = the plan's
	Monthly     *int64  // bespoke calls per calendar month; nil = the plan's
	Prefix      string  // of the newest secret: lmk_live_ or lmk_test_
	LastFour    string  // last four characters of the newest secret
	CreatedAt   time.Time
	LastUsedAt  *time.Time // to within the interval of FlushUsed; nil = never
	ExpiresAt   *time.Time // from this second on the key is refused; nil = never
	RevokedAt   *time.Time
}

// Has reports whether the key has a scope.
func (k Key) Has(s Scope) bool { return slices.Contains(k.Scopes, s) }

// Usable says whether the key is neither revoked nor expired at a moment.
func (k Key) Usable(at time.Time) bool { return k.RevokedAt == nil && !ended(k.ExpiresAt, at) }

// Allowance is what the key may call: "A bespoke allowance may be set on a key
// without changing its plan." A plan that is not known allows one call an hour
// and a month, since nothing else is known to be agreed.
func (k Key) Allowance() Allowance {
	a, ok := k.Plan.Allowance()
	if !ok {
		a = Allowance{Hourly: 1, Monthly: 1}
	}
	if k.Hourly != nil {
		a.Hourly = *k.Hourly
	}
	if k.Monthly != nil {
		a.Monthly = *k.Monthly
	}
	return a
}
