// Package periods holds the periods that figures describe: months, quarters, and windows of months up
// to a date. A day is a time at midnight UTC.
package periods

import "time"

// LongestWindow is the longest window of adverts, in months. Older adverts count in no figure.
const LongestWindow = 24

// Windows returns the lengths of the windows of adverts in months, the shortest first. The
// specification of the parameter window: "One of 3, 6, 12, 24 (months)."
func Windows() []int { return []int{3, 6, 12, LongestWindow} }

// WindowStart returns the first day of a window of calendar months. The month of asOf is the last of
// them. For example, 3 months to 2026-07-15 start on 2026-05-01.
func WindowStart(asOf time.Time, months int) time.Time {
	return MonthStart(asOf).AddDate(0, 1-months, 0)
}

// MonthStart returns the first day of the calendar month that contains t, in UTC.
func MonthStart(t time.Time) time.Time {
	year, month, _ := t.UTC().Date()
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// QuarterStart returns the first day of the calendar quarter that contains t, in UTC.
func QuarterStart(t time.Time) time.Time {
	start := MonthStart(t)
	return start.AddDate(0, -(int(start.Month())-1)%3, 0)
}
