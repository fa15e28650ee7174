package snapshots

import "time"

// OverdueDays is how many days after the end of a quarter its figures of people are overdue: "A
// quarter overdue by more than three days is a remark in the report and on `/status`".
const OverdueDays = 3

// QuarterOverdue reports whether figures of people that end on the day to should have been replaced
// by asOf: a later quarter ended more than OverdueDays ago. Both are days in UTC.
func QuarterOverdue(asOf, to time.Time) bool {
	first := time.Date(asOf.Year(), asOf.Month()-(asOf.Month()-1)%3, 1, 0, 0, 0, 0, time.UTC)
	due := first.AddDate(0, 0, -1)
	return to.Before(due) && due.AddDate(0, 0, OverdueDays).Before(asOf)
}
