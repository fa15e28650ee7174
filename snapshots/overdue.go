package snapshots

import "time"

// OverdueDays is 3: counts of people are due within this number of days after the end of their
// quarter.
const OverdueDays = 3

// QuarterOverdue reports whether newer counts of people are overdue on the day asOf. to is the last
// day of the quarter that the latest counts describe. Newer counts are overdue if the next quarter
// ended more than OverdueDays before asOf. Both days are in UTC.
func QuarterOverdue(asOf, to time.Time) bool {
	return quarterAfter(to).AddDate(0, 0, OverdueDays).Before(asOf)
}

// NextPeopleQuarter returns the last day of the quarter that the next counts of people describe. to
// is the last day of the quarter of the latest counts, and the next ones are made on the given day.
// They describe the quarter after to, or the newest later quarter that ended before day. Both days
// are in UTC.
func NextPeopleQuarter(day, to time.Time) time.Time {
	next := quarterAfter(to)
	for later := quarterAfter(next); later.Before(day); later = quarterAfter(later) {
		next = later
	}
	return next
}

// quarterAfter returns the last day of the next quarter. end is the last day of a quarter.
func quarterAfter(end time.Time) time.Time {
	return time.Date(end.Year(), end.Month()+4, 0, 0, 0, 0, 0, time.UTC) // day 0 is the last one of the month before
}
