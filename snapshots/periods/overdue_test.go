package periods

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

// TestNextPeopleQuarterEnd holds that the quarter after the present one comes next until a later one
// has ended. A day of a quarter's end is still in the quarter.
func TestNextPeopleQuarterEnd(t *testing.T) {
	for _, c := range []struct{ day, to, want string }{
		{"2026-11-20", "2026-09-30", "2026-12-31"}, {"2027-02-01", "2026-09-30", "2026-12-31"},
		{"2027-03-31", "2026-09-30", "2026-12-31"}, {"2027-04-01", "2026-09-30", "2027-03-31"},
		{"2028-01-20", "2027-06-30", "2027-12-31"}, {"2028-01-20", "2027-12-31", "2028-03-31"},
		{"2026-05-01", "2026-03-31", "2026-06-30"}, {"2026-01-01", "2026-09-30", "2026-12-31"},
	} {
		day, errOf := time.Parse(time.DateOnly, c.day)
		to, errTo := time.Parse(time.DateOnly, c.to)
		if errOf != nil || errTo != nil {
			t.Fatal(errOf, errTo)
		}
		if got := NextPeopleQuarterEnd(day, to).Format(time.DateOnly); got != c.want {
			t.Errorf("on %s the figures to %s are followed by those to %s, want %s", c.day, c.to, got, c.want)
		}
	}
}
