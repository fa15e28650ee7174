package place

import (
	"regexp"
	"strings"
)

// A full postcode, or its first half ("BS4"), as a word of normalised text.
var postcode = regexp.MustCompile(`\b([a-z]{1,2}[0-9][a-z0-9]?)(?:\s*([0-9])[a-z]{2})?\b`)

// fullPostcode is the form of a postcode in a field of its own.
var fullPostcode = regexp.MustCompile(`(?i)^\s*([A-Z]{1,2}[0-9][A-Z0-9]?)\s*(?:([0-9])[A-Z]{2})?\s*$`)

// postcodeIn returns the councils of the first postcode in a normalised text, and that
// postcode.
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
