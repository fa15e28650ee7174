package place

import (
	"testing"

	"labour/sources"
)

// TestCountriesInOtherLanguages: boards of employers abroad name countries in their own language. A British
// name before such a country is a place there, and the United Kingdom is one in every language.
func TestCountriesInOtherLanguages(t *testing.T) {
	g := nationGazetteer(t)
	for location, want := range map[string]CountryStatus{
		"Halifax, Kanada": CountryAbroad, "Cambridge, Vereinigte Staaten": CountryAbroad,
		"Manchester, États-Unis": CountryAbroad, "Durham, Estados Unidos": CountryAbroad,
		"Newcastle, Australien": CountryAbroad, "Reading, Allemagne": CountryAbroad, "Lincoln, Stati Uniti": CountryAbroad,
		"Dover, Verenigde Staten": CountryAbroad, "Oxford, Nouvelle-Zélande": CountryAbroad,
		"Bath, Myanmar": CountryAbroad, "Scarborough, Tobago": CountryAbroad, "Bath, Russian Federation": CountryAbroad,
		"Vereinigtes Königreich": CountryUK, "Großbritannien": CountryUK, "Royaume-Uni": CountryUK,
		"Londres, Royaume-Uni": CountryUK, "Londres": CountryUK, "Leeds, Reino Unido": CountryUK, "Regno Unito": CountryUK,
		"Norwich, Norfolk": CountryUK, "Norfolk": CountryUK, "Hayling Island": CountryUK,
	} {
		a := &sources.Advert{Locations: []sources.Location{{Text: location}}}
		if got := g.CodeAdvert(a, &LocationCache{}).Country; got != want {
			t.Errorf("%q: %v, want %v", location, got, want)
		}
	}
	for name, want := range map[string]CountryStatus{"Kanada": CountryAbroad, "Vereinigtes Königreich": CountryUK} {
		a := &sources.Advert{Locations: []sources.Location{{Text: "Halifax", Country: name}}}
		if got := g.CodeAdvert(a, &LocationCache{}).Country; got != want {
			t.Errorf("Halifax in the country %q: %v, want %v", name, got, want)
		}
	}
	tables := loadTables()
	for name := range countries() {
		if tables.hasName(name) {
			t.Errorf("%q is a foreign country and a British place", name)
		}
	}
}
