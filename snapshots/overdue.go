package snapshots

import "time"

// OverdueDays is the number of days after the end of a quarter within which its figures of people
// must be built.
const OverdueDays = 3

// QuarterOverdue reports whether the quarter's figures of people are overdue on the day asOf: a
// quarter after the one that ends on the day to ended more than OverdueDays earlier. Both days are
// in UTC.
func QuarterOverdue(asOf, to time.Time) bool {
	first := time.Date(asOf.Year(), asOf.Month()-(asOf.Month()-1)%3, 1, 0, 0, 0, 0, time.UTC)
	due := first.AddDate(0, 0, -1)
	return to.Before(due) && due.AddDate(0, 0, OverdueDays).Before(asOf)
}
