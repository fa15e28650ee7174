package calendar

import "labour/sources"

// LongestWindow is the longest window that the API offers, in months.
const LongestWindow = 24

// Window returns the first and last day of a window of the given number of calendar months. The
// window ends on asOf, and its last month is the month of asOf.
func Window(asOf sources.Date, months int) Period {
	return Period{From: addMonths(asOf, 1-months), To: asOf}
}
