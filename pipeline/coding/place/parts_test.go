package place

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// A text is split into places and these into parts; the words and names are those of the built-in tables.
func TestPartsOfATextAreSplit(t *testing.T) {
	tables := loadTables()
	joined := func(all [][]string) string {
		var out []string
		for _, parts := range all {
			out = append(out, strings.Join(parts, ", "))
		}
		return strings.Join(out, " | ")
	}
	for text, want := range map[string]string{
		"Leeds":                          "leeds",
		"Leeds; York":                    "leeds | york",
		"Leeds / York":                   "leeds | york",
		"Derry/Londonderry":              "derry londonderry",
		"Leeds, West Yorkshire, UK":      "leeds, west yorkshire, uk",
		"Ireland, Northern":              "northern ireland",
		"Belfast, Ireland, Northern, UK": "belfast, northern ireland, uk",
		"Northern, Ireland":              "northern ireland", "Northern, Ireland, x": "northern, ireland, x",
		"London and New York":                  "london | new york",
		"Office, London and New York, Floor 2": "london | new york, floor 2",
		"Paris and Leeds":                      "paris | leeds",
		"Leeds and York":                       "leeds and york",
		"Paris and Nowhere":                    "paris and nowhere",
		"Nowhere and Paris":                    "nowhere and paris",
		"barking and dagenham":                 "barking and dagenham",
		"UK London":                            "uk, london",
		"US Austin Office":                     "us, austin",
		"Canada Water":                         "canada water",
		"UK Road":                              "uk road",
		"Dublin, Leeds":                        "dublin | leeds",
		"Leeds, Berlin":                        "leeds | berlin",
		"Epsom, Auckland":                      "epsom, auckland",
		"Leeds, Berlin, Germany":               "leeds, berlin, germany",
		"Leeds, York":                          "leeds, york",
		"Berlin, Paris":                        "berlin, paris",
		"Dublin 18":                            "dublin",
		"Greater Sydney":                       "sydney",
		"Waikato Region":                       "waikato",
		"Greater Nowhere Region":               "greater nowhere region",
		strings.Repeat("x", 399) + " Leeds":    strings.Repeat("x", 399),
		"Leeds " + strings.Repeat("é", 300):    "leeds " + strings.Repeat("e", 197),
		"Within the M4 corridor":               "m4 corridor",
		"M25 1AA":                              "m25 1aa",
		"Leeds, M25":                           "leeds",
		"near the M1, Leeds":                   "leeds",
		"Salford M5 area":                      "salford",
	} {
		if got := joined(tables.alternatives(text)); got != want {
			t.Errorf("%.40q is %.60q, want %.60q", text, got, want)
		}
	}
}

// Two parts are a town and the foreign city that it belongs to if the town is small, or has that
// name there.
func TestSuburbsOfForeignCities(t *testing.T) {
	tables := loadTables().clone()
	tables.spots["made up"] = []spot{in(listedCity-1, 0)}
	tables.spots["made up city"] = []spot{in(listedCity, 0)}
	for _, tt := range []struct {
		parts []string
		want  bool
	}{
		{[]string{"made up", "berlin"}, true}, {[]string{"made up city", "berlin"}, false},
		{[]string{"nowhere", "berlin"}, false},
		{[]string{"made up", "leeds"}, false}, {[]string{"kent", "berlin"}, false}, {[]string{"made up"}, false},
		{[]string{"made up", "berlin", "x"}, false}, {[]string{"epsom", "auckland"}, true},
	} {
		if got := tables.isSuburb(tt.parts); got != tt.want {
			t.Errorf("%q: %t", tt.parts, got)
		}
	}
}

// A misspelt name is looked up among the towns, not the villages, and the areas whose names have at least
// shortestFuzzy letters.
func TestNamesThatMayBeMisspelt(t *testing.T) {
	village, town := []spot{in(townSize-1, 0)}, []spot{in(townSize, 0)}
	tables := &tables{fuzzy: map[string][]string{}, spots: map[string][]spot{"xsmall": village, "xlarge": town,
		"xboth": town, "xfive": village, "xtwice": append(village, town...)},
		areas: map[string]*area{"xregion": {}, "xarea": {}}}
	tables.indexFuzzy()
	want := []string{"xlarge", "xtwice", "xregion"}
	if got := tables.fuzzy["x"]; !slices.Equal(got, want) || len(tables.fuzzy) != 1 {
		t.Errorf("got %v, want %v", tables.fuzzy, want)
	}
}

// Words that say how the work is done are left out at both ends of a part, and "in" and "the" at
// its start.
func TestNoiseAroundANameIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{"office": "", "on site": "", "work from home": "",
		"leeds office": "leeds", "office leeds": "leeds",
		"remote office leeds office remote": "leeds", "in the leeds office": "leeds", "leeds in the": "leeds in the",
		"remote in the": "", "leeds office park": "leeds office park", "": ""} {
		if got := stripNoise(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Two names differ by one edit: a letter changed, added or removed, or two swapped.
func TestNamesThatDifferByOneLetter(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"reading", "reading", false}, {"reading", "readin", true}, {"reading", "eading", true}, {"reading", "reding",
			true},
		{"reading", "readi", false}, {"reading", "raeding", true}, {"reading", "readign", true}, {"reading", "erading",
			true},
		{"reading", "xeading", true}, {"reading", "readinx", true}, {"reading", "reaxing", true},
		{"reading", "rexxing", false},
		{"reading", "reainxg", false}, {"reading", "readxin", false}, {"ab", "ba", true}, {"ab", "bc", false},
		{"a", "b", true},
		{"", "a", true}, {"", "", false}, {"abcd", "badc", false}, {"abc", "bca", false}, {"abcd", "abdx", false},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := oneOff(pair[0], pair[1]); got != tt.want {
				t.Errorf("%q and %q: %t", pair[0], pair[1], got)
			}
		}
	}
}

// A misspelt name is the one of at least six letters that it is most like, within the areas that
// are named.
func TestMisspeltNames(t *testing.T) {
	tables := madeUp()
	tables.spots["avonton"], tables.spots["avontan"] = []spot{in(9, avon)}, []spot{in(9, avon)}
	tables.spots["eskham"], tables.spots["eskhem"] = []spot{in(9, esk)}, []spot{in(9, forth)}
	tables.spots["breeby"] = []spot{in(9, bree)}
	for name := range tables.spots {
		tables.fuzzy[name[:1]] = append(tables.fuzzy[name[:1]], name)
	}
	slices.Sort(tables.fuzzy["a"])
	slices.Sort(tables.fuzzy["e"])
	north, south := tables.ofArea("northshire"), tables.ofArea("southshire")
	for _, tt := range []struct {
		parts []string
		areas []segment
		want  string
	}{
		{[]string{"breebi"}, nil, "breeby"}, {[]string{"breeb"}, nil, ""}, {[]string{"breeby"}, nil, ""},
		{[]string{"breebi"}, []segment{north}, "breeby"}, {[]string{"breebi"}, []segment{south}, ""},
		{[]string{"breebi"}, []segment{north, south}, ""}, {[]string{"xreeby"}, nil, ""},
		{[]string{"avontin"}, nil, "avonton"}, // two names of one council: the last of them
		{[]string{"eskhim"}, nil, ""},         // two names of two councils
		{[]string{"nowhere", "breebi"}, nil, "breeby"}, {[]string{"eskhim", "breebi"}, nil, ""}, {nil, nil, ""},
	} {
		got := ""
		for _, s := range tables.correctName(tt.parts, tt.areas) {
			got += s.name
		}
		if got != tt.want {
			t.Errorf("%q within %d areas is %q, want %q", tt.parts, len(tt.areas), got, tt.want)
		}
	}
}

// A point is in the council whose outline holds it; near the shore in the nearest one, within 0.015
// degrees.
func TestCouncilsOfPoints(t *testing.T) {
	box := func(code string, west, south, east, north float64) councilOutline {
		shape := orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
		return councilOutline{code, shape.Bound(), shape}
	}
	list := councilOutlines{box("west", 0, 51, 1, 52), box("east", 1.02, 51, 2, 52), box("overlap", 0.9, 51, 1.01, 52)}
	for _, tt := range []struct {
		longitude, latitude float64
		want                string
	}{
		{.5, 51.5, "west"}, {1.5, 51.5, "east"}, {.95, 51.5, "west"}, {1.005, 51.5, "overlap"}, {1.014, 51.5, "overlap"},
		{1.016, 51.5, "east"}, {-.014, 51.5, "west"}, {-.016, 51.5, ""}, {2.014, 52.0, "east"}, {2.012, 52.012, ""},
		{5, 51.5, ""}, {.5, 52.014, "west"}, {.5, 50.986, "west"}, {.5, 50.984, ""},
	} {
		if got := list.find(tt.longitude, tt.latitude); got != tt.want {
			t.Errorf("%v %v is in %q, want %q", tt.longitude, tt.latitude, got, tt.want)
		}
	}
}

// The official name of a council, and the short forms of it in adverts.
func TestNamesOfCouncils(t *testing.T) {
	for name, want := range map[string]string{
		"Camden":            "Camden; London Borough of Camden; Royal Borough of Camden; City of Camden; Borough of Camden",
		"Bristol, City of":  "Bristol, City of; Bristol; City of Bristol",
		"Durham City":       "Durham City; Durham",
		"City of Edinburgh": "City of Edinburgh; ",
		"City of London":    "City of London; ",
	} {
		got := strings.Join(councilNames(name), "; ")
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s is also %s, want %s", name, got, want)
		}
	}
	short := func(name string) bool { return slices.Contains(councilNames("City of "+name), name) }
	if !short("Edinburgh") || short("London") {
		t.Error("the City of Edinburgh is Edinburgh, but the City of London is not London")
	}
}

// A served area has its councils from the codes that are known, and its name means it and no other place.
func TestAreasAreServed(t *testing.T) {
	g := &Gazetteer{tables: madeUp(), byCode: map[string]int{"E1": avon, "E2": bree, "E5": esk}}
	north := g.areas["northshire"]
	g.areas["the north"] = north
	g.spots["breeby"] = []spot{in(9, bree)}
	g.serve(ServedArea{Slug: "none", Name: "None", Councils: []string{"E9"}})
	g.serve(ServedArea{Slug: "n", Name: "Northshire", Councils: []string{"E1", "E5", "E9"}})
	g.serve(ServedArea{Slug: "b", Name: "Breeby", Councils: []string{"E2"}})
	g.serve(ServedArea{Slug: "w", Name: "Wholeland", Councils: []string{"E2"}})
	g.serve(ServedArea{Slug: "new", Name: "New Area", Councils: []string{"E1", "E2"}})
	var got []string
	for _, s := range g.servedSets {
		got = append(got, fmt.Sprint(s.slug, s.members.numbers()))
	}
	if want := []string{"n[0 4]", "b[1]", "w[1]", "new[0 1]"}; !slices.Equal(got, want) {
		t.Errorf("served are %v, want %v", got, want)
	}
	own := g.areas["northshire"]
	if own == north || g.areas["the north"] != own || own.nation ||
		!slices.Equal(own.nearby.numbers(), []int{0, 1, 2, 4}) {
		t.Errorf("northshire is %+v", own)
	}
	if g.areas["breeby"] != nil || g.areas["none"] != nil || !g.areas["wholeland"].nation {
		t.Error("a place has become an area, an area without councils is one, or a nation is none any more")
	}
	if a := g.areas["new area"]; a == nil || a.name != "New Area" || a.nearby != setOf(avon, bree) ||
		a.members != a.nearby {
		t.Errorf("the new area is %+v", a)
	}
}
