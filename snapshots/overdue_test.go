package snapshots

import (
	"testing"
	"time"
)

// TestQuarterOverdue holds the day from which a quarter is overdue, in each quarter of a year.
func TestQuarterOverdue(t *testing.T) {
	for _, c := range []struct {
		asOf, to string
		want     bool
	}{
		{"2027-01-03", "2026-09-30", false}, {"2027-01-04", "2026-09-30", true}, {"2027-01-04", "2026-12-31", false},
		{"2027-03-31", "2026-09-30", true}, {"2027-03-31", "2026-12-31", false},
		{"2027-04-03", "2026-12-31", false}, {"2027-04-04", "2026-12-31", true}, {"2027-06-30", "2027-03-31", false},
		{"2027-07-04", "2027-03-31", true}, {"2027-10-04", "2027-06-30", true}, {"2027-12-31", "2027-09-30", false},
		// overdue since January: the first days of the next quarter change nothing
		{"2027-04-01", "2026-09-30", true}, {"2027-04-03", "2026-09-30", true}, {"2027-07-01", "2026-09-30", true},
	} {
		asOf, errOf := time.Parse(time.DateOnly, c.asOf)
		to, errTo := time.Parse(time.DateOnly, c.to)
		if errOf != nil || errTo != nil {
			t.Fatal(errOf, errTo)
		}
		if got := QuarterOverdue(asOf, to); got != c.want {
			t.Errorf("on %s the figures to %s are overdue: %t", c.asOf, c.to, got)
		}
	}
}
