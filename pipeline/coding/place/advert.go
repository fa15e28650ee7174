package place

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"labour/sources"
)

// maxSearchedBytes is the length of the start of an advert's text that is searched for place names, in
// bytes.
const maxSearchedBytes = 6_000

// narrow replaces an advert's wider area ("London", "Kent") by one council, if the advert names
// only one council in the area. It searches for postcodes in the text, then for place names in the
// title and in the text. Last, it reads the name of a local employer, such as a school. It uses the
// first of these that names a council in the area. It does not change the area of remote jobs.
func (g *Gazetteer) narrow(a *sources.Advert, place *reading) {
	inOneArea := len(place.wide) == 1 && place.sure.isEmpty() && !place.nation
	if place.country != CountryUK || !inOneArea || isRemote(a) {
		return
	}
	text := a.Text[:min(len(a.Text), maxSearchedBytes)]
	area := place.wide[0]
	councils, name := g.postcodesOf(text, area)
	if councils.isEmpty() {
		councils, name = g.namesOfText(a.Title, area)
	}
	if councils.isEmpty() {
		councils, name = g.namesOfText(text, area)
	}
	if councils.isEmpty() && isLocalEmployer(a.Employer) {
		councils, name = g.namesOfText(a.Employer, area)
	}
	if councils.len() == 1 {
		place.sure, place.by = councils, "text"
		place.why = append(place.why, fmt.Sprintf("the advert names %q in %s", name, g.namesOf(councils)))
	}
}

// isRemote reports whether an advert is for remote work. The location in such an advert may be an
// office instead of the place of work.
func isRemote(a *sources.Advert) bool {
	return slices.ContainsFunc(a.Locations, func(l sources.Location) bool {
		return l.Remote || strings.Contains(strings.ToLower(l.Text), "remote")
	})
}

// isLocalEmployer reports whether an employer's name shows that all its jobs are in one council. An
// example is the name of a school.
func isLocalEmployer(name string) bool {
	return slices.ContainsFunc(strings.Fields(normalise(name)), func(word string) bool { return lists["local"][word] })
}

// postcodesOf searches a text for full postcodes with councils in the given area. It returns these
// councils and the last of the postcodes.
func (g *Gazetteer) postcodesOf(text string, area set) (councils set, lastPostcode string) {
	for i := 2; i+2 < len(text); i++ {
		// The second half: a digit and two capitals.
		if !isDigit(text[i]) || !isCapital(text[i+1]) || !isCapital(text[i+2]) {
			continue
		}
		if i+3 < len(text) && isWordByte(text[i+3]) { // the word goes on
			continue
		}
		from := i
		for from > 0 && text[from-1] == ' ' && from > i-2 {
			from--
		}
		for from > 0 && isWordByte(text[from-1]) && from > i-7 {
			from--
		}
		code := text[from : i+3]
		if parts, ok := g.isPostcode(code); ok && len(parts) > 0 {
			if in := mainCouncil(parts, set{}).sure.and(area); !in.isEmpty() {
				councils, lastPostcode = councils.or(in), code
			}
		}
	}
	return councils, lastPostcode
}

// namesOfText searches a text for capitalised names of places in the given area. It returns the
// councils of these places and the last of the names. It ignores small places, and names that
// several places in the area share.
func (g *Gazetteer) namesOfText(text string, area set) (councils set, lastName string) {
	for i := 0; i < len(text); {
		end := wordEnd(text, i)
		if end == i {
			i++
			continue
		}
		if isCapital(text[i]) && g.isHead(text[i:end]) {
			name := g.placeNamed(text[i:])
			if in := withinCouncils(g.spots[name], area); len(in) == 1 && in[0].size >= townSize {
				councils, lastName = councils.or(mainCouncil(in[0].parts, area).sure.and(area)), name
				end = max(end, i+len(name))
			}
		}
		i = min(end, len(text))
	}
	return councils, lastName
}

// isHead reports whether a word is the first word of a larger place's name. Advert texts are
// searched only for these names.
func (t *tables) isHead(word string) bool {
	var lower [24]byte
	n := copy(lower[:], word)
	for i := range lower[:n] {
		if isCapital(lower[i]) {
			lower[i] += 'a' - 'A'
		}
	}
	return t.heads[string(lower[:n])]
}

// placeNamed returns the longest place name at the start of a text. It returns "" if there is none,
// or if the name rarely means a place. Examples are a common word, a word in capitals, and the name
// of a road. It also returns "" for areas such as counties.
func (t *tables) placeNamed(text string) string {
	var words [longestName + 1]string
	n := 0
	for i := 0; n < len(words); n++ {
		end := wordEnd(text, i)
		for end < len(text) && isWithinName(text, end) {
			end = wordEnd(text, end+1)
		}
		if end == i {
			break
		}
		words[n] = text[i:end]
		if i = end + 1; end == len(text) || text[end] != ' ' && text[end] != '-' {
			n++
			break
		}
	}
	var key [80]byte
	var ends [len(words) + 1]int // end of each word in the key
	for k, word := range words[:n] {
		ends[k+1] = len(appendFolded(key[:ends[k]], word))
		if ends[k+1]+1 >= len(key) {
			n = k
			break
		}
		key[ends[k+1]] = ' '
		ends[k+1]++
	}
	for k := min(n, longestName); k > 0; k-- {
		spots := t.spots[string(key[:ends[k]-1])]
		if len(spots) == 0 {
			continue
		}
		name, next := string(key[:ends[k]-1]), ""
		if k < n {
			next = string(key[ends[k] : ends[k+1]-1])
		}
		alone := k == 1 && (len(name) < 4 || plainWords[name] || isCapital(text[1]) || joiners[next])
		rarelyPlace := alone || roads[next] || lists["text"][name]
		if rarelyPlace || t.areas[name] != nil {
			return ""
		}
		return name
	}
	return ""
}

// appendFolded appends a word to key in lower case, without accents, apostrophes and full stops.
func appendFolded(key []byte, word string) []byte {
	for i := range len(word) {
		switch c := word[i]; {
		case c >= utf8.RuneSelf:
			return append(key, normalise(word[i:])...)
		case isCapital(c):
			key = append(key, c+'a'-'A')
		case c != '\'' && c != '.':
			key = append(key, c)
		}
	}
	return key
}

// indexHeads fills t.heads with the first words of the names of larger places. Advert texts are
// searched for these names.
func (t *tables) indexHeads() {
	t.heads = make(map[string]bool, 8_000)
	for name, spots := range t.spots {
		for _, s := range spots {
			if s.size >= townSize {
				head, _, _ := strings.Cut(name, " ")
				t.heads[head] = true
			}
		}
	}
	delete(t.heads, "the") // it is in few names and in every sentence
}

// isWithinName reports whether the apostrophe or full stop at a position of a text is within a
// place name, as in "King's" and "St. Albans".
func isWithinName(text string, at int) bool { return text[at] == '\'' || text[at] == '.' && at <= 2 }

// isInNewWorld reports whether a location names a country where many towns have British names, such
// as the United States. It also returns true if the location names a state or province abroad.
func (g *Gazetteer) isInNewWorld(l sources.Location) bool {
	return newWorld[normalise(l.Country)] || slices.ContainsFunc(g.alternatives(l.Text), isInState)
}

// newWorld lists countries whose towns often have British names, such as the United States, in the
// spellings that adverts use.
var newWorld = map[string]bool{"us": true, "usa": true, "united states": true, "united states of america": true,
	"ca": true, "canada": true,
	"au": true, "australia": true, "nz": true, "new zealand": true, "ie": true, "ireland": true}

// isNamesakeAbroad reports whether an advert is probably for work in a foreign town with a British
// name, such as Boston. It returns true if two things hold. The advert's only location is such a
// name. Its text has clear signs of another country, but none of the United Kingdom.
func (g *Gazetteer) isNamesakeAbroad(a *sources.Advert) bool {
	return g.onlyBareTown(a) && containsPhrase(a, "sure sign") && !containsPhrase(a, "uk sign")
}

// onlyBareTown reports whether an advert's only location is the name of a British place, without a
// country or a postcode. It returns false for areas such as counties.
func (g *Gazetteer) onlyBareTown(a *sources.Advert) bool {
	if len(a.Locations) != 1 || a.Locations[0].Country != "" || a.Locations[0].Postcode != "" {
		return false
	}
	name := normalise(a.Locations[0].Text)
	return !strings.ContainsAny(a.Locations[0].Text, ",;|/(\n") && g.areas[name] == nil && len(g.spots[name]) > 0
}
