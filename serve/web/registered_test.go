package web

import (
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestLargestErrorOfAShare: no counts that print as a part and a whole give a share that is further off
// than the pages say.
func TestLargestErrorOfAShare(t *testing.T) {
	for whole := int64(20); whole <= 300; whole++ {
		for part := int64(0); part <= whole; part++ {
			for _, w := range drawn(whole) {
				for _, p := range drawn(part) {
					said := registeredCount{Count: w}.points()
					off := 100 * (float64(min(p, w))/float64(w) - float64(part)/float64(whole))
					if max(off, -off) > float64(said) {
						t.Fatalf("%d of %d printed as %d of %d: off by %.1f, said %d", part, whole, p, w, off, said)
					}
				}
			}
		}
	}
	for count, want := range map[int64]int64{0: 100, 5: 100, 60: 14, 65: 13, 245: 4, 1000: 1} {
		if got := (registeredCount{Count: count}).points(); got != want {
			t.Errorf("of %d residents: %d points, want %d", count, got, want)
		}
	}
}

// drawn returns the multiples of 5 as which a count may be printed.
func drawn(n int64) []int64 {
	down := n - n%5
	if down == n {
		return []int64{n}
	}
	return []int64{down, down + 5}
}

// TestWarningOfFewResidents: the warning is that of the place that is off most, and has no number of
// residents, which is for who may read candidates.
func TestWarningOfFewResidents(t *testing.T) {
	city, kingston, none := registeredCount{"City", 65}, registeredCount{"Kingston", 105}, registeredCount{"Bexley", 0}
	const because = "; because counts are rounded, a share of residents can be off by "
	for _, c := range []struct {
		few  []registeredCount
		here string
		want string
	}{
		{nil, "here", ""},
		{[]registeredCount{city}, "here", "Few residents are registered here" + because + "more than 9 points."},
		{[]registeredCount{none}, "here", "Few residents are registered here" + because + "more than 9 points."},
		{[]registeredCount{kingston}, "here", "Few residents are registered here" + because + "up to 9 points."},
		{[]registeredCount{kingston, city}, "", "Few residents are registered in Kingston, City" + because +
			"more than 9 points."},
		{[]registeredCount{city, none, kingston, city, none}, "", "Few residents are registered in 5 of these places" +
			because + "more than 9 points."},
	} {
		if got := warning(c.few, c.here); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestRoundedSharesDiffer: a difference as large as the two largest errors together is not clear.
func TestRoundedSharesDiffer(t *testing.T) {
	c := counts{"city": {"City", 65}, "camden": {"Camden", 804}} // off by up to 13 points and by 1
	share := func(tenths figure.Tenths) api.Percent { return api.Percent{Tenths: &tenths} }
	for _, one := range []struct {
		in          counts
		here, there api.Percent
		want        bool
	}{
		{c, share(850), share(710), false}, {c, share(850), share(709), true}, {c, share(710), share(851), true},
		{c, share(850), api.Percent{}, true}, {nil, share(850), share(850), true},
	} {
		if got := one.in.differClearly("city", "camden", one.here, one.there); got != one.want {
			t.Errorf("%v against %v: clear is %t", one.here, one.there, got)
		}
	}
}

// TestMapDoesNotRankFewResidents: a map of shares of residents names no place with few of them as its
// highest or lowest; a map of adverts does.
func TestMapDoesNotRankFewResidents(t *testing.T) {
	rows := make([]bucketRow, 3)
	for i, place := range []string{"city", "camden", "barnet"} {
		rows[i].Bucket = &place
	}
	v := &request{registered: counts{"city": {"City", 65}, "camden": {"Camden", 250}, "barnet": {"Barnet", 2000}}}
	if got := rankedOn(v, measure{Field: "people_below_share_pct"}, rows); len(got) != 2 || *got[0].Bucket != "camden" {
		t.Errorf("of residents it ranks %d places", len(got))
	}
	if got := rankedOn(v, measure{Field: "adverts_share_pct"}, rows); len(got) != len(rows) {
		t.Errorf("of adverts it ranks %d places", len(got))
	}
}
