package api_test

import (
	"testing"
	"time"

	"labour/serve/api"
)

// TestQuarters are those of the calendar: every day of a quarter has its first day.
func TestQuarters(t *testing.T) {
	for first, last := range map[string]string{"2024-01-01": "2024-03-31", "2026-04-01": "2026-06-30",
		"2026-07-01": "2026-09-30", "2026-10-01": "2026-12-31"} {
		from, err := time.Parse(time.DateOnly, first)
		if err != nil {
			t.Fatal(err)
		}
		for day := from; day.Format(time.DateOnly) <= last; day = day.AddDate(0, 0, 1) {
			if got := api.QuarterStart(day.Add(23 * time.Hour)); !got.Equal(from) {
				t.Errorf("%s is in the quarter from %s", day.Format(time.DateOnly), got.Format(time.DateOnly))
			}
		}
	}
}
