package main

import "testing"

// TestPercentIsWhole: a share of nearly all is not all.
func TestPercentIsWhole(t *testing.T) {
	for want, c := range map[string][2]int64{"-": {0, 0}, "0%": {0, 7}, "1%": {1, 200}, "99%": {9_995, 10_000},
		"100%": {7, 7}} {
		if got := percent(c[0], c[1]); got != want {
			t.Errorf("%d of %d is %s, want %s", c[0], c[1], got, want)
		}
	}
}
