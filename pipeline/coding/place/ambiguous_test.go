package place

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The councils of the made-up tables: Avon and Bree are near each other, and so are Combe and Dale.
const (
	avon = iota
	bree
	combe
	dale
	esk
	forth
)

// madeUp returns tables of six councils and three areas without any name of a place.
func madeUp() *tables {
	t := &tables{councils: []string{"Avon", "Bree", "Combe", "Dale", "Esk", "Forth"}, numbers: map[string]int{},
		spots: map[string][]spot{}, areas: map[string]*area{}, fuzzy: map[string][]string{}, postcodes: map[string][]part{},
		near: []set{setOf(avon, bree), setOf(avon, bree), setOf(combe, dale), setOf(combe, dale), setOf(esk)}}
	for name, members := range map[string]set{"northshire": setOf(avon, bree, combe), "southshire": setOf(dale, esk),
		"wholeland": setOf(avon, bree, combe, dale, esk, forth)} {
		t.areas[name] = &area{name: name, members: members, nearby: members, nation: name == "wholeland"}
	}
	return t
}

// in is a place of this size in each of the councils.
func in(size int, councils ...int) spot {
	s := spot{councils: setOf(councils...), size: size * len(councils)}
	for _, c := range councils {
		s.parts = append(s.parts, part{c, size})
	}
	return s
}

// named is a name that means these places.
func named(name string, spots ...spot) segment { return segment{name: name, spots: spots} }

// ofArea is the name of an area of the tables.
func (t *tables) ofArea(name string) segment {
	return segment{name: name, area: t.areas[name], nearby: t.areas[name].nearby}
}

// and puts "and" before a name, and part marks it as a part of a longer text.
func (s segment) after() segment  { s.and = true; return s }
func (s segment) partly() segment { s.partial = true; return s }

// text writes what a reading is sure of, and the sets that it may mean.
func (t *tables) text(r reading) string {
	names := func(s set) string {
		var all []string
		for _, n := range s.numbers() {
			all = append(all, t.councils[n])
		}
		return strings.Join(all, "+")
	}
	var wide []string
	for _, w := range r.wide {
		wide = append(wide, names(w))
	}
	return fmt.Sprintf("%s; %s; either %s", names(r.sure), strings.Join(wide, ", "), names(r.either))
}

// A place is in the council that has half of it or more, of those that are preferred if it is in
// any; otherwise it may be in all of them.
func TestTheMainCouncilOfAPlace(t *testing.T) {
	tables := madeUp()
	for _, tt := range []struct {
		parts  []part
		around set
		want   string
	}{
		{[]part{{avon, 1}}, set{}, "Avon; ; either "},
		{[]part{{avon, 50}, {bree, 50}}, set{}, "Avon; ; either "},
		{[]part{{avon, 49}, {bree, 30}, {combe, 21}}, set{}, "; Avon+Bree+Combe; either "},
		{[]part{{avon, 50}, {bree, 30}, {combe, 20}}, set{}, "Avon; ; either "},
		{[]part{{avon, 20}, {bree, 30}, {combe, 50}}, set{}, "Combe; ; either "},
		{[]part{{avon, 49}, {bree, 30}, {combe, 21}}, setOf(bree, combe), "Bree; ; either "},
		{[]part{{avon, 49}, {bree, 30}, {combe, 21}}, setOf(combe, esk), "Combe; ; either "},
		{[]part{{avon, 49}, {bree, 30}, {combe, 21}}, setOf(esk), "; Avon+Bree+Combe; either "},
	} {
		if got := tables.text(mainCouncil(tt.parts, tt.around, "so")); got != tt.want {
			t.Errorf("%v around %v: %s, want %s", tt.parts, tt.around.numbers(), got, tt.want)
		}
	}
	if r := mainCouncil([]part{{avon, 1}}, set{}, "so"); r.country != CountryUK || !slices.Equal(r.why, []string{"so"}) {
		t.Errorf("%+v", r)
	}
}

// A name means its largest place, unless another one in other councils is more than a quarter as large.
func TestAmbiguousNames(t *testing.T) {
	tables := madeUp()
	for _, tt := range []struct {
		spots []spot
		want  string
		why   string
	}{
		{[]spot{in(100, avon)}, "Avon; ; either ", `"x" is in Avon`},
		{[]spot{in(100, avon), in(25, bree)}, "Avon; ; either ", `"x" is in Avon`},
		{[]spot{in(100, avon), in(26, bree)}, "; Avon+Bree; either Avon+Bree", `"x" may mean a place in Avon or Bree`},
		{[]spot{in(26, bree), in(100, avon), in(10, esk)}, "; Avon+Bree; either Avon+Bree",
			`"x" may mean a place in Avon or Bree`},
		{[]spot{in(100, avon), in(90, avon)}, "Avon; ; either ", `"x" is in Avon`},
		{[]spot{in(30, avon, bree, combe)}, "; Avon+Bree+Combe; either ", `"x" is in Avon or Bree or Combe`},
		{[]spot{in(9, avon), in(9, bree), in(9, combe), in(9, dale)}, "; Avon+Bree+Combe+Dale; either Avon+Bree+Combe+Dale",
			`"x" may mean a place in Avon or Bree or Combe or Dale`},
		{[]spot{in(9, avon), in(9, bree), in(9, combe), in(9, dale), in(9, esk)},
			"; Avon+Bree+Combe+Dale+Esk; either Avon+Bree+Combe+Dale+Esk", `"x" may mean a place in one of 5 councils`},
	} {
		r := tables.resolvePlace(named("x", tt.spots...))
		if got := tables.text(r); got != tt.want || len(r.why) != 1 || r.why[0] != tt.why {
			t.Errorf("%v: %s, because %q, want %s, because %s", tt.spots, got, r.why, tt.want, tt.why)
		}
	}
	s := named("x", in(30, avon, bree, combe))
	s.nearby = setOf(bree)
	if got := tables.text(tables.resolvePlace(s)); got != "Bree; ; either " {
		t.Errorf("with Bree around: %s", got)
	}
}

// Of several places that have a name, those in a council of the other name count, or else those near it.
func TestPlacesNearOthers(t *testing.T) {
	tables := madeUp()
	inAvon, inBree, inCombe, inEsk, inForth := in(1, avon), in(2, bree), in(3, combe), in(4, esk), in(5, forth)
	sizes := func(spots []spot) (all []int) {
		for _, s := range spots {
			all = append(all, s.size)
		}
		return all
	}
	for _, tt := range []struct {
		spots, others []spot
		want          []int
	}{
		{[]spot{inAvon, inBree, inCombe}, []spot{inAvon}, []int{1}},
		{[]spot{inAvon, inBree, inCombe}, []spot{inBree, inCombe}, []int{2, 3}},
		{[]spot{inBree, inCombe}, []spot{inAvon}, []int{2}}, // Bree is near Avon
		{[]spot{inEsk, inCombe}, []spot{inAvon}, nil},
		{[]spot{inEsk, inForth}, []spot{inForth}, []int{5}}, // nothing is known to be near Forth
		{[]spot{inEsk}, []spot{inForth}, nil},
		{[]spot{inEsk}, nil, nil},
	} {
		if got := sizes(tables.relatedTo(tt.spots, tt.others)); !slices.Equal(got, tt.want) {
			t.Errorf("%v of %v near %v, want %v", got, sizes(tt.spots), sizes(tt.others), tt.want)
		}
	}
	wide := tables.ofArea("southshire") // Dale and Esk, after which people also write Forth
	wide.nearby = setOf(dale, esk, forth)
	for _, tt := range []struct {
		spots []spot
		want  []int
	}{
		{[]spot{inEsk, inForth, inCombe}, []int{4}}, {[]spot{inForth, inCombe}, []int{5}},
		{[]spot{inCombe, inAvon}, []int{3}},
		{[]spot{inAvon, inBree}, nil},
	} {
		if got := sizes(tables.fitting(tt.spots, wide)); !slices.Equal(got, tt.want) {
			t.Errorf("%v of %v fit, want %v", got, sizes(tt.spots), tt.want)
		}
	}
}

// Several names are a list if "and" joins two that are apart, if all of four or more are apart, or
// all of three that are well known. Otherwise they are one place.
func TestListsOfPlaces(t *testing.T) {
	tables := madeUp()
	large := func(c int) segment { return named("large", in(wellKnown, c)) }
	small := func(c int) segment { return named("small", in(wellKnown-1, c)) }
	for _, tt := range []struct {
		name   string
		places []segment
		want   bool
	}{
		{"one", []segment{large(avon)}, false},
		{"two", []segment{large(avon), large(combe)}, false},
		{"two with and", []segment{large(avon), large(combe).after()}, true},
		{"two with and, the last of them near", []segment{large(avon), large(bree).after()}, true},
		{"two of one council with and", []segment{large(avon), large(avon).after()}, false},
		{"and before the first", []segment{large(avon).after(), large(combe)}, false},
		{"near ones with and, before another", []segment{large(avon), small(bree).after(), large(combe)}, false},
		{"ones apart with and, before another", []segment{large(avon), large(combe).after(), large(combe)}, true},
		{"three large", []segment{large(avon), large(combe), large(esk)}, true},
		{"three, one small", []segment{large(avon), small(combe), large(esk)}, false},
		{"three, the last small", []segment{large(avon), large(combe), small(esk)}, false},
		{"three, two of one council", []segment{large(avon), large(combe), large(avon)}, false},
		{"three, one partly", []segment{large(avon), large(combe).partly(), large(esk)}, false},
		{"four small", []segment{small(avon), small(combe), small(esk), small(forth)}, true},
		{"four, one partly", []segment{small(avon), small(combe), small(esk), small(forth).partly()}, false},
		{"five small", []segment{small(avon), small(combe), small(esk), small(forth), small(dale)}, true},
	} {
		if got := tables.isList(tt.places); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
