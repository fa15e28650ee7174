package usage

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"labour/serve/state"
)

// Tally counts what calls asked for and how they ended, for partners to look at. No
// call waits for it: it is kept in memory and written at intervals, so that a killed
// server loses the seconds since the last writing. The ceilings are held against the
// exact counts of Counter.
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

// NewTally is a tally on db.
func NewTally(db *state.DB) *Tally { return &Tally{db: db, calls: map[tallied]int64{}} }

// Add counts a call of a key: its route is the pattern of the interface that it
// asked for, empty when there is none, and never what the caller wrote.
func (t *Tally) Add(key, route string, status int, at time.Time) {
	one := tallied{key, state.Unix(dayStart(at)), route, status}
	t.mu.Lock()
	t.calls[one]++
	t.mu.Unlock()
}

// Flush writes what was counted. What cannot be written is kept for the next time.
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
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.day, b.day), cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
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

// Report is what a partner's keys, or one of them, called.
type Report struct {
	Today []Slot // every hour of the day of now, exactly; those to come are 0
	Month []Slot // every day of the month of now; may lack the last seconds of other servers
	Kinds []Kind // by route and status
}

// Now is what a key has made in the hour and the month of a moment, exactly.
func (t *Tally) Now(ctx context.Context, key string, at time.Time) (c Counts, err error) {
	defer state.Wrap(&err, "read the counts of key %s", key)
	err = t.db.QueryRowContext(ctx, statement("counts_now"), key, state.Unix(hourStart(at)), state.Unix(state.MonthStart(at))).Scan(&c.Hour, &c.Month)
	return c, err
}

// Report is the calls of a partner (its id) up to a moment; of one of its keys when
// key is not empty.
func (t *Tally) Report(ctx context.Context, partner, key string, at time.Time) (r Report, err error) {
	defer state.Wrap(&err, "report the calls of partner %s", partner)
	if err := t.Flush(ctx); err != nil {
		return r, err
	}
	day, month := dayStart(at), state.MonthStart(at)
	if r.Today, err = t.slots(ctx, day, day.AddDate(0, 0, 1), time.Hour, statement("calls_by_hour"), partner, key); err != nil {
		return r, err
	}
	if r.Month, err = t.slots(ctx, month, month.AddDate(0, 1, 0), 24*time.Hour, statement("calls_by_day"), partner, key); err != nil {
		return r, err
	}
	r.Kinds, err = state.All(ctx, t.db, statement("calls_by_kind"), func(scan func(...any) error) (k Kind, err error) {
		err = scan(&k.Route, &k.Status, &k.Today, &k.Month)
		return k, err
	}, partner, key, state.Unix(day), state.Unix(month))
	return r, err
}

// slots are the windows from start to end with the calls that a statement finds in them.
func (t *Tally) slots(ctx context.Context, start, end time.Time, long time.Duration, statement, partner, key string) ([]Slot, error) {
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
