package calendar

import (
	"labour/snapshots/periods"
	"labour/sources"
)

// LongestWindow returns the longest period over which adverts are counted, for the date asOf. It is
// 24 months, including the month of asOf, and ends on that day.
func LongestWindow(asOf sources.Date) Period {
	return Period{From: sources.DateOf(periods.WindowStart(asOf.Time(), periods.LongestWindow)), To: asOf}
}
