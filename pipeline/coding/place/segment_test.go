package place

import (
	"fmt"
	"slices"
	"testing"
)

// A name is an area, the council that is smaller than the county of its name, a council, or a
// place; an area hides the places of its name.
func TestWhatANameMeans(t *testing.T) {
	tables := madeUp()
	council := in(9, dale)
	council.council = true
	tables.areas["avon county"] = &area{name: "avon county", members: setOf(avon, bree), nearby: setOf(avon, bree, combe)}
	tables.spots = map[string][]spot{"avon": {in(9, avon)}, "dale": {council}, "town": {in(9, esk)},
		"dales": {council, in(9, esk)}, "northshire": {in(9, forth)}}
	for name, want := range map[string]string{
		"northshire": "area, around [0 1 2], 0 places", "avon": "around [0 1 2], 1 places", "dale": "around [3], 1 places",
		"town": "around [], 1 places", "dales": "around [], 2 places", "nowhere": "around [], 0 places",
	} {
		s := tables.segment(name)
		got := fmt.Sprintf("around %v, %d places", s.nearby.numbers(), len(s.spots))
		if s.area != nil {
			got = "area, " + got
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]bool{"boston": true, "leeds": false, "united kingdom": false, "georgia": true} {
		if got := loadTables().segment(name).doubtful; got != want {
			t.Errorf("%s is doubtful: %t", name, got)
		}
	}
}

// The first known postcode of a text, with its sector where that is known.
func TestPostcodesOfATextOfAPlace(t *testing.T) {
	tables := madeUp()
	tables.postcodes = map[string][]part{"EH1": {{avon, 100}}, "EH1-2": {{bree, 100}}, "M4": {{combe, 100}}}
	for text, want := range map[string]string{"eh1": "Avon eh1", "at eh1 2ab now": "Bree eh1 2ab",
		"eh1 3ab": "Avon eh1 3ab",
		"zz9 m4":  "Combe m4", "eh": "", "": "", "meh1": "", "m4x": ""} {
		at, code := tables.postcodeIn(text)
		got := ""
		if at != nil {
			got = tables.councils[at[0].council] + " " + code
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"eh1 2ab": true, "eh1": false, "zz9 9zz": true, "": false} {
		if got := hasFullPostcode(text); got != want {
			t.Errorf("%q has a full postcode: %t", text, got)
		}
	}
}

// Sets of councils of every word of their numbers.
func TestSetsOfCouncils(t *testing.T) {
	s := setOf(0, 63, 64, 511)
	if got := s.numbers(); !slices.Equal(got, []int{0, 63, 64, 511}) || s.len() != 4 {
		t.Errorf("the numbers are %v, %d of them", got, s.len())
	}
	for n, want := range map[int]bool{0: true, 1: false, 62: false, 63: true, 64: true, 65: false, 510: false,
		511: true} {
		if s.has(n) != want {
			t.Errorf("it has %d: %t", n, !want)
		}
	}
	if !setOf(63).isSubset(s) || setOf(63, 65).isSubset(s) || !s.meets(setOf(65, 64)) || s.meets(setOf(65)) ||
		!(set{}).isEmpty() {
		t.Error("a part of the set is not in it, or another one is")
	}
	for _, c := range []struct{ a, b, want set }{{set{}, s, s}, {s, setOf(1), setOf(1)}, {setOf(1), s, setOf(1)},
		{setOf(1), setOf(2), setOf(1)}} {
		if got := narrower(c.a, c.b); got != c.want {
			t.Errorf("the narrower of %v and %v is %v", c.a.numbers(), c.b.numbers(), got.numbers())
		}
	}
}
