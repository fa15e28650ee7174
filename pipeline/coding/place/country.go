package place

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"labour/sources"
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

// signText bounds what is read of an advert's text for signs of a country.
const signText = 20_000

// ukSigns are wordings of an advert for work in the United Kingdom. Its currency is
// one in the salary only: a text may tell of money that was raised.
var ukSigns = []string{"right to work in the UK", "right to work in the United Kingdom", "based in the UK", "UK-based", "UK based", "anywhere in the UK",
	"located in the UK", "within the UK", "eligible to work in the UK", "based in the United Kingdom", "live in the UK", "UK residents", "National Insurance",
	"Enhanced DBS", "DBS check", "NHS Trust", "HMRC", "bank holidays", "per annum", "£"}

// abroadSigns are wordings of an advert for work elsewhere.
var abroadSigns = []string{"401(k)", "401k", "US$", "USD", "authorized to work in the United States", "authorized to work in the U", "based in the US", "US-based",
	"located in the US", "located in the United States", "based in the United States", "within the United States", "reside in the US", "right to work in the EU",
	"based in the EU", "within the EU", "based in Europe", "based in Canada", "based in Germany", "based in France", "based in Spain", "based in Portugal",
	"based in Poland", "based in India", "based in Ireland", "based in Australia", "based in Singapore", "based in the Netherlands", "US citizen", "U.S.-based",
	"right to work in Ireland", "based in the U.S", "located in the U.S", "reside in the U.S", "reside in the United States", "Social Security", "€", "CAD", "AUD", "INR"}

// signs says where the wording of an advert wants people to be, where its places leave
// that open. Signs of both are none.
func signs(a *sources.Advert) Country {
	text := a.Text
	if len(text) > signText {
		text = text[:signText]
	}
	uk := strings.Contains(a.SalaryText, "£") || strings.Contains(a.SalaryText, "GBP") || containsAny(text, ukSigns)
	abroad := strings.ContainsAny(a.SalaryText, "$€") || containsAny(text, abroadSigns)
	switch {
	case uk && !abroad:
		return InUK
	case abroad && !uk:
		return Abroad
	}
	return Unknown
}

func containsAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}

// A full postcode, or its first half ("BS4"), as a word of normalised text.
var postcode = regexp.MustCompile(`\b([a-z]{1,2}[0-9][a-z0-9]?)(?:\s*([0-9])[a-z]{2})?\b`)

// fullPostcode is the form of a postcode in a field of its own.
var fullPostcode = regexp.MustCompile(`(?i)^\s*([A-Z]{1,2}[0-9][A-Z0-9]?)\s*(?:([0-9])[A-Z]{2})?\s*$`)

// postcodeIn returns the councils of the first postcode in a normalised text, and that postcode.
func (t *tables) postcodeIn(text string) (at []part, code string) {
	if !strings.ContainsAny(text, "0123456789") {
		return nil, ""
	}
	for _, m := range postcode.FindAllStringSubmatch(text, -1) {
		if at := t.postcode(m[1], m[2]); at != nil {
			return at, m[0]
		}
	}
	return nil, ""
}

// postcode returns the councils of a district, or of its sector where that is known.
func (t *tables) postcode(district, sector string) []part {
	district = strings.ToUpper(district)
	if at := t.postcodes[district+"-"+sector]; at != nil {
		return at
	}
	return t.postcodes[district]
}

// isPostcode reports whether a field holds a postcode of the United Kingdom, and where
// that is, if the tables have it: those of Northern Ireland are not in them.
func (t *tables) isPostcode(field string) (at []part, ok bool) {
	m := fullPostcode.FindStringSubmatch(field)
	if m == nil {
		return nil, false
	}
	at = t.postcode(m[1], m[2])
	return at, at != nil || m[2] != ""
}
