package snapshots

import "time"

// OverdueDays is the number of days after the end of a quarter within which its counts of people must be
// made.
const OverdueDays = 3

// QuarterOverdue reports whether newer counts of people are overdue on the day asOf. The present counts
// are for the quarter that ends on the day to. Newer ones are overdue if the next quarter ended more than
// OverdueDays before asOf. Both days are in UTC.
func QuarterOverdue(asOf, to time.Time) bool {
	nextEnd := time.Date(to.Year(), to.Month()+4, 0, 0, 0, 0, 0, time.UTC) // day 0 is the last one of the month before
	return nextEnd.AddDate(0, 0, OverdueDays).Before(asOf)
}
