// Package place finds the place of work of a job advert: councils, a wider area, or a country.
//
// It tries the platform's place slug, coordinates, a postcode and free text, in this order. It
// splits text and looks up the names in tables of places. If several places have the same name, it
// uses the words around the name to choose one. If it cannot choose, the place is ambiguous. The
// name of an area ("London", "Kent") gives no council. If nothing is found, the place is unknown.
//
// Free text may name places abroad, so the package also determines the country. An advert is in the
// United Kingdom if at least one of its places is. If the places do not show the country, the
// package uses other words of the advert, such as the currency.
package place

import (
	"fmt"
	"slices"
	"strings"

	"labour/sources"
)

// CountryStatus states whether the work of an advert is in the United Kingdom, abroad or unknown.
type CountryStatus uint8

// The values of CountryStatus.
const (
	// CountryUnknown means that the country of an advert's work is not known.
	CountryUnknown CountryStatus = iota
	// CountryUK means that the work is in the United Kingdom. It may also be in other countries.
	CountryUK
	// CountryAbroad means that all places of work in the advert are outside the United Kingdom.
	CountryAbroad
)

// Precision is how precisely the place of work of an advert is known.
type Precision uint8

// The values of Precision, least precise first.
const (
	// PrecisionUnknown means that the place of work of an advert is not known.
	PrecisionUnknown Precision = iota
	// PrecisionArea means that the council is not known, but a wider area is. The area is a county,
	// region or nation, or several councils that an ambiguous name may mean.
	PrecisionArea
	// PrecisionCouncil means that the council is known. If the work is in several places, there may
	// be several councils.
	PrecisionCouncil
)

// Coding is the place of work of one advert, as found by CodeAdvert.
type Coding struct {
	Councils           []string // codes of the councils with the work, sorted; empty = not known
	PossibleCouncils   []string // codes of the councils in which an ambiguous place name may be
	ServedAreas        []string // slugs of served areas that contain the advert's wider area, sorted
	Precision          Precision
	Country            CountryStatus
	MatchedBy          string // slug, coordinates, postcode, text, area or nationwide; "" = not found
	UnknownBoroughSlug string // borough slug in the advert that no list of boroughs has; "" = none
}

// CodeAdvert returns the place of work of one advert. The cache m keeps the results for location
// texts, since many adverts have the same text.
func (g *Gazetteer) CodeAdvert(a *sources.Advert, m *LocationCache) Coding {
	c, _ := g.code(a, m)
	return c
}

// Explain returns the place of work of one advert, and the evidence for it as lines of text.
func (g *Gazetteer) Explain(a *sources.Advert) (Coding, []string) { return g.code(a, &LocationCache{}) }

func (g *Gazetteer) code(a *sources.Advert, m *LocationCache) (Coding, []string) {
	british := a.Origin == sources.OriginPlatform || a.Origin == sources.OriginApprenticeship
	found := g.gather(a, british, m)
	if found.country == CountryUnknown {
		switch found.country = suggestedCountry(a); found.country {
		case CountryUK:
			found = g.gather(a, true, m)
			found.why = append(found.why, "the advert has signs of the United Kingdom")
		case CountryAbroad:
			found.why = append(found.why, "the advert wants people elsewhere")
		}
	}
	if found.country == CountryUK && !british && g.isNamesakeAbroad(a) {
		found = reading{country: CountryAbroad,
			why: append(found.why, "the advert wants people elsewhere, where a town has the same name")}
	}
	g.narrow(a, &found)
	why := found.why
	if a.Nationwide { // even if it also has an address
		found = reading{country: CountryUK, by: "nationwide", wide: []set{g.nationOf(a)}}
	}
	return g.coding(&found), why
}

// nationOf returns the councils where the work of a nationwide advert may be: those of England if
// the advert is from the apprenticeship service, and those of the United Kingdom for other adverts.
func (g *Gazetteer) nationOf(a *sources.Advert) set {
	if a.Origin == sources.OriginApprenticeship {
		return g.areas["england"].members
	}
	return g.areas["united kingdom"].members
}

// gather reads all locations of an advert and combines the results. Set british if the advert is
// known to be for work in the United Kingdom.
func (g *Gazetteer) gather(a *sources.Advert, british bool, m *LocationCache) reading {
	var all reading
	var abroad, home, nation int
	amongStates := !british && len(a.Locations) > 1 && slices.ContainsFunc(a.Locations, g.isInNewWorld)
	for i := range a.Locations {
		l := &a.Locations[i]
		if amongStates && l.Country == "" && l.Postcode == "" {
			if parts := g.alternatives(l.Text); len(parts) == 1 && g.isBareTown(parts[0]) {
				abroad++ // next to a place abroad, a town's name without a country or postcode means the town abroad
				continue
			}
		}
		r := g.location(l, british, m)
		if len(r.why) > 0 {
			r.why = []string{strings.Join(r.why, "; ")}
		}
		all.add(r)
		switch r.country {
		case CountryAbroad:
			abroad++
		case CountryUK:
			home++
			if r.nation {
				nation++
			}
		}
	}
	switch {
	case home > 0: // a role open here and abroad is a vacancy here
		all.country, all.nation = CountryUK, nation == home
	case abroad > 0 && abroad == len(a.Locations):
		return reading{country: CountryAbroad, why: append(all.why, "its only places are abroad")}
	case len(a.Locations) == 0 && british:
		return reading{country: CountryUK, nation: true, by: "area", wide: []set{g.areas["united kingdom"].members},
			why: []string{"it names no place: anywhere in the United Kingdom"}}
	}
	return all
}

func (g *Gazetteer) location(l *sources.Location, british bool, m *LocationCache) reading {
	if l.Slug != "" {
		if n, ok := g.byCode[g.slugs[l.Slug]]; ok {
			return inCouncil(n, "slug", fmt.Sprintf("the slug %q is %s", l.Slug, g.councils[n]))
		}
		// The platform serves only the United Kingdom, so a borough that is in no list is an
		// unknown place in a known country.
		return reading{country: CountryUK, unplaced: l.Slug}
	}
	if l.Latitude != 0 || l.Longitude != 0 {
		if n, ok := g.byCode[g.outlines.find(l.Longitude, l.Latitude)]; ok {
			return inCouncil(n, "coordinates", "the coordinates are in "+g.councils[n])
		}
	}
	stated := g.countryOf(l.Country)
	if stated == CountryAbroad {
		return reading{country: CountryAbroad, why: []string{fmt.Sprintf("the country is %q", l.Country)}}
	}
	if why := whyPostcodeAbroad(l.Postcode, stated); why != "" {
		return reading{country: CountryAbroad, why: []string{why}}
	}
	var code reading
	at, isPostcode := g.isPostcode(l.Postcode)
	if at != nil {
		code = mainCouncil(at, set{}, "the postcode "+l.Postcode)
		if code.by = "postcode"; !code.sure.isEmpty() {
			return code
		}
	}
	british = british || stated == CountryUK || isPostcode
	text := m.text(g, l.Text, british)
	if text.sure.isEmpty() && len(text.wide) == 0 && at != nil {
		return code
	}
	if text.country == CountryUnknown && british {
		text.country = CountryUK
		if !isPostcode && len(g.alternatives(l.Text)) == 0 { // "Remote"
			text.why = []string{fmt.Sprintf("%q names no place: anywhere in the United Kingdom", l.Text)}
			text.nation, text.wide = true, []set{g.areas["united kingdom"].members}
		}
	}
	switch {
	case !text.sure.isEmpty():
		text.by = "text"
	case len(text.wide) > 0:
		text.by = "area"
	}
	return text
}

// inCouncil returns the result for a place that is certainly in council number n. The argument by
// is the name of the rule that found the council, and why is the evidence as text.
func inCouncil(n int, by, why string) reading {
	return reading{sure: setOf(n), country: CountryUK, by: by, why: []string{why}}
}

func (g *Gazetteer) coding(found *reading) Coding {
	c := Coding{Country: found.country, MatchedBy: found.by, UnknownBoroughSlug: found.unplaced}
	if found.country != CountryUK {
		c.MatchedBy = ""
		return c
	}
	c.Councils = g.codesOf(found.sure)
	for _, s := range g.servedSets {
		if slices.ContainsFunc(found.wide, func(w set) bool { return w.isSubset(s.members) }) {
			c.ServedAreas = append(c.ServedAreas, s.slug)
		}
	}
	slices.Sort(c.ServedAreas)
	switch {
	case !found.sure.isEmpty():
		c.Precision = PrecisionCouncil
	case len(found.wide) > 0:
		c.Precision = PrecisionArea
		c.PossibleCouncils = g.codesOf(found.either)
	}
	return c
}

// codesOf returns the official codes of councils, sorted. Councils without a code are left out.
func (g *Gazetteer) codesOf(s set) []string {
	var out []string
	if s.isEmpty() {
		return nil
	}
	for _, n := range s.numbers() {
		if code := g.codes[n]; code != "" {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}
