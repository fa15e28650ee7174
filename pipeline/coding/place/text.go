package place

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalise folds case, accents and punctuation; "St. Albans" and "St Albans"
// are one name.
func normalise(s string) string {
	var b strings.Builder
	space := false
	for _, r := range norm.NFKD.String(strings.ReplaceAll(s, "&", " and ")) {
		switch {
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' || r == '.':
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(unicode.ToLower(r))
		default:
			space = true
		}
	}
	return b.String()
}

var (
	betweenPlaces = regexp.MustCompile(`(?i)\s*(?:[;|\n]|\s/\s|/|\s+or\s+|\s+and/or\s+|•)\s*`)
	betweenParts  = regexp.MustCompile(`\s*[,()\[\]:]\s*|\s+[-–—]\s*|\s*[-–—]\s+`)
)

// noise are words that say how the work is done and not where.
var noise = map[string]bool{"remote": true, "hybrid": true, "onsite": true, "on site": true, "office": true,
	"office based": true, "home based": true, "home working": true, "flexible": true, "hq": true, "fully remote": true,
	"remote first": true, "site based": true, "field based": true, "based in": true}

// alternatives takes a location text apart: first into places of which any may
// be meant, then into the parts of one place, normalised.
func alternatives(s string) [][]string {
	var out [][]string
	for _, a := range betweenPlaces.Split(s, -1) {
		var parts []string
		for _, p := range betweenParts.Split(a, -1) {
			for _, q := range splitCountryPrefix(stripNoise(normalise(p))) {
				if q != "" {
					parts = append(parts, q)
				}
			}
		}
		if len(parts) > 0 {
			out = append(out, splitSeveral(parts)...)
		}
	}
	return out
}

// stripNoise removes words such as "office" at either end: "London Office".
func stripNoise(p string) string {
	words := strings.Fields(p)
	for len(words) > 0 && noise[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	for len(words) > 0 && (noise[words[0]] || words[0] == "in" || words[0] == "the" || words[0] == "greater" && len(words) == 2 && words[1] == "london") {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// splitCountryPrefix parts "us remote" and "uk london", which arrive without a
// separator once "US-Remote" is normalised.
func splitCountryPrefix(p string) []string {
	head, tail, ok := strings.Cut(p, " ")
	if ok && (head == "uk" || head == "us" || head == "usa" || head == "gb") {
		return []string{head, stripNoise(tail)}
	}
	return []string{p}
}

// splitSeveral parts a list of cities with commas ("Dublin, London") into
// alternatives: when one part is a foreign city and another one at home.
func splitSeveral(parts []string) [][]string {
	home, away := -1, -1
	for i, p := range parts {
		if isUKArea(p) && !ambiguousAbroad(p) {
			home = i
		}
		if foreignCity(p) {
			away = i
		}
	}
	if home < 0 || away < 0 {
		return [][]string{parts}
	}
	out := make([][]string, len(parts))
	for i := range parts {
		out[i] = parts[i : i+1]
	}
	return out
}

var postcode = regexp.MustCompile(`(?i)^\s*[A-Z]{1,2}[0-9][A-Z0-9]?\s*[0-9][A-Z]{2}\s*$`)

// ukPostcode says that s has the form of a postcode of the United Kingdom.
func ukPostcode(s string) bool { return postcode.MatchString(s) }
