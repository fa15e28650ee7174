package usage

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
	"labour/snapshots/periods"
)

// Against a list: a counter stays while its window began less than the time of its
// span ago.
func TestPrune(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		key := keyOf(t, db, "A")
		now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
		var want []string
		add := func(span string, at time.Time, stays bool) {
			if _, err := db.Exec(`INSERT INTO usage_counts (key_id, span, starts_at, calls) VALUES ($1, $2, $3, 1)`,
				key, span, state.UnixSeconds(at)); err != nil {
				t.Fatal(err)
			}
			if stays {
				want = append(want, fmt.Sprint(span, " ", state.UnixSeconds(at)))
			}
		}
		for back := range 900 {
			add("hour", hourStart(now).Add(-time.Duration(back)*time.Hour), back <= 32*24)
		}
		for back := range 40 {
			add("month", periods.MonthStart(now).AddDate(0, -back, 0), back <= 25)
		}
		for range 2 {
			if err := PruneCounts(context.Background(), db, now); err != nil {
				t.Error(err)
			}
		}
		rows, err := db.Query(`SELECT span, starts_at FROM usage_counts`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var got []string
		for rows.Next() {
			var span string
			var at int64
			if err := rows.Scan(&span, &at); err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(span, " ", at))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("kept %v\nwant %v", got, want)
		}
	})
}
