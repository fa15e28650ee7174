package periods

import "time"

// OverdueDays is 3: counts of people are due within this number of days after the end of their
// quarter.
const OverdueDays = 3

// QuarterOverdue reports whether counts of people for a newer quarter are overdue on the day asOf.
// to is the last day of the quarter with which the latest counts end. Newer counts are overdue if
// the quarter after it ended more than OverdueDays days before asOf. Both days are in UTC.
func QuarterOverdue(asOf, to time.Time) bool {
	return QuarterEndAfter(to).AddDate(0, 0, OverdueDays).Before(asOf)
}

// NextPeopleQuarterEnd returns the last day that the next counts of people describe, if they are
// made on the given day. to is the last day that the latest counts describe. The result is the end
// of the newest quarter that has ended before day. If that quarter is not after to, the result is
// the end of the quarter after to. All days are in UTC.
func NextPeopleQuarterEnd(day, to time.Time) time.Time {
	next := QuarterEndAfter(to)
	for later := QuarterEndAfter(next); later.Before(day); later = QuarterEndAfter(later) {
		next = later
	}
	return next
}

// QuarterEndAfter returns the last day of the next quarter. end is the last day of a quarter.
func QuarterEndAfter(end time.Time) time.Time { return MonthStart(end).AddDate(0, 4, -1) }
