package place

import (
	"slices"
	"strings"
	"testing"

	"labour/sources"
)

// The names in a longer part, from the left, the longest first; what is abroad is kept apart.
func TestNamesWithinAPart(t *testing.T) {
	tables := loadTables()
	for text, want := range map[string]string{
		"walsall football ground":       "walsall~",
		"chichester west sussex":        "chichester~ west sussex~",
		"leeds and york":                "leeds~ &york~",
		"and york":                      "york~",
		"cambridge massachusetts":       "cambridge~ away massachusetts behind massachusetts",
		"massachusetts cambridge":       "cambridge~ away massachusetts",
		"leeds berlin":                  "leeds~ away berlin",
		"walsall road":                  "",
		"weston under nowhere":          "",
		"nowhere at all":                "",
		"leeds x":                       "leeds~",
		"x leeds and y york":            "leeds~ york~",
		"":                              "",
		"uk leeds":                      "uk~ leeds~",
		"west yorkshire and hull":       "west yorkshire~ &hull~",
		"a very long hotel in leeds uk": "leeds~ uk~",
		"leeds reading room":            "leeds~",
		"leeds ayr room":                "leeds~",
	} {
		found, away, behind := tables.findNames(text)
		var got []string
		for _, s := range found {
			name := s.name
			if s.and {
				name = "&" + name
			}
			if s.partial {
				name += "~"
			}
			got = append(got, name)
		}
		if away != "" {
			got = append(got, "away "+away)
		}
		if behind != "" {
			got = append(got, "behind "+behind)
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%q: %s, want %s", text, all, want)
		}
	}
}

// The full postcodes of a text count in the area only; a first half alone, or one within a longer
// word, does not.
func TestPostcodesInTexts(t *testing.T) {
	g := testGazetteer(t)
	london := g.areas["london"].members
	for text, want := range map[string]string{
		"at N1C 4AG.": "N1C 4AG", "N1C4AG": "N1C4AG", "N1C  4AG": "N1C  4AG", "N1C   4AG": "", "n1c 4ag": "",
		"N1C 4AGX": "", "N1C 4A": "", "N1C": "", "4AG": "", "BS1 4DJ": "", "first E8 1DY then N1C 4AG, both": "N1C 4AG",
		"(N1C 4AG)": "N1C 4AG", "ZZ99 9ZZ": "", "": "",
	} {
		at, last := g.postcodesOf(text, london)
		if last != want || at.isEmpty() != (want == "") {
			t.Errorf("%q: %q in %v, want %q", text, last, at.numbers(), want)
		}
	}
	at, _ := g.postcodesOf("first E8 1DY then N1C 4AG, both", london)
	if names := g.namesOf(at); names != "Camden or Hackney" && names != "Hackney or Camden" {
		t.Errorf("two postcodes are in %s", names)
	}
	if at, last := g.postcodesOf("BS1 4DJ", g.areas["england"].members); last != "BS1 4DJ" || at.len() != 1 {
		t.Errorf("in England: %q in %v", last, at.numbers())
	}
}

// A name in a text is a place if it begins with a capital, is not in capitals only, and is no road
// or other word.
func TestNamesAtTheStartOfATextAre(t *testing.T) {
	tables := loadTables()
	for text, want := range map[string]string{
		"Hackney is near": "hackney", "Hackney": "hackney", "HACKNEY": "", "Hackney Road": "", "Hackney-based": "hackney",
		"Kings Cross, here": "kings cross", "King's Cross": "kings cross", "St. Albans": "st albans",
		"St Albans Road": "", "London": "", "Nowhere": "", "Sandwich": "", "": "", "Weston under Nowhere": "",
		"Stratford-upon-Avon": "stratford upon avon", "Stratford upon Avon is": "stratford upon avon",
		"Newcastle upon Tyne": "newcastle upon tyne", "Reading": "",
	} {
		if got := tables.placeNamed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for word, want := range map[string]bool{"Hackney": true, "HACKNEY": true, "hackney": true, "Nowherex": false,
		"The": false,
		"":    false, strings.Repeat("x", 30): false} {
		if got := tables.isHead(word); got != want {
			t.Errorf("%q begins a name: %t", word, got)
		}
	}
}

// A word is folded as normalise folds it.
func TestWordsAreFolded(t *testing.T) {
	for _, word := range []string{"Hackney", "King's", "St.", "Ynys Môn", "Môn", "ÉCOLE", "a1", ""} {
		if got, want := string(appendFolded(nil, strings.ReplaceAll(word, " ", ""))), normalise(strings.ReplaceAll(word, " ",
			"")); got != want {
			t.Errorf("%q is folded to %q, want %q", word, got, want)
		}
	}
}

// A country field is the United Kingdom by each of its names and codes, and another country by its own.
func TestCountriesOfAField(t *testing.T) {
	tables := loadTables()
	for field, want := range map[string]CountryStatus{
		"": CountryUnknown, "GB": CountryUK, "gbr": CountryUK, "UK": CountryUK,
		"United Kingdom": CountryUK, "Wales": CountryUK, "Northern Ireland": CountryUK, "Kent": CountryUnknown,
		"FR": CountryAbroad, "France": CountryAbroad, "FRA": CountryAbroad, "ireland": CountryAbroad, "USA": CountryAbroad,
		"Jersey": CountryAbroad, "GG": CountryAbroad, "Isle of Man": CountryAbroad, "Channel Islands": CountryAbroad,
		"EMEA": CountryUnknown, "APAC": CountryAbroad, "nowhere": CountryUnknown,
		"826": CountryUK, "250": CountryAbroad, "001": CountryUnknown} {
		if got := tables.countryOf(field); got != want {
			t.Errorf("%q is in %d, want %d", field, got, want)
		}
	}
	for name, want := range map[string]bool{"france": true, "united kingdom": false, "jersey": true, "guernsey": true,
		"isle of man": true, "georgia": false, "ireland": true} {
		if countries()[name] != want {
			t.Errorf("%s is another country: %t", name, !want)
		}
	}
}

// A postcode field is of the United Kingdom if its first half is known or it is whole, and of
// elsewhere in other forms.
func TestPostcodeFields(t *testing.T) {
	tables := loadTables()
	for field, want := range map[string][2]bool{ // has councils, is a postcode
		"N1C 4AG": {true, true}, "n1c4ag": {true, true}, " N1C ": {true, true}, "ZZ9 9ZZ": {false, true},
		"ZZ9":       {false, false},
		"N1C 4AG x": {false, false}, "": {false, false}, "12345": {false, false},
	} {
		at, ok := tables.isPostcode(field)
		if got := [2]bool{at != nil, ok}; got != want {
			t.Errorf("%q has councils and is a postcode: %v, want %v", field, got, want)
		}
	}
	for field, want := range map[string]bool{"12345": true, "1234": true, "123": false, "1234 AB": true, "D-12345": true,
		"D02 X285": true, "K1A 0B1": true, "00000": false, "0000": false, "N1C 4AG": false, "": false, "12-345": true,
		"0 0": false} {
		if got := isForeignPostcode(field); got != want {
			t.Errorf("%q is of elsewhere: %t", field, got)
		}
	}
}

// A council that the tables do not have is added with its names; a known one gets its code, the
// newer of two.
func TestCouncilsAreAdded(t *testing.T) {
	g := &Gazetteer{tables: madeUp(), codes: map[int]string{}, byCode: map[string]int{}}
	g.numbers["avon"] = avon
	for _, c := range [][2]string{{"E1", "Avon"}, {"E3", "Avon"}, {"E2", "Avon"}, {"E7", "Newton, City of"}} {
		if err := g.addCouncil(c[0], c[1]); err != nil {
			t.Fatal(err)
		}
	}
	if g.codes[avon] != "E3" || g.byCode["E1"] != avon || g.byCode["E2"] != avon || len(g.spots["avon"]) != 0 {
		t.Errorf("Avon has the code %s", g.codes[avon])
	}
	if g.councils[6] != "Newton, City of" || g.byCode["E7"] != 6 || len(g.spots["newton"]) != 1 ||
		len(g.spots["city of newton"]) != 1 {
		t.Errorf("the new council is %d of %v", g.byCode["E7"], g.councils)
	}
	g.addName("Tref Newydd", "E7")
	g.addName("Tref Newydd", "E7") // a second time changes nothing
	g.addName("Tref Newydd", "E1")
	g.addName("Elsewhere", "E9")
	g.addName("!", "E7")
	if got := g.spots["tref newydd"]; len(got) != 2 || got[0].councils != setOf(6) || !got[0].council ||
		got[1].councils != setOf(avon) {
		t.Errorf("the Welsh name means %+v", got)
	}
	if len(g.spots["elsewhere"]) != 0 || len(g.spots[""]) != 0 {
		t.Error("a name of no council, or no name, is added")
	}
	for len(g.councils) < setSize {
		g.councils = append(g.councils, "x")
	}
	if err := g.addCouncil("E8", "One More"); err == nil || err.Error() != `council "One More": more than 512 councils` {
		t.Errorf("%v", err)
	}
	if err := g.addCouncil("E8", "Newton, City of"); err != nil || g.byCode["E8"] != 6 {
		t.Errorf("one that is there already: %v", err)
	}
}

// Boroughs of the feed are councils under their own names too, and where there is no list of
// councils they are the list.
func TestBoroughsAreCouncils(t *testing.T) {
	g, faults := NewGazetteer([]sources.Area{{Code: "E09000012", Name: "Hackney", NameWelsh: "Hacni"}}, nil,
		[]sources.Borough{{Slug: "hackney", Name: "Hackneytown", Code: "E09000012"}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, text := range []string{"Hacni", "Hackneytown", "Hackney"} {
		if c := codeText(g, text+", UK"); !slices.Equal(c.Councils, []string{"E09000012"}) {
			t.Errorf("%s is in %v", text, c.Councils)
		}
	}
	alone, faults := NewGazetteer(nil, nil, []sources.Borough{{Slug: "newton", Name: "Newtonborough", Code: "E1"}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if c := codeText(alone, "Newtonborough, UK"); !slices.Equal(c.Councils, []string{"E1"}) {
		t.Errorf("a borough without a list is in %v", c.Councils)
	}
}

// The result for a text is cached, separately for British adverts. A full cache is emptied.
func TestTextsAreKept(t *testing.T) {
	g := testGazetteer(t)
	var m LocationCache
	if m.text(g, "Boston", false).country != CountryUnknown || m.text(g, "Boston", true).country != CountryUK ||
		m.text(g, "", true).country != CountryUnknown {
		t.Error("Boston alone is in a known country, or a British one is not")
	}
	if len(m.texts[0]) != 1 || len(m.texts[1]) != 1 {
		t.Errorf("kept are %d and %d texts", len(m.texts[0]), len(m.texts[1]))
	}
	m.texts[0]["Boston"] = reading{country: CountryAbroad}
	if m.text(g, "Boston", false).country != CountryAbroad {
		t.Error("a text is read again")
	}
	for i := len(m.texts[0]); i < maxCachedTexts; i++ {
		m.texts[0][strings.Repeat("x", i)] = reading{}
	}
	if m.text(g, "Leeds", false); len(m.texts[0]) != 1 || len(m.texts[1]) != 1 {
		t.Errorf("kept are %d and %d texts", len(m.texts[0]), len(m.texts[1]))
	}
}
