// Package usage counts the calls of each key and says when a ceiling is
// reached: "Every key has an hourly and a calendar-month ceiling. The one
// reached first returns 429." Windows are fixed and in UTC: the clock hour and
// the calendar month.
package usage

import (
	"time"

	"labour/serve/access"
	"labour/serve/state"
)

// Reason is why a call is refused; it is also the error code. Empty = allowed.
type Reason string

// The reasons.
const (
	Allowed       Reason = ""
	RateLimited   Reason = "rate_limited"
	QuotaExceeded Reason = "quota_exceeded"
)

// Counts is how many calls a key has made, this one included.
type Counts struct {
	Hour  int64 // in the clock hour of the call
	Month int64 // in the calendar month of the call
}

// Decision says whether a call is allowed and what its headers show. All of it
// comes from one reading of the clock.
type Decision struct {
	Reason         Reason
	Limit          int64     // calls per hour
	Remaining      int64     // calls left this hour, never below 0
	Reset          time.Time // when the hour ends
	Capped         bool      // whether there is a monthly cap
	QuotaLimit     int64     // calls per month, when Capped
	QuotaRemaining int64     // calls left this month, when Capped; never below 0
	RetryAfter     int64     // whole seconds until a call may be allowed again, rounded up; 0 when allowed
}

// Evaluate compares what a key has made with what it may make. "Both ceilings
// reached: quota_exceeded", which points to the later end. A call that the hour
// refuses reaches the month's ceiling when none is left of it: a call at the end
// of the hour would be refused, so Retry-After must not point there.
func Evaluate(a access.Allowance, c Counts, at time.Time) Decision {
	v := Decision{
		Limit: a.Hourly, Remaining: max(0, a.Hourly-c.Hour), Reset: hourStart(at).Add(time.Hour),
		Capped: a.Monthly > 0,
	}
	if c.Hour > a.Hourly {
		v.Reason, v.RetryAfter = RateLimited, secondsUntil(v.Reset, at)
	}
	if v.Capped {
		v.QuotaLimit, v.QuotaRemaining = a.Monthly, max(0, a.Monthly-c.Month)
		if c.Month > a.Monthly || v.Reason == RateLimited && c.Month == a.Monthly {
			v.Reason, v.RetryAfter = QuotaExceeded, secondsUntil(state.MonthStart(at).AddDate(0, 1, 0), at)
		}
	}
	return v
}

func hourStart(at time.Time) time.Time { return at.UTC().Truncate(time.Hour) }

func dayStart(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// secondsUntil is rounded up, so that a client that waits so long is not early.
func secondsUntil(end, at time.Time) int64 {
	return int64((end.Sub(at) + time.Second - 1) / time.Second)
}
