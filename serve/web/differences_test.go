package web

import (
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestDifferencesAreOfPrintedShares: a difference is that of the shares as they are printed, since a
// reader takes the one from the other.
func TestDifferencesAreOfPrintedShares(t *testing.T) {
	for _, c := range []struct {
		before, after figure.Tenths
		want          string
	}{{375, 314, "−7"}, {314, 375, "+7"}, {384, 386, "+1"}, {381, 383, "+<1"}, {383, 381, "−<1"}, {3, 21, "+2"}} {
		if got := pointsBetween(c.before, c.after); got != c.want {
			t.Errorf("from %s to %s is %s points, want %s", shareInWords(c.before), shareInWords(c.after), got, c.want)
		}
	}
}

// TestNobodyIsTheMostTurnedDown: where no count of people turned down is a number above 0, the page has
// what is published in words.
func TestNobodyIsTheMostTurnedDown(t *testing.T) {
	row := func(c figure.Count) (r api.SkillsUnmetRow) {
		r.TurnedDown.Count = c
		return r
	}
	few, err := figure.ParseCount[int64](nil, figure.StatusUnderFive)
	if err != nil {
		t.Fatal(err)
	}
	none, zero := figure.Count{}, figure.CountOf(0)
	for _, c := range []struct {
		counts []figure.Count
		want   string
	}{
		{[]figure.Count{zero, few, none},
			"Of every skill, fewer than 5 people were turned down for it here, or the count is not published."},
		{[]figure.Count{zero, none}, "Nobody was turned down for a skill here, as far as counts are published."},
		{[]figure.Count{none}, "No count of people turned down is published here."},
	} {
		var rows []api.SkillsUnmetRow
		for _, n := range c.counts {
			rows = append(rows, row(n))
		}
		if got := fewTurned(rows); got != c.want {
			t.Errorf("%v: %q, want %q", c.counts, got, c.want)
		}
	}
}
