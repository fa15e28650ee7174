// Package usage counts the calls of each key and detects when a limit is
// reached: "Every key has an hourly and a calendar-month ceiling. The one
// reached first returns 429." Windows are fixed and in UTC: the clock hour and
// the calendar month.
package usage

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"labour/serve/access"
	"labour/serve/state"
)

//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// Counter counts calls in the state database. It is safe for concurrent use, and any
// number of servers may count in one database: each call gets its own number.
type Counter struct {
	upsert *sql.Stmt
	// writing holds one token per call that may write at once; nil = any number. In
	// SQLite one writes at a time, and waiting here is fair, while SQLite's is not.
	writing chan struct{}
}

// NewCounter returns a counter on db, which it must not outlive.
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

// Count counts one call of a key and returns how many it has made, this one included.
// The call survives the end of the process before Count returns.
func (c *Counter) Count(ctx context.Context, key string, at time.Time) (_ Counts, err error) {
	defer state.Wrap(&err, "count a call of key %s", key)
	if c.writing == nil {
		return c.count(ctx, key, at)
	}
	// One call at a time. SQLite waits for another process's lock regardless of the context;
	// the caller does not wait for that, and the call may still count.
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
	// In SQLite the statement commits when it has given its last row.
	if err := rows.Err(); err != nil {
		return counts, err
	}
	if windows != 2 {
		return counts, errors.New("the call was not counted in both windows")
	}
	return counts, nil
}

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

// Decision is whether a call is allowed, with the values of its headers. All of it
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

// Evaluate compares the calls of a key with its limits. "Both ceilings
// reached: quota_exceeded", which points to the later end. A call over the
// hourly limit also reaches the monthly one if no call is left in the month: a call
// at the end of the hour would be refused, so Retry-After must not point there.
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

// How long counted calls are kept after their window began: hours for
// questions of partners, months for more than a year of bills.
const (
	KeepHours  = 7 * 24 * time.Hour
	KeepMonths = 25 // calendar months, the current one not among them
	KeepDays   = 92 // of the calls by route and status
)

// Prune deletes the counted calls of windows that are no longer needed. The running
// windows are never touched.
func Prune(ctx context.Context, db *state.DB, now time.Time) (err error) {
	defer state.Wrap(&err, "prune counted calls")
	return db.Transact(ctx, func(tx *sql.Tx) error {
		if err := db.KeepOut(ctx, tx, "the pruning of counted calls"); err != nil {
			return err
		}
		return state.Do(ctx, tx, state.With(statement("forget_windows"), state.Unix(hourStart(now).Add(-KeepHours)),
			state.Unix(state.MonthStart(now).AddDate(0, -KeepMonths, 0))),
			state.With(statement("forget_days"), state.Unix(dayStart(now).AddDate(0, 0, -KeepDays))))
	})
}

// Tally counts the routes and statuses of calls, for partners to see. No call waits
// for it: it is kept in memory and written at intervals, so that a killed server loses
// the seconds since the last write. The limits are checked against the exact counts of
// Counter.
type Tally struct {
	db *state.DB

	mu    sync.Mutex
	calls map[tallied]int64 // not yet written
}

type tallied struct {
	key    string
	day    int64
	route  string
	status int
}

// NewTally returns a tally on db.
func NewTally(db *state.DB) *Tally { return &Tally{db: db, calls: map[tallied]int64{}} }

// Add counts a call of a key: its route is the pattern of the API that matched it,
// empty if none did, and never the caller's own text.
func (t *Tally) Add(key, route string, status int, at time.Time) {
	one := tallied{key, state.Unix(dayStart(at)), route, status}
	t.mu.Lock()
	t.calls[one]++
	t.mu.Unlock()
}

// Flush writes the counts. Counts that cannot be written are kept for the next time.
func (t *Tally) Flush(ctx context.Context) error {
	t.mu.Lock()
	batch := t.calls
	t.calls = map[tallied]int64{}
	t.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := t.db.Transact(ctx, func(tx *sql.Tx) error { return write(ctx, tx, batch) })
	if err == nil {
		return nil
	}
	t.mu.Lock()
	for one, n := range batch {
		t.calls[one] += n
	}
	t.mu.Unlock()
	return fmt.Errorf("write what calls asked for: %w", err)
}

// write adds a batch in one order, so that two servers never wait for each other.
func write(ctx context.Context, tx *sql.Tx, batch map[tallied]int64) error {
	add, err := tx.PrepareContext(ctx, statement("add_calls"))
	if err != nil {
		return err
	}
	defer add.Close()
	order := slices.SortedFunc(maps.Keys(batch), func(a, b tallied) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.day, b.day), cmp.Compare(a.route, b.route),
			cmp.Compare(a.status, b.status))
	})
	for _, one := range order {
		if _, err := add.ExecContext(ctx, one.key, one.day, one.route, one.status, batch[one]); err != nil {
			return err
		}
	}
	return nil
}

// Slot is the calls of one window.
type Slot struct {
	Start time.Time // in UTC
	Calls int64
}

// Kind is the calls that asked for one route and ended in one status.
type Kind struct {
	Route  string // pattern of the interface; empty = none at that path
	Status int
	Today  int64
	Month  int64
}

// Report is the calls of a partner's keys, or of one of them.
type Report struct {
	Today []Slot // every hour of the current day, exactly; later hours are 0
	Month []Slot // every day of the current month; may lack the last seconds of other servers
	Kinds []Kind // by route and status
}

// Now returns the exact number of calls of a key in the hour and the month of a moment.
func (t *Tally) Now(ctx context.Context, key string, at time.Time) (c Counts, err error) {
	defer state.Wrap(&err, "read the counts of key %s", key)
	err = t.db.QueryRowContext(ctx, statement("counts_now"), key, state.Unix(hourStart(at)),
		state.Unix(state.MonthStart(at))).Scan(&c.Hour, &c.Month)
	return c, err
}

// Report returns the calls of a partner (its id) up to a moment; of one of its keys when
// key is not empty.
func (t *Tally) Report(ctx context.Context, partner, key string, at time.Time) (r Report, err error) {
	defer state.Wrap(&err, "report the calls of partner %s", partner)
	if err := t.Flush(ctx); err != nil {
		return r, err
	}
	day, month := dayStart(at), state.MonthStart(at)
	if r.Today, err = t.slots(ctx, day, day.AddDate(0, 0, 1), time.Hour, statement("calls_by_hour"), partner,
		key); err != nil {
		return r, err
	}
	if r.Month, err = t.slots(ctx, month, month.AddDate(0, 1, 0), 24*time.Hour, statement("calls_by_day"), partner,
		key); err != nil {
		return r, err
	}
	r.Kinds, err = state.All(ctx, t.db, statement("calls_by_kind"), func(scan func(...any) error) (k Kind, err error) {
		err = scan(&k.Route, &k.Status, &k.Today, &k.Month)
		return k, err
	}, partner, key, state.Unix(day), state.Unix(month))
	return r, err
}

// slots returns the windows from start to end with the calls that a statement finds in them.
func (t *Tally) slots(ctx context.Context, start, end time.Time, long time.Duration, statement, partner,
	key string) ([]Slot, error) {
	found, err := state.All(ctx, t.db, statement, func(scan func(...any) error) (one Slot, err error) {
		err = scan(state.Into(&one.Start), &one.Calls)
		return one, err
	}, partner, key, state.Unix(start))
	var list []Slot
	for at := start; at.Before(end); at = at.Add(long) {
		list = append(list, Slot{Start: at})
	}
	for _, one := range found {
		if i := int(one.Start.Sub(start) / long); i < len(list) {
			list[i].Calls = one.Calls
		}
	}
	return list, err
}
