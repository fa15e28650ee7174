package calendar

import "labour/sources"

// LongestWindowMonths is the longest window that the API offers, in months.
const LongestWindowMonths = 24

// WindowOfMonths returns a window of calendar months that ends on the day asOf. The month of asOf
// is the last of them. For example, 3 months to 2026-07-15 are 2026-05-01 to 2026-07-15.
func WindowOfMonths(asOf sources.Date, months int) Period {
	return Period{From: startOfMonth(asOf, 1-months), To: asOf}
}
