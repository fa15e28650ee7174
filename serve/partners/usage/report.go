package usage

import (
	"context"
	"time"

	"labour/serve/state"
)

// Reader reads the numbers of calls that a Counter has stored.
type Reader struct{ db *state.DB }

// NewReader returns a reader of db, which must stay open.
func NewReader(db *state.DB) *Reader { return &Reader{db} }

// WindowCalls is the number of calls in one hour or one day.
type WindowCalls struct {
	Start time.Time // in UTC
	Calls int64
}

// Report holds the numbers of calls of one key or of all keys of a partner. All numbers are exact.
type Report struct {
	Today []WindowCalls // every hour of the current day; later hours are 0
	Month []WindowCalls // every day of the current month; later days are 0
}

// CurrentCounts returns how many calls a key has made in the clock hour and the calendar month that
// contain a moment.
func (r *Reader) CurrentCounts(ctx context.Context, key string, at time.Time) (c Counts, err error) {
	defer state.WrapError(&err, "read the counts of key %s", key)
	err = r.db.QueryRowContext(ctx, statement("counts_now"), key, state.UnixSeconds(hourStart(at)),
		state.UnixSeconds(state.MonthStart(at))).Scan(&c.Hour, &c.Month)
	return c, err
}

// Report returns the calls of the partner with an id on the day and in the month of a moment. If
// key is not empty, it counts only the calls of that key.
func (r *Reader) Report(ctx context.Context, partner, key string, at time.Time) (all Report, err error) {
	defer state.WrapError(&err, "report the calls of partner %s", partner)
	day, month := dayStart(at), state.MonthStart(at)
	scanHour := func(scan func(...any) error) (one WindowCalls, err error) {
		err = scan(state.ScanTime(&one.Start), &one.Calls)
		return one, err
	}
	hours, err := state.QueryAll(ctx, r.db, statement("calls_by_hour"), scanHour, partner, key, state.UnixSeconds(month))
	all.Today = slots(hours, day, day.AddDate(0, 0, 1), time.Hour)
	all.Month = slots(hours, month, month.AddDate(0, 1, 0), 24*time.Hour)
	return all, err
}

// slots returns the windows from start to end, each of the length long, with the sum of the calls
// in hours.
func slots(hours []WindowCalls, start, end time.Time, long time.Duration) []WindowCalls {
	var list []WindowCalls
	for at := start; at.Before(end); at = at.Add(long) {
		list = append(list, WindowCalls{Start: at})
	}
	for _, one := range hours {
		if !one.Start.Before(start) && one.Start.Before(end) {
			list[one.Start.Sub(start)/long].Calls += one.Calls
		}
	}
	return list
}
