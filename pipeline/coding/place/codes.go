package place

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// countryOfCode maps ISO codes of two and three capitals to countries other than the United
// Kingdom. It leaves out the codes that have another meaning in adverts.
var countryOfCode = sync.OnceValue(func() map[string]string {
	m, names := map[string]string{}, display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			r, err := language.ParseRegion(string([]rune{a, b}))
			if err != nil || !r.IsCountry() || !countries()[normalise(names.Name(r))] {
				continue
			}
			for _, code := range []string{r.String(), r.ISO3()} {
				if !codesOfOtherThings[code] && !codesThatAreWords[code] {
					m[code] = names.Name(r)
				}
			}
		}
	}
	return m
})

// codesOfOtherThings are country codes that in adverts are words, trades ("IT - Leeds"), firms or
// parts of England ("SE - London").
var codesOfOtherThings = map[string]bool{"AI": true, "AM": true, "AS": true, "AT": true, "BE": true, "IS": true,
	"IT": true, "MY": true, "NO": true,
	"QA": true, "SE": true, "SO": true, "TO": true, "TV": true, "VA": true, "AND": true, "ARE": true, "ARM": true,
	"BHS": true, "COM": true, "DOM": true,
	"GRC": true, "GUY": true, "LIE": true, "MAC": true, "MAR": true, "NCL": true, "NIC": true, "PER": true, "SEN": true,
	"TON": true, "IOT": true}

var (
	// A country before its town: "AU-Newcastle", "IRL - Newcastle".
	codeInFront = regexp.MustCompile(`(^|[;|/\n•]\s*)([A-Z]{2,3})\s*[-–—]\s*(\pL{3})`)
	// A country after a punctuation mark, "London, CAN", or three letters after a space: "London
	// CAN".
	codeBehindMark  = regexp.MustCompile(`(\s*[,(\[]\s*|\s+[-–—]\s*)([A-Z]{2,3})` + placeEnds)
	codeBehindSpace = regexp.MustCompile(`(\p{Ll}\s+)([A-Z]{3})` + placeEnds)
)

// withCountries replaces country codes in a text by the names of the countries. It ignores a code
// that is also a postcode area ("PL - Plymouth"), or that follows a British name ("Bangor, NI").
func (t *tables) withCountries(s string) string {
	if !hasCountryCode(s) {
		return s
	}
	name := func(code string) string {
		if t.known(strings.ToLower(code)) || len(code) == 2 &&
			(t.postcodes[code+"1"] != nil || t.postcodes[code+"2"] != nil) {
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

// hasCountryCode reports whether a text has a word that is a country code. It is a fast test: most
// texts have none.
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
