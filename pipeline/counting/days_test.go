package counting

import (
	"testing"
	"time"

	"labour/sources"
)

// TestDaysTo holds that days before the first one are not distinguished, and never count as days
// far in the future.
func TestDaysTo(t *testing.T) {
	for _, c := range []struct {
		day  sources.Date
		want uint16
	}{
		{sources.Date{Year: 1969, Month: time.December, Day: 31}, 0},
		{sources.Date{Year: 1900, Month: time.January, Day: 1}, 0},
		{firstDay, 0}, {sources.Date{Year: 1970, Month: time.January, Day: 2}, 1},
		{sources.Date{Year: 2026, Month: time.November, Day: 27}, 20784},
	} {
		if got := daysTo(c.day); got != c.want {
			t.Errorf("%s is day %d, want %d", c.day, got, c.want)
		}
	}
}
