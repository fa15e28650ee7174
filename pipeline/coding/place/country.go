package place

import (
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// countries are the English names of all countries but the United Kingdom, from
// the Unicode locale data.
var countries = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	names := display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			r, err := language.ParseRegion(string([]rune{a, b}))
			if err == nil && r.IsCountry() && r.String() != "GB" {
				m[normalise(names.Name(r))] = true
			}
		}
	}
	for _, notACountry := range []string{"jersey", "guernsey", "isle of man", "georgia"} {
		delete(m, notACountry) // islands beside it, and a state that is also a name
	}
	return m
})

func (t *tables) isState(p string) bool { return t.abroad["state"][p] || t.abroad["code"][p] }

// isForeign reports whether a name means a place abroad. It may mean a British one too.
func (t *tables) isForeign(p string) bool {
	return t.abroad["area"][p] || t.abroad["city"][p] || t.isState(p) || countries()[p]
}

// isDoubtful reports whether a British name alone does not show the country.
func (t *tables) isDoubtful(p string) bool { return t.abroad["doubtful"][p] || t.isForeign(p) }

// countryOf reads a country field: an ISO code or a name, spelt freely.
func (t *tables) countryOf(s string) Country {
	p := normalise(s)
	switch a := t.areas[p]; {
	case p == "":
		return Unknown
	case a != nil && a.nation:
		return InUK
	case t.abroad["area"][p] || countries()[p]:
		return Abroad
	}
	if r, err := language.ParseRegion(strings.ToUpper(p)); err == nil && r.IsCountry() {
		if r.String() == "GB" {
			return InUK
		}
		return Abroad
	}
	return Unknown
}
