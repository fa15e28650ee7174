package place

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// read returns the country and councils that a location text means. The text may name several
// places. If one of them is in the United Kingdom, the country is the United Kingdom. british means
// that the advert is known to be British. In that case, a name that also exists abroad means the
// British place.
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

// isInState reports whether a location names a state or province abroad. parts are the
// comma-separated parts of the location.
func isInState(parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return lists["state"][p] })
}

// isTownOfState reports whether a location is only a town's name, and another location in the same
// text names a foreign state with such a town. In "Cambridge or Boston, MA", Cambridge is in MA.
func isTownOfState(parts []string, locations [][]string) bool {
	return len(parts) == 1 && slices.ContainsFunc(locations, func(other []string) bool {
		return slices.ContainsFunc(other, func(p string) bool { return lists["state"][p] && namesakes[p][parts[0]] })
	})
}

// isBareTown reports whether a location is only the name of a small British town. This name may
// mean a town abroad with the same name. parts are the comma-separated parts of the location.
func (t *tables) isBareTown(parts []string) bool {
	if len(parts) != 1 || t.areas[parts[0]] != nil {
		return false
	}
	spots := t.spots[parts[0]]
	return len(spots) > 0 && largest(spots).size < wellKnown
}

// isBritishNamesake reports whether a part of a location is a British place with the name of a
// place abroad. An example is the hamlet in "Ireland, Bedfordshire". The last part must be a
// county, and no part after part i may be abroad. An island of the Crown dependencies is never such
// a place, because adverts also write an English region after it.
func (t *tables) isBritishNamesake(parts []string, i int) bool {
	later := parts[i+1:]
	if len(later) == 0 || !t.isForeign(parts[i]) || islands[parts[i]] {
		return false
	}
	return t.isCounty(later[len(later)-1]) && !slices.ContainsFunc(later, t.isForeign)
}

// alternative returns the country and councils of one location. parts are the location's
// comma-separated parts, such as "hackney", "london" and "uk". Set british if the advert is known
// to be British.
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
		case isVillage(parts, i):
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
	if len(names) == 0 || areOnIsland(names, possibleForeignName) {
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

// country returns the country of a location text. names are the British names found in the text,
// and foreignName is the name of a place abroad or "". uk means that the text names the United
// Kingdom or one of its nations. british means that the advert is known to be for work in the
// United Kingdom. "Jersey, UK" is still abroad.
func (t *tables) country(names []segment, foreignName string, uk, british bool) CountryStatus {
	sure := slices.ContainsFunc(names, func(s segment) bool { return !s.doubtful })
	switch {
	case uk && !islands[foreignName]:
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

// inNorthernIreland reports whether at least one of the names exists in Northern Ireland but
// nowhere else in the United Kingdom.
func inNorthernIreland(names []segment, t *tables) bool {
	ni := t.areas["northern ireland"].members
	elsewhere := func(o spot) bool { return !o.councils.isSubset(ni) }
	return slices.ContainsFunc(names, func(s segment) bool {
		isOnlyThere := len(s.spots) > 0 && !slices.ContainsFunc(s.spots, elsewhere)
		return isOnlyThere || s.area != nil && s.area.members.isSubset(ni)
	})
}

// agree reports whether one of the names is a place in the area of another one. In this case both
// names are British, even if each also exists abroad. An example is "Boston, Lincolnshire".
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

// LocationCache caches the results of reading location texts. It has one map for adverts known to
// be British, and one for others. The zero value is ready to use. Only one goroutine may use it at
// a time, and always with the same gazetteer.
type LocationCache struct{ texts [2]map[string]reading }

// maxCachedTexts is the largest number of location texts in each map of a LocationCache. A full map
// is emptied.
const maxCachedTexts = 1 << 13

// text returns the result of reading the location text s with the gazetteer g. It is read from the
// cache if possible. british means that the advert is known to be for work in the United Kingdom.
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
