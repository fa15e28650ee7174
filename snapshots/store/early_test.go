package store

import (
	"testing"
	"time"
)

// The next counts of people follow the last of the quarters that were made too early one after the
// other. A quarter that was made too early after one that was not does not count.
func TestQuartersSettledByEarlyOnes(t *testing.T) {
	early := EarlyQuarters{"2026-06-30": "a", "2026-09-30": "b", "2026-12-31": "c", "2027-06-30": "d"}
	for counted, want := range map[string]string{"2025-12-31": "2025-12-31", "2026-03-31": "2026-12-31",
		"2026-09-30": "2026-12-31", "2026-12-31": "2026-12-31", "2027-03-31": "2027-06-30"} {
		to, err := time.Parse(time.DateOnly, counted)
		if err != nil {
			t.Fatal(err)
		}
		if got := early.SettledTo(to).Format(time.DateOnly); got != want {
			t.Errorf("counted to %s: settled to %s, want %s", counted, got, want)
		}
	}
}
