package calendar

import "labour/sources"

// LongestWindowMonths is the longest window that the API offers, in months.
const LongestWindowMonths = 24

// WindowOfMonths returns the first and last day of a window of the given number of calendar months. The
// window ends on asOf, and its last month is the month of asOf.
func WindowOfMonths(asOf sources.Date, months int) Period {
	return Period{From: addMonths(asOf, 1-months), To: asOf}
}
