// Package usage counts the calls of each key and detects when a limit is reached: "Every key has an
// hourly and a calendar-month ceiling. The one reached first returns 429." Windows are fixed and in
// UTC: the clock hour and the calendar month.
package usage

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"labour/serve/partners/access"
	"labour/serve/state"
)

//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// Counter counts calls in the state database. It is safe for concurrent use, and any
// number of servers may count in one database: each call gets its own number.
type Counter struct {
	upsert *sql.Stmt
	// writing holds one token for each call that may write at the same time; nil = no limit. SQLite
	// allows one writer at a time, and waiting here is fair, while SQLite's own waiting is not.
	writing chan struct{}
}

// NewCounter returns a counter on db, which must stay open.
func NewCounter(ctx context.Context, db *state.DB) (*Counter, error) {
	upsert, err := db.PrepareContext(ctx, statement("count_calls"))
	if err != nil {
		return nil, fmt.Errorf("prepare the counting of calls: %w", err)
	}
	c := &Counter{upsert: upsert}
	if db.Kind == state.SQLite {
		c.writing = make(chan struct{}, 1)
	}
	return c, nil
}

// Count counts one call of a key and returns how many it has made, including this one. When Count
// returns, the call is stored durably.
func (c *Counter) Count(ctx context.Context, key string, at time.Time) (_ Counts, err error) {
	defer state.Wrap(&err, "count a call of key %s", key)
	if c.writing == nil {
		return c.count(ctx, key, at)
	}
	// One call at a time. SQLite waits for another process's lock regardless of the context. The
	// caller does not wait for that, and the call may still count.
	select {
	case c.writing <- struct{}{}:
	case <-ctx.Done():
		return Counts{}, ctx.Err()
	}
	type result struct {
		Counts
		err error
	}
	ended := make(chan result, 1)
	go func() {
		defer func() { <-c.writing }()
		counts, err := c.count(context.WithoutCancel(ctx), key, at)
		ended <- result{counts, err}
	}()
	select {
	case r := <-ended:
		return r.Counts, r.err
	case <-ctx.Done():
		return Counts{}, ctx.Err()
	}
}

func (c *Counter) count(ctx context.Context, key string, at time.Time) (counts Counts, err error) {
	rows, err := c.upsert.QueryContext(ctx, key, state.Unix(hourStart(at)), state.Unix(state.MonthStart(at)))
	if err != nil {
		return counts, err
	}
	defer rows.Close()
	windows := 0
	for ; rows.Next(); windows++ {
		var span string
		var calls int64
		if err := rows.Scan(&span, &calls); err != nil {
			return counts, err
		}
		if span == "hour" {
			counts.Hour = calls
		} else {
			counts.Month = calls
		}
	}
	// In SQLite the statement commits after its last row was read.
	if err := rows.Err(); err != nil {
		return counts, err
	}
	if windows != 2 {
		return counts, errors.New("the call was not counted in both windows")
	}
	return counts, nil
}

// Reason is the reason why a call is refused; it is also the error code. Empty means allowed.
type Reason string

// Results of counting a call: whether it is allowed, or which limit it exceeds.
const (
	Allowed       Reason = ""
	RateLimited   Reason = "rate_limited"
	QuotaExceeded Reason = "quota_exceeded"
)

// Counts holds the numbers of calls of a key, including this one.
type Counts struct {
	Hour  int64 // in the clock hour of the call
	Month int64 // in the calendar month of the call
}

// Decision is the decision on a call, with the values of its headers. It is based on one reading of
// the clock.
type Decision struct {
	Reason         Reason
	Limit          int64     // calls per hour
	Remaining      int64     // calls left this hour, never below 0
	Reset          time.Time // when the hour ends
	Capped         bool      // whether there is a monthly limit
	QuotaLimit     int64     // calls per month, when Capped
	QuotaRemaining int64     // calls left this month, when Capped; never below 0
	RetryAfter     int64     // whole seconds until a call may be allowed again, rounded up; 0 if allowed
}

// Evaluate compares the calls of a key with its limits. "Both ceilings reached: quota_exceeded",
// whose window ends later. If a call over the hourly limit comes when no call is left in the month,
// both are reached: a call at the end of the hour would be refused too, so Retry-After must not
// name that time.
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

// secondsUntil returns the seconds until end, rounded up, so that a client that waits
// for them is not early.
func secondsUntil(end, at time.Time) int64 {
	return int64((end.Sub(at) + time.Second - 1) / time.Second)
}

// How long the hourly and the monthly counts of calls are kept.
const (
	KeepHours  = 32 * 24 * time.Hour
	KeepMonths = 25 // calendar months, without the current one
)

// Prune deletes the counted calls of windows that are no longer needed. The running
// windows are never touched.
func Prune(ctx context.Context, db *state.DB, now time.Time) (err error) {
	defer state.Wrap(&err, "prune counted calls")
	return db.Transact(ctx, func(tx *sql.Tx) error {
		if err := db.KeepOut(ctx, tx, "the pruning of counted calls"); err != nil {
			return err
		}
		return state.Do(ctx, tx, state.NewStep(statement("forget_windows"), state.Unix(hourStart(now).Add(-KeepHours)),
			state.Unix(state.MonthStart(now).AddDate(0, -KeepMonths, 0))))
	})
}
