package periods

import (
	"slices"
	"testing"
	"time"
)

// TestQuarterStart: every day of a quarter has its first day.
func TestQuarterStart(t *testing.T) {
	for first, last := range map[string]string{"2024-01-01": "2024-03-31", "2026-04-01": "2026-06-30",
		"2026-07-01": "2026-09-30", "2026-10-01": "2026-12-31"} {
		from, err := time.Parse(time.DateOnly, first)
		if err != nil {
			t.Fatal(err)
		}
		for day := from; day.Format(time.DateOnly) <= last; day = day.AddDate(0, 0, 1) {
			if got := QuarterStart(day.Add(23 * time.Hour)); !got.Equal(from) {
				t.Errorf("%s is in the quarter from %s", day.Format(time.DateOnly), got.Format(time.DateOnly))
			}
		}
	}
}

// TestMonthStart holds for times of other zones: the month is that of the day in UTC.
func TestMonthStart(t *testing.T) {
	summer := time.FixedZone("BST", 3600)
	for at, want := range map[time.Time]string{
		time.Date(2026, 7, 1, 0, 30, 0, 0, summer):         "2026-06-01T00:00:00Z",
		time.Date(2026, 7, 1, 1, 0, 0, 0, summer):          "2026-07-01T00:00:00Z",
		time.Date(2026, 12, 31, 23, 59, 59, 999, time.UTC): "2026-12-01T00:00:00Z",
		time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC):       "2026-11-01T00:00:00Z",
	} {
		if got := MonthStart(at).Format(time.RFC3339); got != want {
			t.Errorf("the month of %s starts at %s, want %s", at, got, want)
		}
	}
}

// TestWindows: "One of 3, 6, 12, 24 (months)", and the last is the longest.
func TestWindows(t *testing.T) {
	if got := Windows(); !slices.Equal(got, []int{3, 6, 12, 24}) || slices.Max(got) != LongestWindow {
		t.Errorf("windows of %v months, the longest of %d", got, LongestWindow)
	}
}

func TestWindowStart(t *testing.T) {
	for _, c := range []struct {
		asOf   string
		months int
		from   string
	}{
		{"2026-11-20", 3, "2026-09-01"},
		{"2026-11-20", 6, "2026-06-01"},
		{"2026-11-20", 12, "2025-12-01"},
		{"2026-11-20", 24, "2024-12-01"},
		{"2026-11-01", 3, "2026-09-01"},
		{"2026-11-30", 3, "2026-09-01"},
		{"2027-01-31", 12, "2026-02-01"},
		{"2027-03-31", 3, "2027-01-01"}, // not 1 February: months have different lengths
		{"2028-02-29", 24, "2026-03-01"},
	} {
		asOf, err := time.Parse(time.DateOnly, c.asOf)
		if err != nil {
			t.Fatal(err)
		}
		if got := WindowStart(asOf, c.months).Format(time.DateOnly); got != c.from {
			t.Errorf("%d months to %s start on %s, want %s", c.months, c.asOf, got, c.from)
		}
	}
}
