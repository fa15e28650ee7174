package calendar

import (
	"time"

	"labour/sources"
)

// FeedCompletionDelay is the shortest time from the end of a quarter to a fetch of the platform's
// feed that counts as complete for the quarter. It applies only if the feed does not state until
// when it is complete.
const FeedCompletionDelay = 24 * time.Hour

// PeopleQuarter returns the period that counts of people describe on the day asOf: the twelve
// months up to the end of the last quarter that ended before asOf.
func PeopleQuarter(asOf sources.Date) Period {
	first := addMonths(asOf, -(int(asOf.Month)-1)%3) // first day of the quarter that is not closed yet
	return peopleYear(first)
}

// quarterBefore returns the period of twelve months that ends one quarter before the day end.
func quarterBefore(end sources.Date) Period {
	return peopleYear(addMonths(end, -2))
}

// peopleYear returns the period of twelve months that ends the day before quarterStart, the first
// day of a quarter.
func peopleYear(quarterStart sources.Date) Period {
	return Period{From: addMonths(quarterStart, -12), To: quarterStart.AddDays(-1)}
}

// holdsQuarter reports whether a fetch of the platform's feed is complete for the quarter that ends
// on the day to. completeUntil is the time until which the feed states that it is complete. If
// completeUntil is zero, fetchTime must be at least FeedCompletionDelay after the end of the
// quarter.
func holdsQuarter(to sources.Date, completeUntil, fetchTime time.Time) bool {
	end := Period{To: to}.End()
	if !completeUntil.IsZero() {
		return !completeUntil.Before(end)
	}
	return !fetchTime.Before(end.Add(FeedCompletionDelay))
}

// YearToNewestCompleteQuarter returns a period of twelve months. The period ends with the newest
// quarter that is over on the day asOf and for which the feed is complete. The feed is complete up
// to completeUntil. If completeUntil is zero, a quarter is complete if fetchTime is at least
// FeedCompletionDelay after its end.
func YearToNewestCompleteQuarter(asOf sources.Date, completeUntil, fetchTime time.Time) Period {
	year := PeopleQuarter(asOf)
	for !holdsQuarter(year.To, completeUntil, fetchTime) {
		year = quarterBefore(year.To)
	}
	return year
}
