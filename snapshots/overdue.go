package snapshots

import "time"

// OverdueDays is the number of days after the end of a quarter within which its counts of people must be
// made.
const OverdueDays = 3

// QuarterOverdue reports whether newer counts of people are overdue on the day asOf. The present counts
// are for the quarter that ends on the day to. Newer ones are overdue if the next quarter ended more than
// OverdueDays before asOf. Both days are in UTC.
func QuarterOverdue(asOf, to time.Time) bool {
	return quarterAfter(to).AddDate(0, 0, OverdueDays).Before(asOf)
}

// NextPeopleQuarter returns the last day of the quarter that the next counts of people describe, if
// they are made on the given day from a complete feed. The present counts are for the quarter that
// ends on the day to. The next quarter is the one after it, or the newest one that ended before day.
// Both days are in UTC.
func NextPeopleQuarter(day, to time.Time) time.Time {
	next := quarterAfter(to)
	for later := quarterAfter(next); later.Before(day); later = quarterAfter(later) {
		next = later
	}
	return next
}

// quarterAfter returns the last day of the quarter after the one that ends on the day end.
func quarterAfter(end time.Time) time.Time {
	return time.Date(end.Year(), end.Month()+4, 0, 0, 0, 0, 0, time.UTC) // day 0 is the last one of the month before
}
