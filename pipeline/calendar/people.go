package calendar

import (
	"time"

	"labour/snapshots/periods"
	"labour/sources"
)

// FeedCompletionDelay is how long after the end of a quarter a fetched platform feed counts as
// complete for that quarter. It applies only if the feed does not state until when it is complete.
const FeedCompletionDelay = 24 * time.Hour

// YearToLastQuarter returns the twelve months that end with the last whole quarter before the day
// asOf. For example, for 2026-11-26 they are 2025-10-01 to 2026-09-30. Counts of people describe
// these months.
func YearToLastQuarter(asOf sources.Date) Period {
	return yearBefore(sources.DateOf(periods.QuarterStart(asOf.Time())))
}

// yearToQuarterBefore returns the twelve months that end one quarter before the day end. end is the
// last day of a quarter.
func yearToQuarterBefore(end sources.Date) Period {
	return yearBefore(startOfMonth(end, -2))
}

// yearBefore returns the twelve months before quarterStart, the first day of a quarter.
func yearBefore(quarterStart sources.Date) Period {
	return Period{From: startOfMonth(quarterStart, -12), To: quarterStart.AddDays(-1)}
}

// holdsQuarter reports whether a fetched platform feed is complete for the quarter that ends on the
// day to. The feed states that it is complete until completeUntil. If completeUntil is zero,
// fetchTime must be at least FeedCompletionDelay after the end of the quarter.
func holdsQuarter(to sources.Date, completeUntil, fetchTime time.Time) bool {
	end := Period{To: to}.End()
	if !completeUntil.IsZero() {
		return !completeUntil.Before(end)
	}
	return !fetchTime.Before(end.Add(FeedCompletionDelay))
}

// YearToNewestCompleteQuarter returns the twelve months up to the newest quarter that the feed
// covers completely. The quarter must be over before the day asOf. completeUntil is the time until
// which the feed states that it is complete. If it is zero, a quarter is complete if fetchTime is
// at least FeedCompletionDelay after its end.
func YearToNewestCompleteQuarter(asOf sources.Date, completeUntil, fetchTime time.Time) Period {
	year := YearToLastQuarter(asOf)
	for !holdsQuarter(year.To, completeUntil, fetchTime) {
		year = yearToQuarterBefore(year.To)
	}
	return year
}
