package disclosure

import (
	"fmt"
	"slices"
	"testing"
)

// TestPlacesOfABorough holds where the people of a borough count, and that those of no served borough
// count everywhere only.
func TestPlacesOfABorough(t *testing.T) {
	p := NewPlaces([]string{"camden", "hackney", "islington"},
		[]Area{{"north", []string{"camden", "islington", "elsewhere", "camden"}},
			{"all-three", []string{"hackney", "camden", "islington"}}, {"one", []string{"hackney"}}})
	if p.Len() != 7 || p.Boroughs() != 3 {
		t.Errorf("%d places, %d boroughs", p.Len(), p.Boroughs())
	}
	for slug, want := range map[string][]string{
		"camden": {"", "camden", "north", "all-three"}, "hackney": {"", "hackney", "all-three", "one"},
		"islington": {"", "islington", "north", "all-three"}, "elsewhere": {""}, "": {""}, "north": {""},
	} {
		var got []string
		for _, n := range p.Containing(p.Borough(slug)) {
			got = append(got, p.Slug(int(n)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("people of %q count in %q, want %q", slug, got, want)
		}
	}
}

// TestSharesOfEveryLevel holds the share below each of the five levels in each place that holds a borough.
func TestSharesOfEveryLevel(t *testing.T) {
	r := Rules{Protection: Plain, Places: NewPlaces([]string{"camden", "hackney"},
		[]Area{{"both", []string{"camden", "hackney"}}})}
	of := make(Residents, 3)
	for level := range of[1] {
		of[1][level].People = 5 // of 30
	}
	of[2][5].People = 30
	want := map[string]string{"": "[8 17 25 33 42]", "camden": "[17 33 50 67 83]", "hackney": "[0 0 0 0 0]",
		"both": "[8 17 25 33 42]"}
	for place, shares := range r.Residents(of) {
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
	got := Tally{Numbers: 1, UnderFive: 2, Below: 3}
	got.Add(Tally{Numbers: 10, UnderFive: 20, Below: 30})
	if want := (Tally{Numbers: 11, UnderFive: 22, Below: 33}); got != want {
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
