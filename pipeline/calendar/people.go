package calendar

import (
	"time"

	"labour/snapshots"
	"labour/sources"
)

// ExportDelay applies if the feed does not state how far it is complete. An extract is then known
// to be complete for a quarter if it was fetched this long after its end: "an extract fetched at
// least 24 hours after the quarter's end".
const ExportDelay = 24 * time.Hour

// PeopleQuarter returns the first and the last day that figures of people describe: "the twelve
// months up to the end of the last closed calendar quarter". A quarter is closed on the day after
// its last day: on 1 January the quarter to 31 December is closed, on 31 December only the one to
// 30 September.
func PeopleQuarter(asOf sources.Date) (from, to sources.Date) {
	first := addMonths(asOf, -(int(asOf.Month)-1)%3) // first day of the quarter that is not closed yet
	return peopleYear(first)
}

// quarterBefore returns the period of the previous quarter's figures of people, given the last day
// of this one.
func quarterBefore(to sources.Date) (from, before sources.Date) {
	return peopleYear(addMonths(to, -2))
}

// peopleYear returns the twelve months before the first day of a quarter.
func peopleYear(first sources.Date) (from, to sources.Date) {
	return addMonths(first, -12), first.AddDays(-1)
}

// holdsQuarter reports whether an extract is known to contain everything recorded up to the end of
// the quarter's last day. completeUntil is the time that the feed states, "a time in UTC,
// exclusive: everything recorded before it is there", or the zero time if it states none. In that
// case the extract must have been fetched at least ExportDelay after the quarter's end.
func holdsQuarter(to sources.Date, completeUntil, fetched time.Time) bool {
	end := Period{To: to}.End()
	if !completeUntil.IsZero() {
		return !completeUntil.Before(end)
	}
	return !fetched.Before(end.Add(ExportDelay))
}

// QuarterHeld returns the newest period of figures of people that is closed on asOf and for which
// an extract is known to be complete: "a first run ever takes the latest quarter that its feed is
// known to hold whole".
func QuarterHeld(asOf sources.Date, completeUntil, fetched time.Time) (from, to sources.Date) {
	from, to = PeopleQuarter(asOf)
	for !holdsQuarter(to, completeUntil, fetched) {
		from, to = quarterBefore(to)
	}
	return from, to
}

// QuarterOverdue reports whether the figures of people that end on the day to should have been
// replaced: on asOf, a later quarter has been closed for more than snapshots.OverdueDays. The
// server uses the same rule.
func QuarterOverdue(asOf, to sources.Date) bool {
	return snapshots.QuarterOverdue(asOf.Time(), to.Time())
}
