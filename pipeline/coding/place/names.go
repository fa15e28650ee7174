package place

import (
	"slices"
	"strings"
)

// longestName is the largest number of words in a place name. Longer names are not found in texts.
const longestName = 6

// segment is one name in a location text: a British place, a British area or a place abroad.
type segment struct {
	name  string
	spots []spot
	area  *area
	// councils in the named area. It also has councils outside the area if adverts write the
	// area's name after the names of places there.
	nearby set
	// true if the name may also mean a place abroad, such as "Boston"; false for a nation
	doubtful bool
	and      bool // true if the word "and" comes before this segment
	// true if the name is only part of a longer text, such as "Walsall" in "Walsall Manor
	// Hospital"
	partial bool
}

// findNames returns the British names in a longer text, such as "Walsall Manor Hospital".
// foreignName is the name of a place abroad in the text. foreignEnding is the same name if it is a
// country or state at the end of the text, as in "Cambridge Massachusetts".
func (t *tables) findNames(p string) (out []segment, foreignName, foreignEnding string) {
	and := false
	for from := 0; from < len(p); {
		name := t.nameAt(p, from)
		if name == "" {
			word, _, _ := strings.Cut(p[from:], " ")
			and = word == "and"
			from += len(word) + 1
			continue
		}
		s := t.segment(name)
		s.doubtful = s.doubtful && !t.isCouncilName(name, p[from+len(name):])
		from += len(name) + 1
		if len(s.spots) == 0 && s.area == nil {
			foreignName = name
			if from > len(p) && (lists["state"][name] || !lists["city"][name]) {
				foreignEnding = name
			}
			continue
		}
		s.and, s.partial = and && len(out) > 0, len(name) < len(p)
		out, and = append(out, s), false
	}
	return out, foreignName, foreignEnding
}

// shortCountries are the country names of fewer than four letters that are recognised within a
// longer text.
var shortCountries = map[string]bool{"uk": true, "usa": true, "nz": true, "iom": true}

// nameAt returns the longest place name that starts at byte from of p, British or foreign. It
// returns "" if there is none.
func (t *tables) nameAt(p string, from int) (name string) {
	n := 0
	for to := from; to < len(p) && n < longestName; to++ {
		if end := strings.IndexByte(p[to:], ' '); end < 0 {
			to = len(p)
		} else {
			to += end
		}
		n++
		part := p[from:to]
		if !t.isName(part) {
			continue
		}
		next, _, _ := strings.Cut(strings.TrimPrefix(p[to:], " "), " ")
		isPlain := plainWords[part] && !t.isCouncilName(part, p[to:]) && (from > 0 || t.areas[part] == nil || roads[next])
		isWord := n == 1 && (len(part) < 4 || isPlain)
		if isWord && !shortCountries[part] {
			continue
		}
		goesOn := roads[next] || n == 1 && joiners[next] // "Oxford Road", "Weston under Wetherley"
		if goesOn && t.areas[part] == nil || endsWithSize(p[:from]) {
			continue
		}
		name = part
	}
	return name
}

// endsWithSize reports whether a text ends with a word that makes the name after it that of another
// place: "Great Corby" is not in Corby.
func endsWithSize(before string) bool {
	return strings.HasSuffix(before, "great ") || strings.HasSuffix(before, "little ")
}

// councilEndings are the words that follow the name of a council's area in the name of the council.
var councilEndings = map[string]bool{" council": true, " borough": true, " borough council": true,
	" district council": true, " city council": true, " metropolitan borough": true, " metropolitan borough council": true}

// isCouncilName reports whether a name and the text after it are a council, such as "Reading Borough
// Council". "Reading" in another text may be the word.
func (t *tables) isCouncilName(name, after string) bool {
	_, isCouncil := t.numbers[name]
	return isCouncil && councilEndings[after]
}

// correctName returns the place that a misspelt name in a location means, or nil. It allows one
// wrong, missing or extra letter, or two swapped letters. parts are the comma-separated parts of
// the location. areas are the areas that the location names. The place must be in, or close to,
// every one of them.
func (t *tables) correctName(parts []string, areas []segment) []segment {
	for _, p := range parts {
		if len(p) < shortestFuzzy || t.isName(p) || plainWords[p] {
			continue
		}
		meant := ""
		for _, name := range t.fuzzy[p[:1]] {
			if oneOff(p, name) {
				if meant != "" && !sharesCouncil(t.spots[meant], t.spots[name]) {
					return nil // two names are equally similar
				}
				meant = name
			}
		}
		elsewhere := func(a segment) bool { return len(withinCouncils(t.spots[meant], a.nearby)) == 0 }
		if meant != "" && !slices.ContainsFunc(areas, elsewhere) {
			return []segment{t.segment(meant)}
		}
	}
	return nil
}

// oneOff reports whether two texts differ by exactly one typing error. The error is a changed,
// added or removed byte, or two swapped neighbouring bytes.
func oneOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	if a[i+1:] == b[i+1:] {
		return true // one byte changed
	}
	return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func (t *tables) segment(name string) segment {
	s := segment{name: name, spots: t.spots[name], area: t.areas[name], doubtful: t.isDoubtful(name)}
	switch {
	case s.area != nil:
		s.nearby = s.area.nearby
		s.doubtful = s.doubtful && !s.area.nation
	case t.areas[name+" county"] != nil: // a council smaller than the county with its name
		s.nearby = t.areas[name+" county"].nearby
	case len(s.spots) == 1 && s.spots[0].council:
		s.nearby = s.spots[0].councils
	}
	if len(s.spots) > 0 && s.area != nil {
		s.spots = nil // "Sussex" is the county, even if a hamlet has the name
	}
	return s
}
