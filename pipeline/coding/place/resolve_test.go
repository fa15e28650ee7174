package place

import (
	"slices"
	"strings"
	"testing"
)

// The places that a text names: without the county of the place before it, without those that
// another name rules out, and those that are left of several of one name.
func TestPlacesThatAreNamed(t *testing.T) {
	tables := madeUp()
	north, south := tables.ofArea("northshire"), tables.ofArea("southshire")
	council := func(name string, c int) segment {
		s := named(name, in(50, c))
		s.nearby = setOf(c)
		return s
	}
	county := named("county", in(50, avon)) // a council with the name of a county of several
	county.nearby = setOf(avon, bree)
	twice := named("twice", in(9, avon), in(9, esk))
	small, large := named("small", in(wellKnown-1, esk)), named("large", in(wellKnown, esk))
	for _, tt := range []struct {
		name  string
		found []segment
		want  string // name, number of places, around
	}{
		{"nothing", nil, ""},
		{"an area alone", []segment{north}, ""},
		{"a name alone", []segment{twice}, "twice 2"},
		{"a name and its county", []segment{named("one", in(9, bree)), county}, "one 1 Avon Bree"},
		{"a county alone", []segment{county}, "county 1"},
		{"a county, then another name", []segment{named("one", in(9, bree)), county, twice}, "one 1 Avon Bree, twice 2"},
		{"a name in an area after it", []segment{twice, north}, "twice 1 Avon Bree Combe"},
		{"a name in an area before it", []segment{south, twice}, "twice 1 Dale Esk"},
		{"a name and a council after it", []segment{twice, council("c", esk)}, "twice 1 Esk, c 1"},
		{"a name and a council before it", []segment{council("c", esk), twice}, "c 1, twice 2"},
		{"a small name outside an area", []segment{small, north}, ""},
		{"a large name outside an area", []segment{large, north}, "large 1"},
		{"large names outside an area", []segment{named("l", in(99, esk), in(99, forth)), north}, ""},
		{"a small name outside one area and in another", []segment{small, north, south}, "small 1 Dale Esk"},
		{"an area joined by and", []segment{small, {name: "northshire", area: north.area, nearby: north.nearby, and: true}},
			"small 1"},
		{"an area joined by and to another", []segment{south, {name: "small", spots: small.spots, and: true}, north}, ""},
		{"the narrower of two areas", []segment{named("one", in(9, avon)), tables.ofArea("wholeland"), north},
			"one 1 Avon Bree Combe"},
	} {
		var got []string
		for _, s := range tables.placesOf(tt.found) {
			text := s.name + " " + string('0'+byte(len(s.spots)))
			for _, n := range s.nearby.numbers() {
				text += " " + tables.councils[n]
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, text, tt.want)
		}
	}
}

// The place that several names of a text mean together.
func TestNamesThatMeanOnePlace(t *testing.T) {
	tables := madeUp()
	north := tables.ofArea("northshire")
	small := func(councils ...int) segment {
		s := segment{name: "small"}
		for _, c := range councils {
			s.spots = append(s.spots, in(wellKnown-1, c))
		}
		return s
	}
	large := func(councils ...int) segment {
		s := segment{name: "large"}
		for _, c := range councils {
			s.spots = append(s.spots, in(wellKnown, c))
		}
		return s
	}
	for _, tt := range []struct {
		name  string
		found []segment
		want  string
	}{
		{"nothing", nil, "; ; either "},
		{"an area", []segment{north}, "; Avon+Bree+Combe; either "},
		{"a place", []segment{small(avon)}, "Avon; ; either "},
		{"a place, then another far away that is larger", []segment{small(avon), large(esk)}, "Esk; ; either "},
		{"a place, then another far away that is as large", []segment{small(avon), small(esk)}, "Esk; ; either "},
		{"a well-known place, then another far away", []segment{large(avon), large(esk)}, "Avon; ; either "},
		{"a part of a text, then a whole", []segment{large(avon).partly(), small(esk)}, "Esk; ; either "},
		{"two parts of a text", []segment{large(avon).partly(), large(esk).partly()}, "Avon; ; either "},
		{"a whole, then a part of a text", []segment{large(avon), large(esk).partly()}, "Avon; ; either "},
		{"a name of two places, then one of them", []segment{small(avon, esk), small(esk)}, "Esk; ; either "},
		{"a name of two places, then one near one of them", []segment{small(avon, esk), large(bree)}, "Avon; ; either "},
		{"related, then another larger far away", []segment{small(avon, esk), small(bree), large(forth)}, "Avon; ; either "},
		{"not related, then another larger far away", []segment{small(avon), named("tiny", in(1, combe)), large(forth)},
			"Forth; ; either "},
		{"and, with a town after it", []segment{small(avon), small(esk).after(), small(esk)}, "Avon+Esk; ; either "},
		{"and", []segment{large(avon), large(combe).after()}, "Avon+Combe; ; either "},
		{"four places", []segment{small(avon), small(combe), small(esk), small(forth)}, "Avon+Combe+Esk+Forth; ; either "},
		{"an area and a place outside", []segment{{name: "northshire", area: north.area},
			{name: "large", spots: large(esk).spots, and: true}}, "Esk; Avon+Bree+Combe; either "},
		{"an area and a place within", []segment{{name: "northshire", area: north.area},
			{name: "large", spots: large(avon).spots, and: true}}, "Avon; ; either "},
		{"a place and an area outside", []segment{large(esk), {name: "northshire", area: north.area, and: true}},
			"Esk; Avon+Bree+Combe; either "},
		{"a place and an area outside without and", []segment{large(esk), {name: "northshire", area: north.area}},
			"Esk; ; either "},
	} {
		if got := tables.text(tables.resolve(tt.found)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Of the areas that a text names, those count that contain no other one, each once. It names a
// nation if all are.
func TestTheNarrowestAreas(t *testing.T) {
	tables := madeUp()
	tables.areas["avonshire"] = &area{name: "avonshire", members: setOf(avon), nearby: setOf(avon)}
	tables.areas["other land"] = &area{name: "other land", members: setOf(forth, esk, dale), nation: true}
	of := func(names ...string) (found []segment) {
		for _, name := range names {
			if tables.areas[name] == nil {
				found = append(found, named(name, in(9, forth)))
			} else {
				found = append(found, tables.ofArea(name))
			}
		}
		return found
	}
	for _, tt := range []struct {
		found  []segment
		want   string
		nation bool
		why    string
	}{
		{of("northshire"), "; Avon+Bree+Combe; either ", false,
			`"northshire" is the area northshire of 3 councils`},
		{of("northshire", "wholeland"), "; Avon+Bree+Combe; either ", false,
			`"northshire" is the area northshire of 3 councils`},
		{of("wholeland", "northshire"), "; Avon+Bree+Combe; either ", false,
			`"northshire" is the area northshire of 3 councils`},
		{of("wholeland"), "; Avon+Bree+Combe+Dale+Esk+Forth; either ", true,
			`"wholeland" is the area wholeland of 6 councils`},
		{of("wholeland", "wholeland"), "; Avon+Bree+Combe+Dale+Esk+Forth; either ", true,
			`"wholeland" is the area wholeland of 6 councils`},
		{of("wholeland", "other land"), "; Dale+Esk+Forth; either ", true,
			`"other land" is the area other land of 3 councils`},
		{of("northshire", "southshire"), "; Avon+Bree+Combe, Dale+Esk; either ", false,
			`"northshire" is the area northshire of 3 councils; "southshire" is the area southshire of 2 councils`},
		{of("northshire", "other land"), "; Avon+Bree+Combe, Dale+Esk+Forth; either ", false,
			`"northshire" is the area northshire of 3 councils; "other land" is the area other land of 3 councils`},
		{of("avonshire"), "Avon; ; either ", false, `"avonshire" is Avon`},
		{of("avonshire", "northshire"), "Avon; ; either ", false, `"avonshire" is Avon`},
		{of("a place", "southshire"), "; Dale+Esk; either ", false, `"southshire" is the area southshire of 2 councils`},
		{nil, "; ; either ", false, ""},
	} {
		r := tables.narrowestAreas(tt.found)
		if got := tables.text(r); got != tt.want || r.nation != tt.nation || strings.Join(r.why, "; ") != tt.why {
			t.Errorf("%s, nation %t, because %q; want %s, %t, because %s", got, r.nation, r.why, tt.want, tt.nation, tt.why)
		}
	}
}

// Two readings are one of all councils, with the first reason and the first slug that is in no list.
func TestReadingsAreAdded(t *testing.T) {
	tables := madeUp()
	r := reading{sure: setOf(avon), either: setOf(bree), wide: []set{setOf(combe)}, why: []string{"a"}, unplaced: "x"}
	r.add(reading{sure: setOf(dale), either: setOf(esk), wide: []set{setOf(forth)}, why: []string{"b"}, by: "text",
		unplaced: "y", country: CountryUK})
	r.add(reading{by: "area"})
	if got := tables.text(r); got != "Avon+Dale; Combe, Forth; either Bree+Esk" ||
		!slices.Equal(r.why, []string{"a", "b"}) ||
		r.by != "text" || r.unplaced != "x" || r.country != CountryUnknown {
		t.Errorf("%s: %+v", got, r)
	}
}
