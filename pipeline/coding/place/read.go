package place

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// read returns the country and councils that a location text means. If it has several locations,
// one in the UK is enough for the UK. british means that the advert is known to be British. A name
// that also exists abroad is then read as British, unless the text names a place abroad.
func (t *tables) read(text string, british bool) reading {
	var out reading
	abroad, home := false, 0
	all := t.alternatives(text)
	amongStates := !british && slices.ContainsFunc(all, isInState)
	for _, parts := range all {
		r := t.alternative(parts, british)
		if amongStates && (t.isBareTown(parts) || isTownOfState(parts, all)) { // "Needham; Chicago, IL"
			continue
		}
		out.add(r)
		abroad = abroad || r.country == CountryAbroad
		if r.country == CountryUK {
			home++
			out.nation = (home == 1 || out.nation) && r.nation
		}
	}
	switch {
	case home > 0: // the job can be done in the United Kingdom, so it is a vacancy there
		out.country = CountryUK
	case abroad:
		return reading{country: CountryAbroad, why: out.why}
	}
	return out
}

// isInState reports whether one of the parts of a location is the name of a state or province
// abroad.
func isInState(parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return lists["state"][p] })
}

// isTownOfState reports whether parts is only the name of a town, and one of the locations of the
// text names a state that has such a town. In "Cambridge or Boston, MA", Cambridge is in MA.
func isTownOfState(parts []string, locations [][]string) bool {
	return len(parts) == 1 && slices.ContainsFunc(locations, func(other []string) bool {
		return slices.ContainsFunc(other, func(p string) bool { return lists["state"][p] && namesakes[p][parts[0]] })
	})
}

// isBareTown reports whether a location is only the name of a small British town. Such a name may
// also mean a town abroad.
func (t *tables) isBareTown(parts []string) bool {
	if len(parts) != 1 || t.areas[parts[0]] != nil {
		return false
	}
	spots := t.spots[parts[0]]
	return len(spots) > 0 && largest(spots).size < wellKnown
}

// isBritishNamesake reports whether part i means a British place, although it is also the name of a
// place abroad. This is so if the last part is a county and no part after part i is a place abroad.
// An example is "Ireland, Bedfordshire", a hamlet.
func (t *tables) isBritishNamesake(parts []string, i int) bool {
	later := parts[i+1:]
	if len(later) == 0 || !t.isForeign(parts[i]) {
		return false
	}
	return t.isCounty(later[len(later)-1]) && !slices.ContainsFunc(later, t.isForeign)
}

// alternative returns the country and councils that one location of an advert means, from its
// comma-separated parts, such as "hackney", "london" and "uk". british means that the advert is
// known to be British.
func (t *tables) alternative(parts []string, british bool) reading {
	for _, p := range parts {
		if at, code := t.postcodeIn(p); at != nil && !t.hasName(p) { // "M4 corridor"
			return mainCouncil(at, set{}, "the postcode "+strings.ToUpper(code))
		}
	}
	var names []segment
	foreignName := ""
	possibleForeignName := ""
	uk := false
	for i, p := range parts {
		british = british || hasFullPostcode(p)
		switch {
		case t.areas[p] != nil && t.areas[p].nation:
			uk = true
			names = append(names, t.segment(p))
		case t.isStateBehind(parts, i) || namesakeOf(parts, i):
			foreignName = cmp.Or(foreignName, p)
		case t.hasName(p):
			names = append(names, t.segment(p))
		case t.isBritishNamesake(parts, i):
		case i+1 == len(parts)-1 && villages[p] == parts[i+1]:
			names = append(names, t.segment(parts[i+1]))
		case t.isForeign(p):
			foreignName = cmp.Or(foreignName, p)
		default:
			segments, foreignPart, foreignEnding := t.findNames(p)
			names = append(names, segments...)
			possibleForeignName = cmp.Or(possibleForeignName, foreignPart)
			foreignName = cmp.Or(foreignName, foreignEnding)
		}
	}
	if len(names) == 0 {
		foreignName = cmp.Or(foreignName, possibleForeignName)
	}
	if foreignName == "" && !slices.ContainsFunc(names, func(s segment) bool { return len(s.spots) > 0 }) {
		names = append(names, t.correctName(parts, names)...)
	}
	r := t.resolve(names)
	r.country = t.country(names, foreignName, uk, british)
	switch r.country {
	case CountryAbroad:
		return reading{country: CountryAbroad,
			why: []string{fmt.Sprintf("%q is abroad", cmp.Or(foreignName, strings.Join(parts, ", ")))}}
	case CountryUnknown:
		return reading{}
	}
	return r
}

// villages maps names that a British village and a state abroad share, such as California, to the
// village's council. The name means the village only if the council follows: "California, Falkirk".
var villages = map[string]string{"california": "falkirk"}

// country returns the country of a location text, from the British names found in it. foreignName
// is the name of a place abroad in the text. uk means that the text names the United Kingdom or one
// of its nations.
func (t *tables) country(names []segment, foreignName string, uk, british bool) CountryStatus {
	sure := slices.ContainsFunc(names, func(s segment) bool { return !s.doubtful })
	switch {
	case uk:
		return CountryUK
	case foreignName != "":
		if foreignName == "ireland" && sure && inNorthernIreland(names, t) {
			return CountryUK
		}
		return CountryAbroad
	case sure || british:
		return CountryUK
	case len(names) > 0 && agree(names):
		return CountryUK // "Boston, Lincolnshire" and the like: each is doubtful alone
	}
	return CountryUnknown
}

// inNorthernIreland reports whether one of the names exists in Northern Ireland and nowhere else in
// the United Kingdom.
func inNorthernIreland(names []segment, t *tables) bool {
	ni := t.areas["northern ireland"].members
	elsewhere := func(o spot) bool { return !o.councils.isSubset(ni) }
	return slices.ContainsFunc(names, func(s segment) bool {
		isOnlyThere := len(s.spots) > 0 && !slices.ContainsFunc(s.spots, elsewhere)
		return isOnlyThere || s.area != nil && s.area.members.isSubset(ni)
	})
}

// agree reports whether two of the names support each other. Each name may mean a place abroad, but
// the place of one is in the area of the other ("Boston, Lincolnshire").
func agree(names []segment) bool {
	for i := range names {
		for j := range names[:i] {
			if len(names[j].spots) > 0 && len(withinCouncils(names[j].spots, names[i].nearby)) > 0 {
				return true
			}
		}
	}
	return false
}

// LocationCache caches what location texts say about places, for one gazetteer. It has two maps:
// the first for adverts that are not known to be British, the second for British adverts. The zero
// value is ready to use. It must be used by one goroutine at a time.
type LocationCache struct{ texts [2]map[string]reading }

// maxCachedTexts is the largest number of location texts in each of the two maps of a
// LocationCache: for British adverts, and for others.
const maxCachedTexts = 1 << 13

// text returns what g.read(s, british) returns, and caches the result.
func (m *LocationCache) text(g *Gazetteer, s string, british bool) reading {
	if s == "" {
		return reading{}
	}
	kept := &m.texts[0]
	if british {
		kept = &m.texts[1]
	}
	if r, known := (*kept)[s]; known {
		return r
	}
	r := g.read(s, british)
	if *kept == nil || len(*kept) == maxCachedTexts {
		*kept = map[string]reading{}
	}
	(*kept)[strings.Clone(s)] = r
	return r
}
