// Package calendar holds the date rules of the pipeline. They determine which days a figure
// describes, when it is calculated again, and when its data are complete.
//
// A day is a sources.Date, without a time zone. A period includes its first and last day. Times are
// in UTC.
package calendar

import (
	"time"

	"labour/snapshots/periods"
	"labour/sources"
)

// Period is a range of days, including the first and the last.
type Period struct {
	From sources.Date
	To   sources.Date
}

// IsZero reports whether p is the zero Period, which means that there is no period.
func (p Period) IsZero() bool { return p == Period{} }

// End returns midnight UTC after the last day of the period.
func (p Period) End() time.Time { return p.To.AddDays(1).Time() }

// startOfMonth returns the first day of the month that is n months after d's month. n may be
// negative.
func startOfMonth(d sources.Date, n int) sources.Date {
	return sources.DateOf(periods.MonthStart(d.Time()).AddDate(0, n, 0))
}

// IsSameWeek reports whether two days are in the same week. A week begins on Monday.
func IsSameWeek(a, b sources.Date) bool {
	yearOfA, weekOfA := a.Time().ISOWeek()
	yearOfB, weekOfB := b.Time().ISOWeek()
	return yearOfA == yearOfB && weekOfA == weekOfB
}

// AgeInDays returns the number of days from the UTC date of start to the day asOf. It is never
// negative.
func AgeInDays(start time.Time, asOf sources.Date) int {
	return max(int(asOf.Time().Sub(sources.DateOf(start.UTC()).Time())/(24*time.Hour)), 0)
}

// LastListedDay returns the last day on which a source listed an advert as live. fetchTime is the
// time of the newest fetch that has the advert. The result is never later than the day before asOf.
func LastListedDay(fetchTime time.Time, asOf sources.Date) sources.Date {
	last := sources.DateOf(fetchTime)
	if eve := asOf.AddDays(-1); eve.Before(last) {
		return eve
	}
	return last
}
