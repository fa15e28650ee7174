package disclosure

import (
	"fmt"
	"slices"
	"testing"

	"labour/snapshots/figure"
)

// TestPlacesOfABorough holds where the people of a borough count, and that those of no served borough
// count everywhere only.
func TestPlacesOfABorough(t *testing.T) {
	p := NewPlaces([]string{"camden", "hackney", "islington"},
		[]Area{{"north", []string{"camden", "islington", "elsewhere", "camden"}},
			{"all-three", []string{"hackney", "camden", "islington"}}, {"one", []string{"hackney"}}})
	if p.Count() != 7 || p.BoroughCount() != 3 {
		t.Errorf("%d places, %d boroughs", p.Count(), p.BoroughCount())
	}
	for slug, want := range map[string][]string{
		"camden": {"", "camden", "north", "all-three"}, "hackney": {"", "hackney", "all-three", "one"},
		"islington": {"", "islington", "north", "all-three"}, "elsewhere": {""}, "": {""}, "north": {""},
	} {
		var got []string
		for _, n := range p.PlacesContaining(p.BoroughNumber(slug)) {
			got = append(got, p.Slug(int(n)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("people of %q count in %q, want %q", slug, got, want)
		}
	}
}

// TestSharesOfEveryLevel holds the share below each of the five levels in each place that holds a
// borough.
func TestSharesOfEveryLevel(t *testing.T) {
	r := Rules{Protection: ProtectionUnrounded, Places: NewPlaces([]string{"camden", "hackney"},
		[]Area{{"both", []string{"camden", "hackney"}}})}
	of := make(ResidentCounts, 3)
	for level := range of[1] {
		of[1][level].People = 5 // of 30
	}
	of[2][5].People = 30
	want := map[string]string{"": "[8 17 25 33 42]", "camden": "[17 33 50 67 83]", "hackney": "[0 0 0 0 0]",
		"both": "[8 17 25 33 42]"}
	for place, shares := range r.PublishedResidentShares(of) {
		var got []int64
		for _, s := range shares {
			if s == nil {
				t.Fatalf("no share in %q", r.Places.Slug(place))
			}
			got = append(got, int64(*s)/10)
		}
		if slug := r.Places.Slug(place); fmt.Sprint(got) != want[slug] {
			t.Errorf("%q: %v, want %s", slug, got, want[slug])
		}
	}
}

func TestTallyAdds(t *testing.T) {
	got := ValueTally{Numbers: 1, UnderFive: 2, WithinSmallGroup: 3}
	got.Add(ValueTally{Numbers: 10, UnderFive: 20, WithinSmallGroup: 30})
	if want := (ValueTally{Numbers: 11, UnderFive: 22, WithinSmallGroup: 33}); got != want {
		t.Errorf("%+v", got)
	}
}

// TestParseSOC holds which texts are codes.
func TestParseSOC(t *testing.T) {
	for code, want := range map[string]SOC{"2134": 42134, "213": 30213, "21": 20021, "2": 10002, "0": 10000, "21345": 0,
		"": 0, "x": 0, "213x": 0, "-1": 0, "+213": 0} {
		if got := ParseSOC(code); got != want {
			t.Errorf("%q is %d, want %d", code, got, want)
		}
	}
}

// TestCountsByPlace holds P7 with keys of 0, which round up: the count of a place is no part of a
// small group in a place that holds it.
func TestCountsByPlace(t *testing.T) {
	r := Rules{Protection: ProtectionRounded, Places: NewPlaces([]string{"a", "b", "c"}, []Area{{"ab", []string{"a",
		"b"}}})}
	people := func(all, a, b, c, ab int64) (counts []TrueCount) {
		for _, n := range []int64{all, a, b, c, ab} {
			counts = append(counts, TrueCount{People: n})
		}
		return counts
	}
	for _, tt := range []struct {
		counts []TrueCount
		want   string
	}{
		{people(60, 20, 20, 20, 40), "[60 20 20 20 40]"},
		{people(40, 5, 0, 35, 5), "[40 null null 35 5]"},   // a and b are parts of a small area
		{people(5, 0, 0, 5, 0), "[5 null null null null]"}, // all are parts of a small whole
		{people(15, 10, 5, 0, 15), "[15 10 null null 15]"}, // a whole of 15 has parts of 10 or more
		{people(20, 3, 0, 17, 3), "[20 null null 20 <5]"},  // 17 with the key 0 is rounded up
		{people(25, 5, 15, 5, 20), "[25 5 15 5 20]"},       // a whole of 20 has any part
		{people(0, 0, 0, 0, 0), "[0 0 0 0 0]"},             // nobody is no small group
		{people(100, 80, 0, 20, 80), "[100 80 0 20 80]"},   // a part of 0 in a large whole
		{people(1000, 10, 10, 980, 20), "[1000 10 10 980 20]"},
		{people(1000, 9, 10, 981, 19), "[1000 10 10 985 20]"}, // 9, 981 and 19 are rounded up
		{people(1000, 985, 0, 0, 985), "[1000 985 0 0 985]"},
		{people(1000, 0, 0, 1000, 0), "[1000 0 0 1000 0]"},
		{people(1000, 5, 10, 985, 15), "[1000 null 10 985 15]"}, // within 15 only 10 or more
		{people(1000, 10, 0, 990, 10), "[1000 10 null 990 10]"}, // within 10 only 10
		{people(1000, 15, 15, 970, 30), "[1000 15 15 970 30]"},
		{people(1000, 1, 19, 980, 20), "[1000 <5 20 980 20]"},    // within 20 even less than 5
		{people(1000, 1, 14, 985, 15), "[1000 null 15 985 15]"},  // within 15 not
		{people(1000, 0, 5, 995, 5), "[1000 null null 995 5]"},   // within 5 nothing
		{people(1000, 0, 4, 996, 4), "[1000 null null 1000 <5]"}, // within less than 5 nothing
		{people(1000, 500, 480, 20, 980), "[1000 500 480 20 980]"},
	} {
		var got []string
		for _, c := range r.PublishedByPlace(tt.counts) {
			if c.Status() == figure.StatusNotPublished {
				got = append(got, "null")
			} else {
				got = append(got, c.String())
			}
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%v: %v, want %s", tt.counts, got, tt.want)
		}
	}
}
