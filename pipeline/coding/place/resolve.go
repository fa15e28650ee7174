package place

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// reading is the place of work that was read from one location text, or from all locations of an
// advert.
type reading struct {
	sure set // councils in which the place certainly is; empty = none
	// for each area or ambiguous name in the text, the set of councils in which the place may be
	wide         []set
	either       set // councils in which a place with an ambiguous name may be
	country      CountryStatus
	nation       bool     // true if the text names a whole nation, such as England
	by, unplaced string   // values for Coding.MatchedBy and Coding.UnknownBoroughSlug
	why          []string // evidence for the result, as text for people
}

// add adds the councils and the evidence of o to r. It does not change the country of r.
func (r *reading) add(o reading) {
	r.sure = r.sure.or(o.sure)
	r.either = r.either.or(o.either)
	r.wide = append(r.wide, o.wide...)
	r.why = append(r.why, o.why...)
	r.by = cmp.Or(r.by, o.by)
	r.unplaced = cmp.Or(r.unplaced, o.unplaced)
}

// resolve returns the councils that a location text means. names are the place names found in the
// text. They help to interpret each other.
func (t *tables) resolve(names []segment) reading {
	places := t.placesOf(names)
	if len(places) == 0 {
		return t.narrowestAreas(names)
	}
	if t.isList(places) {
		return t.resolveList(places, names)
	}
	first, sure := places[0], false
	for i, later := range places[1:] {
		related := t.relatedTo(first.spots, later.spots)
		switch {
		case isJoinedName(first, places[i+1:]):
			first, sure = later, true
		case len(related) > 0:
			first.spots, sure = related, true
		case sure:
		case first.partial && !later.partial, largest(first.spots).size < wellKnown &&
			largest(later.spots).size >= largest(first.spots).size:
			first = later // a street or a hamlet with the name, not the place elsewhere
		}
	}
	return t.resolveList([]segment{first}, names)
}

// isJoinedName reports whether the word "and" is part of an institution's name that is followed by
// its town. An example is "Shrewsbury and Telford Hospital, Telford". firstName is the name before
// "and". laterNames are the names after it.
func isJoinedName(firstName segment, laterNames []segment) bool {
	if !laterNames[0].and || len(laterNames) == 1 {
		return false
	}
	spots := laterNames[0].spots
	return sharesCouncil(spots, laterNames[1].spots) && !sharesCouncil(firstName.spots, spots)
}

// isList reports whether a location text lists several places of work ("Leeds and York"). It
// returns false for one place that is followed by its town ("Headingley, Leeds").
func (t *tables) isList(places []segment) bool {
	last := len(places) - 1
	known := true
	apart := true
	for i, s := range places {
		if t.isAlternative(places, i) {
			return true
		}
		known = known && largest(s.spots).size >= wellKnown
		apart = apart && !s.partial && !slices.ContainsFunc(places[:i],
			func(o segment) bool { return sharesCouncil(o.spots, s.spots) })
	}
	isLong := last >= 3 || last == 2 && known
	return apart && isLong
}

// isAlternative reports whether place i of a location text is an alternative to the place before
// it, as in "Leeds and York". The word "and" must be between them, and they must be in different
// councils. Unless place i is the last one, they must also be far from each other.
func (t *tables) isAlternative(places []segment, i int) bool {
	if i == 0 || !places[i].and {
		return false
	}
	before, spots := places[i-1].spots, places[i].spots
	if sharesCouncil(before, spots) {
		return false
	}
	isLast := i == len(places)-1
	return isLast || len(t.relatedTo(before, spots)) == 0
}

// resolveList returns the councils of all listed places. Each place helps to interpret the others.
// names are all names in the location text. If a name in a list is an area, such as London in
// "London and York", resolveList adds the area.
func (t *tables) resolveList(places, names []segment) (result reading) {
	for i, s := range places {
		for j, other := range places {
			if related := t.relatedTo(s.spots, other.spots); i != j && len(related) > 0 {
				s.spots = related
			}
		}
		result.add(t.resolvePlace(s))
	}
	for i, s := range names {
		inList := areJoined(names, i-1) || areJoined(names, i)
		if s.area != nil && inList && !result.sure.meets(s.area.members) {
			result.wide, result.why = append(result.wide, s.area.members),
				append(result.why, fmt.Sprintf("%q is the area %s", s.name, s.area.name))
		}
	}
	return result
}

// areJoined reports whether "and" is between the names i and i+1 of a location text.
func areJoined(names []segment, i int) bool { return i >= 0 && i+1 < len(names) && names[i+1].and }

// wellKnown is the smallest size of a place whose name is accepted without other evidence. It is a
// number of small census areas.
const wellKnown = 40

// placesOf returns the places that a location text names, such as towns, but not the larger areas.
// It leaves out a place that is not in the area named next to it.
func (t *tables) placesOf(names []segment) []segment {
	var places []segment
	for i, s := range names {
		if len(s.spots) == 0 {
			continue
		}
		if len(places) > 0 && s.nearby.len() > 1 && len(s.spots) == 1 {
			continue // the county of the place before it
		}
		spots := s.spots
		around := set{}
		ruled := false
		for j, other := range names {
			if !isContext(names, j, i) {
				continue
			}
			fit := t.fitting(spots, other)
			if len(fit) == 0 {
				ruled = true
				continue
			}
			spots, around = fit, narrower(around, other.nearby)
			if other.area != nil {
				around = narrower(around, other.area.members)
			}
		}
		if ruled && around.isEmpty() && needsEvidence(spots) {
			continue
		}
		s.spots, s.nearby = spots, around
		places = append(places, s)
	}
	return places
}

// isContext reports whether name j of a location text helps to locate place i. A county or other
// area helps. A council helps only if it comes after the place. A name joined to the place by "and"
// does not help.
func isContext(names []segment, j, i int) bool {
	context := &names[j]
	if j == i || context.nearby.isEmpty() {
		return false
	}
	isCouncilBefore := context.area == nil && j < i
	isJoined := max(i, j)-min(i, j) == 1 && areJoined(names, min(i, j))
	return !isCouncilBefore && !isJoined
}

// needsEvidence reports whether a place name needs other evidence to be accepted. It does if the
// place is small, or if several places have the name.
func needsEvidence(spots []spot) bool { return largest(spots).size < wellKnown || len(spots) > 1 }

// fitting returns the places in spots that are at least partly in the area a. If there are none, it
// returns the places near the area.
func (t *tables) fitting(spots []spot, a segment) []spot {
	if a.area != nil {
		if in := withinCouncils(spots, a.area.members); len(in) > 0 {
			return in
		}
	}
	if in := withinCouncils(spots, a.nearby); len(in) > 0 {
		return in
	}
	return withinCouncils(spots, t.nearTo(a.nearby))
}

// nearTo returns the given councils and their neighbours. Neighbours are councils that share a
// postcode district.
func (t *tables) nearTo(s set) set {
	for _, n := range s.numbers() {
		if n < len(t.near) {
			s = s.or(t.near[n])
		}
	}
	return s
}

// relatedTo returns the places in spots that share a council with a place in otherSpots. If there
// are none, it returns the places in spots that are near a place in otherSpots.
func (t *tables) relatedTo(spots, otherSpots []spot) []spot {
	var at set
	for _, o := range otherSpots {
		at = at.or(o.councils)
	}
	if in := withinCouncils(spots, at); len(in) > 0 {
		return in
	}
	return withinCouncils(spots, t.nearTo(at))
}

// dominance is the factor by which a place must be larger than every other place with its name. The
// name then means only the largest place.
const dominance = 4

// resolvePlace returns the councils of the place that a name means. The result is ambiguous if
// several places of similar size have the name.
func (t *tables) resolvePlace(s segment) reading {
	best := largest(s.spots)
	var either set
	for _, o := range s.spots {
		if o.councils != best.councils && o.size*dominance > best.size {
			either = either.or(o.councils)
		}
	}
	if !either.isEmpty() {
		either = either.or(best.councils)
		return reading{wide: []set{either}, either: either,
			why: []string{fmt.Sprintf("%q may mean a place in %s", s.name, t.namesOf(either))}}
	}
	r := mainCouncil(best.parts, s.nearby)
	in := r.sure
	for _, w := range r.wide {
		in = in.or(w)
	}
	r.why = []string{fmt.Sprintf("%q is in %s", s.name, t.namesOf(in))}
	return r
}

// mainShare is the share of a place, 0 to 1, that must be in one council for the place to count as
// in this council.
const mainShare = 0.5

// mainCouncil returns the council that has at least half of a place. parts are the parts of the
// place in its councils. If there is no such council, the place may be in any of its councils, and
// mainCouncil returns all of them. If some of the councils are in around, it considers only these.
// why is the evidence for the place, as text.
func mainCouncil(parts []part, around set, why ...string) reading {
	if inside := slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return !around.has(p.council) }); len(
		inside) > 0 {
		parts = inside
	}
	total, all := 0, set{}
	best := parts[0]
	for _, p := range parts {
		total += p.size
		all = all.or(setOf(p.council))
		if p.size > best.size {
			best = p
		}
	}
	r := reading{country: CountryUK, why: why}
	if float64(best.size) >= mainShare*float64(total) {
		r.sure = setOf(best.council)
	} else {
		r.wide = []set{all}
	}
	return r
}

// narrowestAreas returns the areas that a location text names. If a named area contains another
// named area, only the smaller one is returned.
func (t *tables) narrowestAreas(names []segment) reading {
	r := reading{nation: true}
	for i, s := range names {
		if s.area == nil || containsAnother(names, i) {
			continue
		}
		r.nation = r.nation && s.area.nation
		if s.area.members.len() == 1 {
			r.sure = r.sure.or(s.area.members)
			r.why = append(r.why, fmt.Sprintf("%q is %s", s.name, t.namesOf(s.area.members)))
			continue
		}
		r.wide = append(r.wide, s.area.members)
		r.why = append(r.why, fmt.Sprintf("%q is the area %s of %d councils", s.name, s.area.name,
			s.area.members.len()))
	}
	r.nation = r.nation && len(r.wide) > 0
	return r
}

// containsAnother reports whether the area names[i] contains another area in names. Of two areas with
// the same councils, such as London and Greater London, the later one contains the earlier one.
func containsAnother(names []segment, i int) bool {
	members := names[i].area.members
	for j, other := range names {
		if other.area == nil || j == i || !other.area.members.isSubset(members) {
			continue
		}
		if isSame := members.isSubset(other.area.members); !isSame || j < i {
			return true
		}
	}
	return false
}

// namesOf returns the names of councils, such as "Camden or Islington". For more than four
// councils, it returns only their number, such as "one of 7 councils".
func (t *tables) namesOf(s set) string {
	var names []string
	for _, n := range s.numbers() {
		names = append(names, t.councils[n])
	}
	if len(names) > 4 {
		return fmt.Sprintf("one of %d councils", len(names))
	}
	return strings.Join(names, " or ")
}
