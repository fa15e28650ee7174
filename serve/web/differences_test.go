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
		{[]figure.Count{zero, none, zero}, "Every published count of people turned down for a skill here is 0. " +
			"For 1 of 3 skills no count is published."},
		{[]figure.Count{zero}, "Every published count of people turned down for a skill here is 0."},
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

// TestTheMostTurnedDown: rounded counts are often equal, so each row with the largest is among the first.
func TestTheMostTurnedDown(t *testing.T) {
	for _, c := range []struct {
		counts []int64
		want   int
	}{{nil, 0}, {[]int64{10}, 1}, {[]int64{10, 10, 5}, 2}, {[]int64{10, 10}, 2}, {[]int64{15, 10, 10}, 1}} {
		var rows []api.SkillsUnmetRow
		for _, n := range c.counts {
			rows = append(rows, api.SkillsUnmetRow{TurnedDown: api.Count{Count: figure.CountOf(n)}})
		}
		if got := turnedDownMost(rows); len(got) != c.want {
			t.Errorf("%v: %d have the largest count, want %d", c.counts, len(got), c.want)
		}
	}
}

// TestSkillsWithoutScores: where no score is published, the first skill is not called the most unmet one.
func TestSkillsWithoutScores(t *testing.T) {
	score := int64(1)
	with, without := api.SkillsUnmetRow{Score: api.Score{TenThousandths: &score}}, api.SkillsUnmetRow{}
	for _, c := range []struct {
		rows []api.SkillsUnmetRow
		want string
	}{
		{[]api.SkillsUnmetRow{with, with}, "Most unmet skill"},
		{[]api.SkillsUnmetRow{without}, "Most asked-for skill"},
		{[]api.SkillsUnmetRow{without, with}, "Most unmet skill, or most asked-for one without figures about people"},
	} {
		if got := leadHeading(c.rows); got != c.want || haveScores(c.rows) != (c.want != "Most asked-for skill") {
			t.Errorf("%d rows: %q, want %q", len(c.rows), got, c.want)
		}
	}
}
