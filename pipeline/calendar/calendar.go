// Package calendar has every rule of dates of the pipeline, as pure functions: which days a
// figure describes, when it is due, and when what it needs is known to be there.
//
// A day is a sources.Date and has no time zone. A period is given by its first and its last day,
// both included. Moments are in UTC.
package calendar

import (
	"time"

	"labour/sources"
)

// Period is a span of days, the first and the last included.
type Period struct {
	From sources.Date
	To   sources.Date
}

// Contains reports whether a day lies in the period.
func (p Period) Contains(d sources.Date) bool { return !d.Before(p.From) && !p.To.Before(d) }

// End returns the first moment after the period: midnight UTC after its last day.
func (p Period) End() time.Time { return p.To.AddDays(1).Time() }

// MonthStart returns the first day of the month of d.
func MonthStart(d sources.Date) sources.Date {
	return sources.Date{Year: d.Year, Month: d.Month, Day: 1}
}

// addMonths returns the first day of the month that lies n months after the month of d.
func addMonths(d sources.Date, n int) sources.Date {
	return sources.DateOf(MonthStart(d).Time().AddDate(0, n, 0))
}

// PrintedDay returns the day of a moment as its publisher prints it, in the zone that the text
// gave: "A date with a zone is the day that the publisher prints, in UTC only where no zone is
// given". The zero Date for the zero time.
func PrintedDay(t time.Time) sources.Date {
	if t.IsZero() {
		return sources.Date{}
	}
	year, month, day := t.Date()
	return sources.Date{Year: year, Month: month, Day: day}
}
