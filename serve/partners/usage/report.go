package usage

import (
	"context"
	"time"

	"labour/serve/state"
	"labour/snapshots/periods"
)

// Reader reads the request counts that a Counter has stored.
type Reader struct{ db *state.DB }

// NewReader returns a Reader that uses the database db.
func NewReader(db *state.DB) *Reader { return &Reader{db} }

// PeriodCount is the number of requests in one hour or one day.
type PeriodCount struct {
	Start time.Time // start of the hour or day, in UTC
	Calls int64
}

// Report holds request counts by hour and by day. They are for one key or for all keys of a
// partner.
type Report struct {
	Today []PeriodCount // requests in each hour of the current day; 0 for later hours
	Month []PeriodCount // requests on each day of the current month; 0 for later days
}

// CurrentCounts returns the numbers of requests with an API key in the clock hour and in the
// calendar month that contain the time at. key is the id of the API key.
func (r *Reader) CurrentCounts(ctx context.Context, key string, at time.Time) (c Counts, err error) {
	defer state.WrapError(&err, "read the counts of key %s", key)
	err = r.db.QueryRowContext(ctx, statement("counts_now"), key, state.UnixSeconds(hourStart(at)),
		state.UnixSeconds(periods.MonthStart(at))).Scan(&c.Hour, &c.Month)
	return c, err
}

// Report returns the request counts for each hour of one day and for each day of one month. The
// time at selects the day and the month, in UTC. key is the id of one key; empty means all keys of
// the partner.
func (r *Reader) Report(ctx context.Context, partner, key string, at time.Time) (report Report, err error) {
	defer state.WrapError(&err, "report the calls of partner %s", partner)
	day, month := dayStart(at), periods.MonthStart(at)
	scanHour := func(scan func(...any) error) (one PeriodCount, err error) {
		err = scan(state.ScanTime(&one.Start), &one.Calls)
		return one, err
	}
	hours, err := state.QueryAll(ctx, r.db, statement("calls_by_hour"), scanHour, partner, key, state.UnixSeconds(month))
	report.Today = slots(hours, day, day.AddDate(0, 0, 1), time.Hour)
	report.Month = slots(hours, month, month.AddDate(0, 1, 0), 24*time.Hour)
	return report, err
}

// slots divides the time from start to end into intervals of equal length. It returns the number of
// requests in each interval. hours holds the numbers of requests by hour.
func slots(hours []PeriodCount, start, end time.Time, length time.Duration) []PeriodCount {
	var list []PeriodCount
	for at := start; at.Before(end); at = at.Add(length) {
		list = append(list, PeriodCount{Start: at})
	}
	for _, one := range hours {
		if !one.Start.Before(start) && one.Start.Before(end) {
			list[one.Start.Sub(start)/length].Calls += one.Calls
		}
	}
	return list
}
