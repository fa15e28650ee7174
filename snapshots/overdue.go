package snapshots

import "time"

// OverdueDays is within how many days after the end of a quarter its counts of people must be
// made.
const OverdueDays = 3

// QuarterOverdue reports whether newer counts of people are overdue on the day asOf: the quarter
// after the one that ends on the day to has ended more than OverdueDays before. Both days are in
// UTC.
func QuarterOverdue(asOf, to time.Time) bool {
	first := time.Date(asOf.Year(), asOf.Month()-(asOf.Month()-1)%3, 1, 0, 0, 0, 0, time.UTC)
	due := first.AddDate(0, 0, -1)
	return to.Before(due) && due.AddDate(0, 0, OverdueDays).Before(asOf)
}
