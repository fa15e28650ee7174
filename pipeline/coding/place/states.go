package place

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// statesTSV lists states of the United States, Canada and Australia: code, name, abbreviations.
	//
	//go:embed states.tsv
	statesTSV string
	// namesakesTSV lists states and regions abroad, and the towns in them that have British names.
	//
	//go:embed namesakes.tsv
	namesakesTSV string
)

// stateOf maps the codes and abbreviations of states abroad to their names, such as "ma" to
// "Massachusetts". It covers the United States, Canada and Australia.
var stateOf = func() map[string]string {
	m := map[string]string{}
	for _, columns := range lines(statesTSV) {
		m[bare(columns[0])] = columns[1]
		for short := range strings.SplitSeq(columns[2], "|") {
			if short != "" {
				m[bare(short)] = columns[1]
			}
		}
	}
	return m
}()

// codesOfStates, namesOfStates and shortStates are lists of the codes, names and abbreviations of
// states abroad, separated by "|". They are used in regular expressions.
var codesOfStates, namesOfStates, shortStates = func() (codes, names, short string) {
	var all, whole, older []string
	for _, columns := range lines(statesTSV) {
		all, whole = append(all, columns[0]), append(whole, columns[1])
		for s := range strings.SplitSeq(columns[2], "|") {
			if s != "" {
				older = append(older, strings.ReplaceAll(regexp.QuoteMeta(s), " ", ` ?`))
			}
		}
	}
	return strings.Join(all, "|"), strings.Join(whole, "|"), strings.Join(older, "|")
}()

// bare returns the code of a state in lower case, without full stops and spaces. "M.A." becomes
// "ma".
func bare(s string) string {
	return strings.ToLower(strings.NewReplacer(".", "", " ", "").Replace(s))
}

const (
	// postalCode matches an American, Canadian or Australian postal code after the name of a state.
	// It also matches if there is none.
	postalCode = `(?:[ ,]+(?:[0-9]{5}(?:-[0-9]{4})?|[0-9]{4}|[A-Za-z][0-9][A-Za-z](?: ?[0-9][A-Za-z][0-9])?))?`
	// placeEnds matches what may follow the name of a place: the end of the line, punctuation,
	// "or" or "and".
	placeEnds = `(\s*(?:$|[,;|/()\[\]:•\n]|\s[-–—+&]|\s(?i:or|and)\s))`
)

var (
	// stateBehindMark matches a state abroad after a punctuation mark, in capitals or lower case:
	// "Dover, DE", "Cambridge, Mass.".
	stateBehindMark = regexp.MustCompile(`(?i)(?:\s*[,(\[]\s*|\s+[-–—]\s*|\s*[-–—]\s+)(` + codesOfStates + `|` +
		shortStates + `)(\.?)` + postalCode + placeEnds)
	// stateBehindSpace matches the code of a state abroad after a space, in capitals: "Birmingham
	// AL 35203".
	stateBehindSpace = regexp.MustCompile(`([\pL.'’)])\s+(` + codesOfStates + `)` + postalCode + placeEnds)
	// shortBehindSpace matches an older abbreviation of a state abroad, with a full stop, after a
	// space: "Cambridge Mass.".
	shortBehindSpace = regexp.MustCompile(`([\pL'’])\s+(` + shortStates + `)\.` + postalCode + placeEnds)
	// stateBehindStroke matches the code of a state abroad after a slash, in capitals. An example
	// is "Birmingham / AL".
	stateBehindStroke = regexp.MustCompile(`(\pL)\s*/\s*(` + codesOfStates + `)` + placeEnds)
	// nameWithCode matches the name of a state abroad and its postal code. An example is "Richmond,
	// Victoria 3121".
	nameWithCode = regexp.MustCompile(
		`(?i)([,(]\s*)(` + namesOfStates + `|Victoria)[ ,]+(?:[0-9]{5}(?:-[0-9]{4})?|[0-9]{4})` + placeEnds)
	// nameBehindSpace matches the name of a state abroad after a space: "Salisbury Maryland".
	nameBehindSpace = regexp.MustCompile(`(?i)(\pL+)\s+(` + namesOfStates + `)` + postalCode + placeEnds)
	// stateInFront matches the code of a state abroad before its town: "AL - Birmingham",
	// "MA-Boston".
	stateInFront = regexp.MustCompile(`(^|[;|/\n•]\s*)(` + codesOfStates +
		`)(\s+[-–—]\s*|\s*[-–—]\s+|-|,\s+)(\pL{3})`)
	// countryInFront matches the codes of a country and a state before a town: "US-MA-Cambridge",
	// "CA-ON-London".
	countryInFront = regexp.MustCompile(`(^|[;|/\n•]\s*)(?:USA?|CAN?|AUS?)\s*[-–—]\s*(` + codesOfStates +
		`)\s*[-–—]\s*(\pL)`)
	// zipAlone matches an American postal code at the end of a location: "Boston 02108".
	zipAlone     = regexp.MustCompile(`(\pL[.,]?\s+|,\s*)[0-9]{5}(?:-[0-9]{4})?(\s*(?:$|[;|/•\n]))`)
	canadianCode = regexp.MustCompile(`(?i)\b[ABCEGHJ-NPRSTVXY][0-9][A-Z][ -]?[0-9][A-Z][0-9]\b`)
	// islandCode matches a postcode of Jersey, Guernsey or the Isle of Man, or its first half.
	// These islands have British postcodes but are not in the United Kingdom.
	islandCode = regexp.MustCompile(`(?i)\b(JE|GY|IM)[0-9]{1,2}(?:\s*[0-9][A-Z]{2})?\b`)
	irishCode  = regexp.MustCompile(`\b(?:[AC-FHKNPRTV-Y][0-9]{2}|D6W) ?[AC-FHKNPRTV-Y][0-9AC-FHKNPRTV-Y]{3}\b`)
)

// codesThatAreWords are the codes of states abroad that are also English words or regions of
// England. An example is "ON", as in "ON-SITE".
var codesThatAreWords = map[string]bool{"ON": true, "IN": true, "OR": true, "ME": true, "OK": true, "HI": true,
	"CO": true, "NE": true}

// shortThatAreNames are abbreviations of states abroad that are also words or British places, such
// as "wash" or "man". They mean a state only with a full stop.
var shortThatAreNames = map[string]bool{"ore": true, "penn": true, "wash": true, "man": true, "miss": true, "ill": true}

// postcodeAbroad is the text that replaces foreign postal codes in location texts. It is a sign of
// a place abroad.
const postcodeAbroad = "postcode abroad"

// islandOfCode maps the first letters of a postcode to the name of its island.
var islandOfCode = map[string]string{"JE": "Jersey", "GY": "Guernsey", "IM": "Isle of Man"}

// spellOutStates replaces the codes of states abroad by names in a location text, and marks foreign
// postal codes. It replaces the postcodes of Jersey, Guernsey and the Isle of Man by the island's
// name. It must run before the text is normalised, because "or" in "lincoln or" is a conjunction.
func spellOutStates(s string) string {
	if mayNameState(s) {
		s = withStates(s)
	}
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	s = replaceMatches(islandCode, s, func(m []string) string { return ", " + islandOfCode[strings.ToUpper(m[1])] })
	s = zipAlone.ReplaceAllString(s, "${1}, "+postcodeAbroad+"${2}")
	s = canadianCode.ReplaceAllString(s, ", "+postcodeAbroad)
	return irishCode.ReplaceAllStringFunc(s, func(code string) string {
		if !strings.ContainsAny(code[len(code)-3:], "0123456789") { // "N10 PARK"
			return code
		}
		return ", " + postcodeAbroad
	})
}

// withStates replaces the codes and abbreviations of states abroad by names in a location text.
// Some patterns are applied twice, because two codes may share a separator.
func withStates(s string) string {
	s = replaceMatches(nameWithCode, s, func(m []string) string { return m[1] + m[2] + ", " + postcodeAbroad + m[3] })
	s = replaceMatches(stateBehindStroke, s, func(m []string) string {
		if codesThatAreWords[m[2]] {
			return m[0]
		}
		return m[1] + ", " + stateOf[bare(m[2])] + m[3]
	})
	for range 2 {
		s = replaceMatches(stateBehindMark, s, func(m []string) string {
			end := strings.TrimSpace(m[3])
			if m[1] != strings.ToUpper(m[1]) && (end == "or" || end == "and") { // "in or near"
				return m[0]
			}
			if m[2] == "" && shortThatAreNames[bare(m[1])] {
				return m[0]
			}
			return ", " + stateOf[bare(m[1])] + m[3]
		})
		s = replaceMatches(stateBehindSpace, s, func(m []string) string { return m[1] + ", " + stateOf[bare(m[2])] + m[3] })
	}
	s = replaceMatches(shortBehindSpace, s, func(m []string) string { return m[1] + ", " + stateOf[bare(m[2])] + m[3] })
	s = replaceMatches(nameBehindSpace, s, func(m []string) string {
		if wordsBefore[strings.ToLower(m[1])] {
			return m[0]
		}
		return m[1] + ", " + m[2] + m[3]
	})
	s = replaceMatches(countryInFront, s,
		func(m []string) string { return m[1] + "US, " + stateOf[bare(m[2])] + ", " + m[3] })
	return replaceMatches(stateInFront, s, func(m []string) string {
		readsAsWord := m[3] == "-" || m[3][0] == ',' // "ON-SITE"
		if codesThatAreWords[m[2]] && (readsAsWord || m[2] == "NE") {
			return m[0]
		}
		return m[1] + "US, " + stateOf[bare(m[2])] + ", " + m[4]
	})
}

// wordsBefore are words that may be before the name of a state abroad, but are not a town in it. An
// example is "and" in "Leeds and New York".
var wordsBefore = map[string]bool{"and": true, "or": true, "in": true, "the": true, "of": true, "from": true,
	"anywhere": true, "remote": true}

// replaceMatches replaces each match of re in s by the result of replacement. groups are the groups
// of the match, and groups[0] is the whole match.
func replaceMatches(re *regexp.Regexp, s string, replacement func(groups []string) string) string {
	return re.ReplaceAllStringFunc(s, func(found string) string { return replacement(re.FindStringSubmatch(found)) })
}

// headsOfStates are the first words of the codes, names and abbreviations of states abroad, in
// lower case. An example is "new" for New York.
var headsOfStates = func() map[string]bool {
	m := map[string]bool{}
	for _, columns := range lines(statesTSV) {
		for name := range strings.SplitSeq(strings.Join(columns, "|"), "|") {
			if head, _, _ := strings.Cut(normalise(name), " "); head != "" {
				m[head] = true
				if strings.Contains(name, ".") { // "N.H."
					m[strings.ToLower(name[:1])] = true
				}
			}
		}
	}
	return m
}()

// mayNameState reports whether a text may name a state abroad. It is a fast test that looks only
// for the first words of their names and codes.
func mayNameState(s string) bool {
	for i := 0; i < len(s); {
		end := wordEnd(s, i)
		if end == i {
			i++
			continue
		}
		if headsOfStates[strings.ToLower(s[i:end])] {
			return true
		}
		i = end
	}
	return false
}

// foreignField matches a text that is only a foreign postal code.
var foreignField = regexp.MustCompile(
	`(?i)^\s*(?:(?:[A-Z]{1,2}-)?[0-9]{4,7}|[0-9]{4} ?[A-Z]{2}|[0-9]{2,5}[- ][0-9]{2,4}|[ABCEGHJ-NPRSTVXY][0-9][A-Z][ ` +
		`-]?[0-9][A-Z][0-9]|(?:[AC-FHKNPRTV-Y][0-9]{2}|D6W) ?[AC-FHKNPRTV-Y][0-9AC-FHKNPRTV-Y]{3})\s*$`)

// islandOf returns the island of an advert's postcode field. It returns "" if the field is not a
// postcode of Jersey, Guernsey or the Isle of Man.
func islandOf(field string) string {
	field = strings.TrimSpace(field)
	m := islandCode.FindStringSubmatch(field)
	if m == nil || m[0] != field {
		return ""
	}
	return islandOfCode[strings.ToUpper(m[1])]
}

// isForeignPostcode reports whether an advert's postcode field is a foreign postal code. It returns
// false for a field of zeros, which means an empty field.
func isForeignPostcode(field string) bool {
	return foreignField.MatchString(field) && strings.Trim(field, "0 ") != "" && !fullPostcode.MatchString(field)
}

// whyPostcodeAbroad returns the reason why an advert's postcode field is abroad, or "". stated is the
// country that the advert states. It outweighs a foreign postal code, but not an island's postcode.
func whyPostcodeAbroad(field string, stated CountryStatus) string {
	if island := islandOf(field); island != "" {
		return fmt.Sprintf("the postcode %q is in %s", field, island)
	}
	if stated == CountryUnknown && isForeignPostcode(field) {
		return fmt.Sprintf("the postcode %q is not British", field)
	}
	return ""
}

// namesakes maps states and regions abroad to their towns with British names, such as
// Massachusetts to Cambridge.
var namesakes = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for _, columns := range lines(namesakesTSV) {
		key := normalise(columns[0])
		m[key] = map[string]bool{}
		for town := range strings.SplitSeq(columns[1], "|") {
			m[key][normalise(town)] = true
		}
	}
	return m
}()

// namesakeOf reports whether part i of a location is a region abroad, and an earlier part is a town
// in it that has a British name. An example is "Lincoln, Canterbury", which is in New Zealand.
func namesakeOf(parts []string, i int) bool {
	towns := namesakes[parts[i]]
	for _, town := range parts[:i] {
		if towns[town] {
			return true
		}
	}
	return false
}

// areOnIsland reports whether all British names of a location are also towns on an island of the
// Crown dependencies. An example is "Jersey General Hospital, St Helier".
func areOnIsland(names []segment, island string) bool {
	isElsewhere := func(s segment) bool { return !namesakes[island][s.name] }
	return islands[island] && !slices.ContainsFunc(names, isElsewhere)
}

// statesThatAreTowns are states abroad with the name of a British place, such as Victoria.
var statesThatAreTowns = map[string]bool{"washington": true, "victoria": true}

// isStateBehind reports whether part i of a location is a foreign state that follows its town. It
// returns false if a British place with the state's name is near the town ("Westminster,
// Victoria"). It also returns false if a British area follows.
func (t *tables) isStateBehind(parts []string, i int) bool {
	p := parts[i]
	isState := lists["state"][p] || statesThatAreTowns[p]
	if i == 0 || !isState {
		return false
	}
	if i+1 < len(parts) && t.isCounty(parts[len(parts)-1]) {
		return false
	}
	for _, other := range parts[:i] {
		if a := t.areas[other]; a != nil && len(withinCouncils(t.spots[p], a.members)) > 0 ||
			sharesCouncil(t.spots[other], t.spots[p]) {
			return false
		}
	}
	return true
}

// regionWords are generic words in the names of places abroad: "Greater Sydney", "Waikato Region".
var regionWords = map[string]bool{"region": true, "province": true, "state": true, "metro": true, "cbd": true,
	"area": true, "city": true,
	"metropolitan": true, "greater": true, "county": true, "district": true, "island": true}

// withoutRegionWords removes generic words and numbers from the name of a place abroad. "Dublin 18"
// becomes "Dublin". It returns other text unchanged.
func (t *tables) withoutRegionWords(p string) string {
	if p == "" || t.hasName(p) || t.isForeign(p) {
		return p
	}
	words := strings.Fields(p)
	for len(words) > 1 {
		last := words[len(words)-1]
		switch {
		case regionWords[last] || strings.Trim(last, "0123456789") == "":
			words = words[:len(words)-1]
		case words[0] == "greater" || words[0] == "central" || words[0] == "inner":
			words = words[1:]
		default:
			return p
		}
		if name := strings.Join(words, " "); t.isForeign(name) && !t.hasName(name) {
			return name
		}
	}
	return p
}
