package calendar

import "labour/sources"

// LongestWindow is the longest window in the API, in months: "`window`: One of 3, 6, 12, 24
// (months)".
const LongestWindow = 24

// Window returns the days of a window of adverts: "calendar months up to and including the month of
// `as_of`". It ends on asOf itself, since later adverts are not known yet.
func Window(asOf sources.Date, months int) Period {
	return Period{From: addMonths(asOf, 1-months), To: asOf}
}
