// Package calendar has every date rule of the pipeline, as pure functions: which days a figure
// describes, when it is due, and when its inputs are known to be complete.
//
// A day is a sources.Date without a time zone. A period has a first and a last day, both included.
// Times are in UTC.
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

// End returns the first moment after the period: midnight UTC after its last day.
func (p Period) End() time.Time { return p.To.AddDays(1).Time() }

// monthStart returns the first day of the month of d.
func monthStart(d sources.Date) sources.Date {
	return sources.Date{Year: d.Year, Month: d.Month, Day: 1}
}

// addMonths returns the first day of the month n months after the month of d.
func addMonths(d sources.Date, n int) sources.Date {
	return sources.DateOf(monthStart(d).Time().AddDate(0, n, 0))
}

// Age returns the number of whole days from the day of a moment to a later date, for example the
// age of a carried part of a source; 0 if the date is not later.
func Age(had time.Time, asOf sources.Date) int {
	return max(int(asOf.Time().Sub(sources.DateOf(had.UTC()).Time())/(24*time.Hour)), 0)
}

// LastShown returns the last day on which a listing showed an advert that is in one fetch and not
// in the next one: "a vacancy that the newest list does not show is closed on the day of that
// list".
func LastShown(fetched time.Time, asOf sources.Date) sources.Date {
	last := sources.DateOf(fetched)
	if eve := asOf.AddDays(-1); eve.Before(last) {
		return eve
	}
	return last
}

// PrintedDay returns the day of a moment as its publisher prints it, in the zone given in the text:
// "A date with a zone is the day that the publisher prints, in UTC only where no zone is given". It
// returns the zero Date for the zero time.
func PrintedDay(t time.Time) sources.Date {
	if t.IsZero() {
		return sources.Date{}
	}
	year, month, day := t.Date()
	return sources.Date{Year: year, Month: month, Day: day}
}
