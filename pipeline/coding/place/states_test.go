package place

import (
	"slices"
	"strings"
	"testing"

	"labour/sources"
)

// Codes and abbreviations of states are written out behind a town and before it, and foreign postal
// codes are marked; words that look like them are left.
func TestStatesAreSpeltOut(t *testing.T) {
	for text, want := range map[string]string{
		"Cambridge, MA":                "Cambridge, Massachusetts",
		"Cambridge, ma":                "Cambridge, Massachusetts",
		"Cambridge MA 02139":           "Cambridge, Massachusetts",
		"Cambridge Mass.":              "Cambridge, Massachusetts",
		"Cambridge, Mass":              "Cambridge, Massachusetts",
		"Birmingham / AL":              "Birmingham, Alabama",
		"Remote / OR":                  "Remote / OR",
		"Lincoln, OR":                  "Lincoln, Oregon",
		"Lincoln (or York)":            "Lincoln (or York)",
		"An office, in or near Leeds":  "An office, in or near Leeds",
		"An office, in and near Leeds": "An office, in and near Leeds",
		"An office, IN or near Leeds":  "An office, Indiana or near Leeds",
		"Bognor, Ore":                  "Bognor, Ore",
		"Bognor, Ore.":                 "Bognor, Oregon",
		"Portland Ore.":                "Portland, Oregon",
		"Richmond, Victoria 3121":      "Richmond, Victoria, postcode abroad",
		"Richmond, Victoria":           "Richmond, Victoria",
		"Salisbury Maryland":           "Salisbury, Maryland",
		"Leeds and Maryland":           "Leeds and Maryland",
		"Remote Maryland":              "Remote Maryland",
		"Boston, MA, Cambridge, MA":    "Boston, Massachusetts, Cambridge, Massachusetts",
		"A MA, MA":                     "A, Massachusetts, Massachusetts",
		"AL - Birmingham":              "US, Alabama, Birmingham",
		"MA-Boston":                    "US, Massachusetts, Boston",
		"AL, Birmingham":               "US, Alabama, Birmingham",
		"ON-SITE":                      "ON-SITE",
		"ON - London":                  "US, Ontario, London",
		"NE - Leeds":                   "NE - Leeds",
		"IN, Leeds":                    "IN, Leeds",
		"US-MA-Cambridge":              "US, Massachusetts, Cambridge",
		"Leeds 12345-6789":             "Leeds , postcode abroad",
		"Leeds 123456":                 "Leeds 123456",
		"Toronto M5V 3L9":              "Toronto , postcode abroad",
		"Dublin D02 X285":              "Dublin , postcode abroad",
		"N10 PARK":                     "N10 PARK",
		"Leeds":                        "Leeds",
		"":                             "",
	} {
		if got := spellOutStates(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	tables := loadTables()
	for text, want := range map[string]string{
		"AU-Newcastle": "Australia, Newcastle", "IRL - Newcastle": "Ireland, Newcastle", "London, CAN": "London, Canada",
		"London CAN": "London, Canada", "PL - Plymouth": "PL - Plymouth", "Bangor, NI": "Bangor, NI",
		"IT - Leeds": "IT - Leeds", "SE - London": "SE - London", "Leeds; DE - Berlin": "Leeds; DE - Berlin",
		"Leeds - DEU": "Leeds, Germany", "FR-Par": "France, Par", "FR-Pa": "FR-Pa", "London can": "London can",
		"London UK": "London UK", "London, GBR": "London, GBR",
	} {
		if got := tables.withCountries(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for code, want := range map[string]string{"FR": "France", "FRA": "France", "GB": "", "GBR": "", "UK": "", "IT": "",
		"ITA": "Italy", "ON": "", "AND": "", "CO": "", "COL": "Colombia"} {
		if got := countryOfCode()[code]; got != want {
			t.Errorf("%s is %q, want %q", code, got, want)
		}
	}
}

// The country of a text: a nation wins, then a name abroad, then a name that is sure; two doubtful
// names support each other where one lies in the area of the other.
func TestCountryOfNames(t *testing.T) {
	tables := madeUp()
	tables.areas["northern ireland"] = &area{name: "northern ireland", members: setOf(forth), nation: true}
	sure, doubtful := named("sure", in(9, avon)), segment{name: "doubtful", spots: []spot{in(9, avon)}, doubtful: true}
	north := tables.ofArea("northshire")
	north.doubtful = true
	south := tables.ofArea("southshire")
	south.doubtful = true
	irish := named("irish", in(9, forth))
	both := named("both", in(9, forth), in(9, avon))
	county := segment{name: "county", area: &area{members: setOf(forth)}}
	for _, tt := range []struct {
		name        string
		found       []segment
		foreign     string
		uk, british bool
		want        CountryStatus
	}{
		{"nothing", nil, "", false, false, CountryUnknown},
		{"nothing of a British advert", nil, "", false, true, CountryUK},
		{"a nation", nil, "berlin", true, false, CountryUK},
		{"a name abroad", []segment{sure}, "berlin", false, true, CountryAbroad},
		{"a sure name", []segment{doubtful, sure}, "", false, false, CountryUK},
		{"a doubtful name", []segment{doubtful}, "", false, false, CountryUnknown},
		{"a doubtful name of a British advert", []segment{doubtful}, "", false, true, CountryUK},
		{"two doubtful names that agree", []segment{doubtful, north}, "", false, false, CountryUK},
		{"two doubtful names that do not", []segment{doubtful, south}, "", false, false, CountryUnknown},
		{"two areas", []segment{north, south}, "", false, false, CountryUnknown},
		{"an area before a doubtful name", []segment{north, doubtful}, "", false, false, CountryUnknown},
		{"Ireland and a place of Northern Ireland", []segment{irish}, "ireland", false, false, CountryUK},
		{"Ireland and a county of Northern Ireland", []segment{county}, "ireland", false, false, CountryUK},
		{"Ireland and a place of both", []segment{both}, "ireland", false, false, CountryAbroad},
		{"Ireland and a place elsewhere", []segment{sure}, "ireland", false, false, CountryAbroad},
		{"Ireland and an area elsewhere", []segment{{name: "a", area: north.area}}, "ireland", false, false, CountryAbroad},
		{"Ireland and a doubtful place", []segment{{spots: irish.spots, doubtful: true}}, "ireland", false, false,
			CountryAbroad},
		{"France and a place of Northern Ireland", []segment{irish}, "france", false, false, CountryAbroad},
	} {
		if got := tables.country(tt.found, tt.foreign, tt.uk, tt.british); got != tt.want {
			t.Errorf("%s: in %d, want %d", tt.name, got, tt.want)
		}
	}
}

// A postcode of several councils gives them all, unless the text says more; the reasons say what
// was read.
func TestPostcodesOfSeveralCouncils(t *testing.T) {
	g := testGazetteer(t)
	camden, hackney, newham := g.byCode["E09000007"], g.byCode["E09000012"], g.byCode["E09000025"]
	g.tables.postcodes = map[string][]part{"ZZ1": {{camden, 40}, {hackney, 30}, {newham, 30}}, "ZZ2": {{camden, 60},
		{hackney, 40}}}
	for _, tt := range []struct {
		postcode, text string
		councils       string
		by             string
		why            string
	}{
		{"ZZ1 1AA", "", "", "postcode", "the postcode ZZ1 1AA"},
		{"ZZ2 1AA", "", "E09000007", "postcode", "the postcode ZZ2 1AA"},
		{"ZZ2 1AA", "Hackney", "E09000007", "postcode", "the postcode ZZ2 1AA"},
		{"ZZ1 1AA", "Hackney, London", "E09000012", "text", `"hackney" is in Hackney`},
		{"ZZ1 1AA", "Nowhere", "", "postcode", "the postcode ZZ1 1AA"},
		{"ZZ9 1AA", "Nowhere", "", "", ""},
	} {
		a := sources.Advert{Locations: []sources.Location{{Postcode: tt.postcode, Text: tt.text}}}
		c, why := g.Explain(&a)
		if strings.Join(c.Councils, ",") != tt.councils || c.MatchedBy != tt.by || c.Country != CountryUK ||
			strings.Join(why, "; ") != tt.why {
			t.Errorf("%s %q: %+v because %q, want %q by %s because %s", tt.postcode, tt.text, c, why, tt.councils, tt.by,
				tt.why)
		}
		if wide := tt.by == "postcode" && tt.councils == ""; (c.Precision == PrecisionArea) != wide {
			t.Errorf("%s %q is known to %d", tt.postcode, tt.text, c.Precision)
		}
	}
}

// Adverts of a British origin without a place are open in the whole country, and those that are
// open in a whole nation are in it, wherever they have an address.
func TestAdvertsOfAWholeNation(t *testing.T) {
	g := testGazetteer(t)
	nation := g.areas["united kingdom"].members
	for _, tt := range []struct {
		origin     sources.Origin
		nationwide bool
		text       string
		by         string
		wide       string
	}{
		{sources.OriginPlatform, false, "", "area", "united kingdom"}, {sources.OriginEmployerBoard, false, "", "", ""},
		{sources.OriginPlatform, true, "Camden", "nationwide", "united kingdom"},
		{sources.OriginApprenticeship, true, "", "nationwide", "england"},
		{sources.OriginEmployerBoard, true, "Paris", "nationwide", "united kingdom"},
		{sources.OriginPlatform, false, "Remote", "area", "united kingdom"},
	} {
		a := sources.Advert{Origin: tt.origin, Nationwide: tt.nationwide}
		if tt.text != "" {
			a.Locations = []sources.Location{{Text: tt.text}}
		}
		c := g.CodeAdvert(&a, &LocationCache{})
		if c.MatchedBy != tt.by || (c.Precision == PrecisionArea) != (tt.by != "") || len(c.Councils) > 0 {
			t.Errorf("%s %t %q: %+v, want by %q", tt.origin, tt.nationwide, tt.text, c, tt.by)
		}
		if tt.wide != "" && tt.nationwide && g.nationOf(&a) != g.areas[tt.wide].members {
			t.Errorf("%s: not open in %s", tt.origin, tt.wide)
		}
	}
	england := g.areas["england"].members
	if !england.isSubset(nation) || england == nation || !slices.Equal(england.and(nation).numbers(), england.numbers()) {
		t.Error("England is not a part of the United Kingdom")
	}
}

// A location is in a country of many British names if it states one of these, or a state of it.
func TestCountriesWithBritishNames(t *testing.T) {
	g := testGazetteer(t)
	for country, want := range map[string]bool{"US": true, "usa": true, "United States": true,
		"United States of America": true,
		"CA":                       true, "Canada": true, "AU": true, "Australia": true, "NZ": true, "New Zealand": true,
		"IE":      true,
		"Ireland": true,
		"GB":      false, "": false, "France": false} {
		if got := g.isInNewWorld(sources.Location{Country: country}); got != want {
			t.Errorf("%q: %t", country, got)
		}
	}
	for text, want := range map[string]bool{"Boston, MA": true, "Boston": false, "Ohio": true,
		"Leeds; Cambridge, MA": true} {
		if got := g.isInNewWorld(sources.Location{Text: text}); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	bare := func(l sources.Location) bool {
		return g.onlyBareTown(&sources.Advert{Locations: []sources.Location{l}})
	}
	for text, want := range map[string]bool{"Cambridge": true, "Cambridge, UK": false, "Cambridge; Leeds": false,
		"London":  false,
		"Nowhere": false, "Cambridge/Leeds": false, "Cambridge (UK)": false, "": false} {
		if got := bare(sources.Location{Text: text}); got != want {
			t.Errorf("%q is only a town: %t", text, got)
		}
	}
	if bare(sources.Location{Text: "Cambridge", Country: "GB"}) || bare(sources.Location{Text: "Cambridge",
		Postcode: "CB1"}) {
		t.Error("a town with a country or a postcode is only a town")
	}
	two := []sources.Location{{Text: "Cambridge"}, {Text: "Cambridge"}}
	if g.onlyBareTown(&sources.Advert{Locations: two}) || g.onlyBareTown(&sources.Advert{}) {
		t.Error("two towns, or none, are only a town")
	}
}

// A name that is longer than any is no place, and stops nothing.
func TestVeryLongNames(t *testing.T) {
	tables := loadTables()
	if got := tables.placeNamed("Hackney " + strings.Repeat("X", 90) + " a"); got != "hackney" {
		t.Errorf("before a long word: %q", got)
	}
	for _, text := range []string{strings.Repeat("A", 200), strings.Repeat("Abcdefghijklm ", 20)} {
		if got := tables.placeNamed(text); got != "" {
			t.Errorf("%.20q: %q", text, got)
		}
	}
}
