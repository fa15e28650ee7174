package threads

import "testing"

// TestThreadsOfAQuery: one for fewer than a million rows, DuckDB's own number from there on, and never two
// for groups.
func TestThreadsOfAQuery(t *testing.T) {
	for rows, want := range map[int64]int{0: 1, 999_999: 1, 1_000_000: 0, 5_000_000: 0} {
		if got := CountForRows(rows); got != want {
			t.Errorf("%d rows: %d threads, want %d", rows, got, want)
		}
	}
	for asked, want := range map[int]int{0: 0, 1: 1, 2: 3, 3: 3, 8: 8} {
		if got := CountForGrouping(asked); got != want {
			t.Errorf("%d threads asked: %d, want %d", asked, got, want)
		}
	}
}
