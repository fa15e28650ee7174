package place

import (
	"slices"
	"testing"

	"labour/sources"
)

// codesOf returns the councils in which an advert with one location in words counts.
func codesOf(g *Gazetteer, location string) []string {
	a := &sources.Advert{Locations: []sources.Location{{Text: location}}, SalaryText: "£12 an hour"}
	return g.CodeAdvert(a, &LocationCache{}).Councils
}

// TestEveryCouncilIsFoundByItsNames: an advert of a council counts in it under every form of the council's name, also
// where the name is a word ("Reading") or a town abroad ("Boston"). The "Borough" of a council is not
// the neighbourhood in Southwark.
func TestEveryCouncilIsFoundByItsNames(t *testing.T) {
	g := nationGazetteer(t)
	for _, name := range loadTables().councils {
		for _, location := range []string{name + " Council", name + " Borough", name + " Borough Council",
			name + " District Council", name + " City Council", name + " Metropolitan Borough Council",
			"Civic Centre, " + name + " Borough Council", "Civic Centre " + name + " Council"} {
			if got := codesOf(g, location); !slices.Equal(got, []string{name}) {
				t.Errorf("%q is in %q", location, got)
			}
		}
	}
	for location, want := range map[string]string{"Borough": "Southwark", "Borough, London": "Southwark",
		"Borough Market": "Southwark", "Purbeck District Council": "Dorset", "St Edmundsbury": "West Suffolk",
		"Cyngor Sir Ddinbych": "Denbighshire", "Bro Morgannwg": "Vale of Glamorgan"} {
		if got := codesOf(g, location); !slices.Equal(got, []string{want}) {
			t.Errorf("%q is in %q, want %s", location, got, want)
		}
	}
}

// TestWordsBeforeAPlaceAreNotOne: what is left of "Market Harborough" without the name of the council is
// not the name of a place.
func TestWordsBeforeAPlaceAreNotOne(t *testing.T) {
	g := nationGazetteer(t)
	for _, location := range []string{"Market", "Smithfields Market", "Great", "Long", "More", "GSK", "HMNB", "Citywide",
		"Reading room", "City Council", "Great Salkeld", "Great Neck", "Great Corby", "Little Eaton", "Lytchett Minster",
		"Campus", "Midway", "The Manor", "Hop Grove"} {
		if got := codesOf(g, location); len(got) > 0 {
			t.Errorf("%q is in %q", location, got)
		}
	}
	for location, want := range map[string]string{"Minster": "Swale", "Great Yarmouth": "Great Yarmouth",
		"Little Hulton": "Salford", "The Causeway, Staines": "Spelthorne", "Head Office, Campus, Leeds": "Leeds"} {
		if got := codesOf(g, location); !slices.Equal(got, []string{want}) {
			t.Errorf("%q is in %q, want %s", location, got, want)
		}
	}
}
