package usage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"labour/serve/state"
)

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
func (t *Tally) Now(ctx context.Context, key string, at time.Time) (Counts, error) {
	var c Counts
	err := t.db.QueryRowContext(ctx, statement("counts_now"), key, state.Unix(hourStart(at)), state.Unix(state.MonthStart(at))).Scan(&c.Hour, &c.Month)
	if err != nil {
		return Counts{}, fmt.Errorf("read the counts of key %s: %w", key, err)
	}
	return c, nil
}

// Report is the calls of a partner (its id) up to a moment; of one of its keys when
// key is not empty.
func (t *Tally) Report(ctx context.Context, partner, key string, at time.Time) (Report, error) {
	if err := t.Flush(ctx); err != nil {
		return Report{}, err
	}
	day, month := dayStart(at), state.MonthStart(at)
	r := Report{Today: slots(day, day.AddDate(0, 0, 1), time.Hour), Month: slots(month, month.AddDate(0, 1, 0), 24*time.Hour)}
	err := errors.Join(t.fill(ctx, r.Today, time.Hour, statement("calls_by_hour"), partner, key, state.Unix(day)),
		t.fill(ctx, r.Month, 24*time.Hour, statement("calls_by_day"), partner, key, state.Unix(month)))
	if err == nil {
		r.Kinds, err = t.kinds(ctx, partner, key, day, month)
	}
	if err != nil {
		return Report{}, fmt.Errorf("report the calls of partner %s: %w", partner, err)
	}
	return r, nil
}

// slots are the windows from start to end, empty.
func slots(start, end time.Time, long time.Duration) []Slot {
	var list []Slot
	for ; start.Before(end); start = start.Add(long) {
		list = append(list, Slot{Start: start})
	}
	return list
}

func (t *Tally) fill(ctx context.Context, into []Slot, long time.Duration, statement string, args ...any) error {
	found, err := state.All(ctx, t.db, statement, func(scan func(...any) error) (Slot, error) {
		var at, calls int64
		err := scan(&at, &calls)
		return Slot{state.Time(at), calls}, err
	}, args...)
	for _, one := range found {
		if i := int(one.Start.Sub(into[0].Start) / long); i < len(into) {
			into[i].Calls = one.Calls
		}
	}
	return err
}

func (t *Tally) kinds(ctx context.Context, partner, key string, day, month time.Time) ([]Kind, error) {
	return state.All(ctx, t.db, statement("calls_by_kind"), func(scan func(...any) error) (k Kind, err error) {
		err = scan(&k.Route, &k.Status, &k.Today, &k.Month)
		return k, err
	}, partner, key, state.Unix(day), state.Unix(month))
}
