package calendar

import (
	"labour/snapshots/periods"
	"labour/sources"
)

// LongestWindow returns the longest window of adverts that ends on the day asOf. Older adverts are
// not counted.
func LongestWindow(asOf sources.Date) Period {
	return Period{From: sources.DateOf(periods.WindowStart(asOf.Time(), periods.LongestWindow)), To: asOf}
}
