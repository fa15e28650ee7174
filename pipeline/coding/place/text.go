package place

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// longestText is the number of bytes that are read of a location text. The rest is ignored.
const longestText = 400

var (
	betweenPlaces = regexp.MustCompile(`(?i)\s*(?:[;|\n]|\s/\s|/|\s+or\s+|\s+and/or\s+|•)\s*`)
	betweenParts  = regexp.MustCompile(`\s*[,()\[\]:]\s*|\s+[-–—]\s*|\s*[-–—]\s+|>`)
)

// alternatives splits a location text into locations ("Leeds; York"), and each location into its
// comma-separated parts. The parts are normalised.
func (t *tables) alternatives(s string) [][]string {
	if len(s) > longestText {
		s = strings.ToValidUTF8(s[:longestText], "")
	}
	if whole := normalise(s); t.hasName(whole) { // "Derry/Londonderry"
		return [][]string{{whole}}
	}
	s = t.withCountries(spellOutStates(withoutMotorways(s)))
	var out [][]string
	for _, a := range betweenPlaces.Split(s, -1) {
		var parts []string
		for _, p := range betweenParts.Split(a, -1) {
			for _, q := range t.splitCountryPrefix(stripNoise(normalise(p))) {
				if q = t.withoutRegionWords(q); q != "" {
					parts = append(parts, q)
				}
			}
		}
		for _, parts := range t.splitAnd(reorderIreland(parts)) {
			out = append(out, t.splitOffices(parts)...)
		}
	}
	return out
}

// reorderIreland changes "Ireland, Northern" in a location to "Northern Ireland".
func reorderIreland(parts []string) []string {
	for i := range len(parts) - 1 {
		if parts[i] == "ireland" && parts[i+1] == "northern" {
			return slices.Concat(parts[:i], []string{"northern ireland"}, parts[i+2:])
		}
	}
	return parts
}

// splitAnd splits a location such as "London and New York" into two if one of the places is abroad.
func (t *tables) splitAnd(parts []string) [][]string {
	for i, p := range parts {
		left, right, ok := strings.Cut(p, " and ")
		if !ok || t.isName(p) {
			continue
		}
		abroad := t.isForeign(left) && !t.hasName(left) || t.isForeign(right) && !t.hasName(right)
		if abroad && t.isName(left) && t.isName(right) {
			return [][]string{append(slices.Clone(parts[:i]), left), append([]string{right}, parts[i+1:]...)}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return [][]string{parts}
}

// motorway matches the name of a motorway in a location text, such as "M4 motorway". Its number
// would otherwise be read as a postcode district of Manchester.
var motorway = regexp.MustCompile(
	`(?i)\b(?:(?:within|inside|outside|off|near|along|around|beyond) (?:the )?|the )M[0-9]+\b( corridor\b)?|\bM[0-9]+ ` +
		`(?:motorway|area|region|belt|junction|j[0-9]+)\b|\bM25\b(?:\s*[0-9][a-z]{2}\b)?`)

// withoutMotorways removes motorways from a location text. It keeps a named corridor, such as "M4
// corridor", because it is an area.
func withoutMotorways(s string) string {
	return motorway.ReplaceAllStringFunc(s, func(road string) string {
		words := strings.Fields(road)
		if strings.EqualFold(words[len(words)-1], "corridor") {
			return ", " + strings.Join(words[len(words)-2:], " ")
		}
		if len(road) > len("M25") && fullPostcode.MatchString(road) {
			return road
		}
		return " "
	})
}

// stripNoise removes words such as "office" from the start and end of a location. "London Office"
// becomes "London".
func stripNoise(p string) string {
	if noise[p] {
		return ""
	}
	list := strings.Fields(p)
	for len(list) > 0 && noise[list[len(list)-1]] {
		list = list[:len(list)-1]
	}
	isNoiseInFront := func(w string) bool { return noise[w] || w == "in" || w == "the" }
	for len(list) > 0 && isNoiseInFront(list[0]) {
		list = list[1:]
	}
	return strings.Join(list, " ")
}

// countryPrefixes are the country names that splitCountryPrefix looks for, in lower case.
var countryPrefixes = map[string]bool{"uk": true, "us": true, "usa": true, "gb": true, "canada": true}

// splitCountryPrefix splits a location that starts with a country. "uk london" becomes "uk" and
// "london". It keeps British names such as "canada water".
func (t *tables) splitCountryPrefix(p string) []string {
	head, tail, ok := strings.Cut(p, " ")
	if !ok || !countryPrefixes[head] {
		return []string{p}
	}
	if t.hasName(p) || roads[tail] { // "canada water", "canada road"
		return []string{p}
	}
	if other, joined := strings.CutPrefix(tail, "and "); joined && islands[other] {
		return []string{p} // "uk and channel islands", which splitAnd splits
	}
	return []string{head, stripNoise(tail)}
}

// splitOffices splits a list of cities into separate locations if one city is abroad and another is
// British. An example is "Dublin, London".
func (t *tables) splitOffices(parts []string) [][]string {
	if namesIsland(parts) {
		if slices.ContainsFunc(parts, t.isListedCity) { // "London, Jersey"
			return slices.Collect(slices.Chunk(parts, 1))
		}
		return [][]string{parts}
	}
	home, away := false, false
	for _, p := range parts {
		city := lists["city"][p]
		home = home || !city && t.hasName(p) && !t.isDoubtful(p)
		away = away || city && !t.hasName(p)
		// "Buffalo, New York"
		office := city &&
			(len(parts) > 2 || slices.ContainsFunc(parts, func(o string) bool { return t.areas[o] != nil }))
		isState := lists["state"][p] && !office
		if isState || countries()[p] || lists["area"][p] {
			return [][]string{parts}
		}
	}
	if !home || !away || t.isSuburb(parts) {
		return [][]string{parts}
	}
	return slices.Collect(slices.Chunk(parts, 1))
}

// villages maps names of British places that are also states or islands abroad to the places that
// contain them. Such a name means the British place only if it is followed by the name of a place
// that contains it: "California, Falkirk".
var villages = map[string][]string{"california": {"falkirk"}, "alderney": {"poole", "bournemouth", "dorset"}}

// isVillage reports whether parts[i] is a key of the map villages and the next part is a place that
// contains this village. parts are the comma-separated parts of a location, such as "california"
// and "falkirk".
func isVillage(parts []string, i int) bool {
	return i+1 < len(parts) && slices.Contains(villages[parts[i]], parts[i+1])
}

// namesIsland reports whether a location names an island of the Crown dependencies. parts are the
// comma-separated parts of the location. It returns false for "Alderney, Poole".
func namesIsland(parts []string) bool {
	for i, p := range parts {
		if islands[p] && !isVillage(parts, i) {
			return true
		}
	}
	return false
}

// listedCity is the smallest size of a British town that counts as an office's location when it is
// listed next to a foreign city or an island. It is a number of small census areas.
const listedCity = 90

// isListedCity reports whether a part of a location is London, or a British town that counts as an
// office's location.
func (t *tables) isListedCity(p string) bool {
	if a := t.areas[p]; a != nil {
		return a == t.areas["london"]
	}
	return len(t.spots[p]) > 0 && !t.isDoubtful(p) && largest(t.spots[p]).size >= listedCity
}

// isSuburb reports whether a location is a foreign city after a suburb with a British name ("Epsom,
// Auckland"). It returns false for two separate offices ("Bristol, Berlin").
func (t *tables) isSuburb(parts []string) bool {
	if len(parts) != 2 || !lists["city"][parts[1]] || t.areas[parts[0]] != nil {
		return false
	}
	return namesakeOf(parts, 1) || len(t.spots[parts[0]]) > 0 && largest(t.spots[parts[0]]).size < listedCity
}

// shortestFuzzy is the smallest length of a place name, in bytes, for which misspellings are
// recognised.
const shortestFuzzy = 6

func (t *tables) indexFuzzy() {
	for _, name := range slices.Sorted(maps.Keys(t.spots)) {
		if len(name) >= shortestFuzzy && slices.ContainsFunc(t.spots[name],
			func(s spot) bool { return s.size >= townSize }) {
			t.fuzzy[name[:1]] = append(t.fuzzy[name[:1]], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.areas)) {
		if len(name) >= shortestFuzzy {
			t.fuzzy[name[:1]] = append(t.fuzzy[name[:1]], name)
		}
	}
}

// clone returns a copy of the tables. Adding names to the copy does not change t.
func (t *tables) clone() *tables {
	c := *t
	c.councils = slices.Clone(t.councils)
	c.numbers = maps.Clone(t.numbers)
	c.spots = maps.Clone(t.spots)
	c.areas = maps.Clone(t.areas)
	return &c
}
