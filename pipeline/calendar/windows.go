package calendar

import "labour/sources"

// LongestWindow is the longest window that the API offers, in months.
const LongestWindow = 24

// Window returns the days of a window of so many calendar months. The last month is that of asOf,
// and the window ends on asOf.
func Window(asOf sources.Date, months int) Period {
	return Period{From: addMonths(asOf, 1-months), To: asOf}
}
