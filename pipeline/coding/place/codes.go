package place

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/language/display"
)

// countryOfCode returns a map from ISO country codes ("FR", "FRA") to English country names. It
// omits the United Kingdom, names that mean something else as well ("Georgia"), and codes that
// usually mean something else in adverts ("IT").
var countryOfCode = sync.OnceValue(func() map[string]string {
	m, names := map[string]string{}, display.English.Regions()
	for _, r := range foreignCountries() {
		name := names.Name(r)
		if !countries()[normalise(name)] {
			continue
		}
		for _, code := range []string{r.String(), r.ISO3()} {
			if !codesOfOtherThings[code] && !codesThatAreWords[code] {
				m[code] = name
			}
		}
	}
	return m
})

// codesOfOtherThings are country codes that usually do not mean a country in adverts. They mean
// words, trades ("IT - Leeds"), firms or regions of England ("SE - London").
var codesOfOtherThings = map[string]bool{"AI": true, "AM": true, "AS": true, "AT": true, "BE": true, "IS": true,
	"IT": true, "MY": true, "NO": true,
	"QA": true, "SE": true, "SO": true, "TO": true, "TV": true, "VA": true, "AND": true, "ARE": true, "ARM": true,
	"BHS": true, "COM": true, "DOM": true,
	"GRC": true, "GUY": true, "LIE": true, "MAC": true, "MAR": true, "NCL": true, "NIC": true, "PER": true, "SEN": true,
	"TON": true, "IOT": true}

var (
	// codeInFront matches a country code before the name of a town: "AU-Newcastle", "IRL -
	// Newcastle".
	codeInFront = regexp.MustCompile(`(^|[;|/\n•]\s*)([A-Z]{2,3})\s*[-–—]\s*(\pL{3})`)
	// codeBehindMark matches a country code after a punctuation mark: "London, CAN".
	codeBehindMark  = regexp.MustCompile(`(\s*[,(\[]\s*|\s+[-–—]\s*)([A-Z]{2,3})` + placeEnds)
	codeBehindSpace = regexp.MustCompile(`(\p{Ll}\s+)([A-Z]{3})` + placeEnds)
)

// isPostcodeArea reports whether a code of two letters is the start of British postcodes, such as
// "PL".
func (t *tables) isPostcodeArea(code string) bool {
	return len(code) == 2 && (t.postcodes[code+"1"] != nil || t.postcodes[code+"2"] != nil)
}

// withCountries replaces the country codes in a location text by country names. It keeps codes that
// are also British place names ("Bangor, NI") or the start of British postcodes ("PL - Plymouth").
func (t *tables) withCountries(s string) string {
	if !hasCountryCode(s) {
		return s
	}
	name := func(code string) string {
		if t.hasName(strings.ToLower(code)) || t.isPostcodeArea(code) {
			return ""
		}
		return countryOfCode()[code]
	}
	s = replaceMatches(codeInFront, s, func(m []string) string {
		if country := name(m[2]); country != "" {
			return m[1] + country + ", " + m[3]
		}
		return m[0]
	})
	for _, behind := range []*regexp.Regexp{codeBehindMark, codeBehindSpace} {
		s = replaceMatches(behind, s, func(m []string) string {
			if country := name(m[2]); country != "" {
				return strings.TrimRight(m[1], " ,([-–—") + ", " + country + m[3]
			}
			return m[0]
		})
	}
	return s
}

// hasCountryCode reports whether a text contains a country code as a word. It is a fast test
// before slower regular expressions.
func hasCountryCode(s string) bool {
	for i := 0; i < len(s); {
		end := wordEnd(s, i)
		if n := end - i; (n == 2 || n == 3) && countryOfCode()[s[i:end]] != "" {
			return true
		}
		i = max(end, i+1)
	}
	return false
}
