package place

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"labour/sources"
)

// foreignCountries returns all countries except the United Kingdom.
var foreignCountries = sync.OnceValue(func() []language.Region {
	var list []language.Region
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			r, err := language.ParseRegion(string([]rune{a, b}))
			if err == nil && r.IsCountry() && r.Canonicalize().String() != "GB" { // "UK" is GB
				list = append(list, r)
			}
		}
	}
	return list
})

// boardLanguages are the languages in which employers abroad name countries on their boards.
var boardLanguages = []language.Tag{language.English, language.German, language.French, language.Spanish,
	language.Italian, language.Dutch, language.Portuguese, language.Polish, language.Swedish, language.Danish,
	language.Norwegian, language.Finnish}

// countries returns the names of foreign countries in the boardLanguages. It leaves out Georgia, which
// is also a state, Island, which is Iceland in four of them and also an English word, and Norfolk, which
// is an island in one of them and also a county.
var countries = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, l := range boardLanguages {
		names := display.Regions(l)
		for _, r := range foreignCountries() {
			m[normalise(names.Name(r))] = true
		}
	}
	for _, name := range []string{"georgia", "island", "norfolk"} {
		delete(m, name)
	}
	return m
})

// hasName reports whether name is a British place or area, such as "leeds" or "kent".
func (t *tables) hasName(name string) bool { return len(t.spots[name]) > 0 || t.areas[name] != nil }

// isForeign reports whether a name is the name of a place abroad. It also returns true if a British
// place has the same name.
func (t *tables) isForeign(p string) bool {
	isListed := lists["area"][p] || lists["city"][p] || lists["state"][p]
	return isListed || islands[p] || countries()[p]
}

// isName reports whether p is the name of a place, British or not.
func (t *tables) isName(p string) bool { return t.hasName(p) || t.isForeign(p) }

// isDoubtful reports whether the name of a British place may also mean a place abroad, such as
// "Boston". Such a name does not show that the place is in the United Kingdom.
func (t *tables) isDoubtful(p string) bool { return lists["doubtful"][p] || t.isForeign(p) }

// isCounty reports whether a name means only a British area smaller than a nation, such as a
// county. It returns false for London.
func (t *tables) isCounty(p string) bool {
	a := t.areas[p]
	if a == nil || a.nation || p == "london" {
		return false
	}
	return !t.isDoubtful(p)
}

// countryOf returns whether the country field of an advert means the United Kingdom or another
// country. The field has an ISO code or a name. countryOf returns CountryUnknown if it does not
// recognise the field.
func (t *tables) countryOf(s string) CountryStatus {
	p := normalise(s)
	switch a := t.areas[p]; {
	case p == "":
		return CountryUnknown
	case a != nil && a.nation:
		return CountryUK
	case lists["area"][p] || islands[p] || countries()[p]:
		return CountryAbroad
	}
	if r, err := language.ParseRegion(strings.ToUpper(p)); err == nil && r.IsCountry() {
		if r.String() == "GB" {
			return CountryUK
		}
		return CountryAbroad
	}
	return CountryUnknown
}

// signText is the length of the start of an advert's text that is searched for signs of its
// country, in bytes. A sign is, for example, a currency.
const signText = 20_000

// containsPhrase reports whether an advert's text contains a phrase from the word list with the
// given name. Word lists are in words.tsv.
func containsPhrase(a *sources.Advert, list string) bool {
	text := a.Text[:min(len(a.Text), signText)]
	for wording := range lists[list] {
		if strings.Contains(text, wording) {
			return true
		}
	}
	return false
}

// suggestedCountry guesses an advert's country from signs other than its locations, such as the
// currency of the salary. It returns CountryUnknown if there are no signs, or if they contradict
// each other.
func suggestedCountry(a *sources.Advert) CountryStatus {
	beginning := a.Text[:min(len(a.Text), signText)]
	hasSterling := strings.Contains(a.SalaryText, "£") || strings.Contains(a.SalaryText, "GBP")
	hasOtherMoney := strings.ContainsAny(a.SalaryText, "$€") || otherMoney.MatchString(a.SalaryText) ||
		otherMoney.MatchString(beginning)
	uk := hasSterling || containsPhrase(a, "uk sign") || ukWords.MatchString(a.Title)
	abroad := hasOtherMoney || containsPhrase(a, "abroad sign") || containsPhrase(a, "sure sign")
	switch {
	case uk && !abroad:
		return CountryUK
	case abroad && !uk:
		return CountryAbroad
	}
	return CountryUnknown
}

// ukWords matches the name of the United Kingdom, or of one of its nations, in a job title:
// "Support worker (UK)".
var ukWords = regexp.MustCompile(`\b(?:UK|United Kingdom|England|Scotland|Wales|Northern Ireland)\b`)

// otherMoney matches an amount in a foreign currency. A code without an amount does not match:
// "CAD" also means computer-aided design.
var otherMoney = regexp.MustCompile(
	`\b(?:USD|CAD|AUD|NZD|INR|EUR)\s?\$?(?:[0-9]{1,3},[0-9]{3}|[0-9]{2,3}[kK]\b|[0-9]{5})|[0-9][kK]?\s?(?:USD|CAD|AUD|` +
		`NZD|INR|EUR)\b`)

// postcode matches a full postcode ("bs4 1aa") or its first half ("bs4") in normalised text.
var postcode = regexp.MustCompile(`\b([a-z]{1,2}[0-9][a-z0-9]?)(?:\s*([0-9])[a-z]{2})?\b`)

// fullPostcode matches a text that is only a postcode ("BS4 1AA") or the first half of one ("BS4").
var fullPostcode = regexp.MustCompile(`(?i)^\s*([A-Z]{1,2}[0-9][A-Z0-9]?)\s*(?:([0-9])[A-Z]{2})?\s*$`)

// hasFullPostcode reports whether a normalised text contains a full postcode.
func hasFullPostcode(text string) bool {
	return slices.ContainsFunc(postcode.FindAllStringSubmatch(text, -1), func(m []string) bool { return m[2] != "" })
}

// postcodeIn finds the first known postcode in a normalised text. It returns the councils in which
// the postcode lies, and the postcode as it is written. It returns nil and "" if there is none.
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

// postcode returns the councils of a postcode sector ("EH1-2"), with the share of the sector in
// each council. If the sector is not in the tables, it returns the councils of the postcode
// district ("EH1").
func (t *tables) postcode(district, sector string) []part {
	district = strings.ToUpper(district)
	if at := t.postcodes[district+"-"+sector]; at != nil {
		return at
	}
	return t.postcodes[district]
}

// isPostcode reports whether a text is only a British postcode, and returns the councils in which
// it lies. These are nil if the postcode is not in the tables.
func (t *tables) isPostcode(field string) (at []part, ok bool) {
	m := fullPostcode.FindStringSubmatch(field)
	if m == nil {
		return nil, false
	}
	at = t.postcode(m[1], m[2])
	return at, at != nil || m[2] != ""
}
