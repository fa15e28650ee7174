package usage

import (
	"time"

	"labour/serve/partners/access"
	"labour/snapshots/periods"
)

// RefusalReason is the error code of a refused request, such as rate_limited. It is empty for an allowed
// request.
type RefusalReason string

// Allowed, RateLimited and QuotaExceeded are the values of RefusalReason.
const (
	// Allowed means that the request is not refused.
	Allowed RefusalReason = ""
	// RateLimited means that the key has used up its hourly limit.
	RateLimited RefusalReason = "rate_limited"
	// QuotaExceeded means that the key has used up its monthly limit.
	QuotaExceeded RefusalReason = "quota_exceeded"
)

// Counts holds the number of requests with one key in the current clock hour and calendar month.
type Counts struct {
	Hour  int64 // requests in the current clock hour
	Month int64 // requests in the current calendar month
}

// Decision reports whether a request is allowed. It also holds the values of the rate-limit
// headers.
type Decision struct {
	Reason         RefusalReason
	Limit          int64     // requests per hour that the key may make
	Remaining      int64     // requests left in this hour, never below 0
	Reset          time.Time // end of the current hour, when the hourly count restarts
	Capped         bool      // whether the key has a monthly limit
	QuotaLimit     int64     // requests per month that the key may make; only set if Capped
	QuotaRemaining int64     // requests left in this month, never below 0; only set if Capped
	RetryAfter     int64     // seconds until a request may be allowed, rounded up; 0 if this request is allowed
}

// NextHour returns the time when the hourly limit of a key begins again.
func NextHour(at time.Time) time.Time { return hourStart(at).Add(time.Hour) }

// NextMonth returns the time when the monthly limit of a key begins again.
func NextMonth(at time.Time) time.Time { return periods.MonthStart(at).AddDate(0, 1, 0) }

// EvaluateLimits decides whether a request at the time at is allowed. a holds the limits of the API
// key. c counts the requests with the key, including this one. If both limits are exceeded, the
// reason is QuotaExceeded. The reason is also QuotaExceeded if the hourly limit is exceeded and no
// further request is allowed this month.
func EvaluateLimits(a access.Allowance, c Counts, at time.Time) Decision {
	v := Decision{
		Limit: a.Hourly, Remaining: max(0, a.Hourly-c.Hour), Reset: NextHour(at),
		Capped: a.Monthly > 0,
	}
	if c.Hour > a.Hourly {
		v.Reason, v.RetryAfter = RateLimited, secondsUntil(v.Reset, at)
	}
	if v.Capped {
		v.QuotaLimit, v.QuotaRemaining = a.Monthly, max(0, a.Monthly-c.Month)
		if c.Month > a.Monthly || v.Reason == RateLimited && c.Month == a.Monthly {
			v.Reason, v.RetryAfter = QuotaExceeded, secondsUntil(NextMonth(at), at)
		}
	}
	return v
}

func hourStart(at time.Time) time.Time { return at.UTC().Truncate(time.Hour) }

func dayStart(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// secondsUntil returns the number of seconds from at until end, rounded up.
func secondsUntil(end, at time.Time) int64 {
	return int64((end.Sub(at) + time.Second - 1) / time.Second)
}
