package place

import (
	"cmp"
	"strings"

	"labour/sources"
)

// NoCouncilReason is the reason why an advert could not be coded to a council.
type NoCouncilReason string

// The reasons why an advert could not be coded to a council.
const (
	// NoCouncilCountryUnknown means that an advert has no council because even its country is unknown.
	NoCouncilCountryUnknown NoCouncilReason = "country not known"
	// NoCouncilPlaceUnknown means that an advert is in the United Kingdom, but its place is unknown.
	NoCouncilPlaceUnknown NoCouncilReason = "not placed"
	// NoCouncilPlaceAmbiguous means that an advert's place name may mean places in several councils.
	NoCouncilPlaceAmbiguous NoCouncilReason = "ambiguous"
)

// WhyNoCouncil returns the reason why an advert was not coded to a council. wording is its location
// texts, joined by "; ". Both results are empty if the advert was coded to a council, a wider area
// or a place abroad.
func (c *Coding) WhyNoCouncil(a *sources.Advert) (reason NoCouncilReason, wording string) {
	switch {
	case c.Country == CountryUnknown:
		reason = NoCouncilCountryUnknown
	case len(c.PossibleCouncils) > 0:
		reason = NoCouncilPlaceAmbiguous
	case c.Country == CountryUK && c.Precision == PrecisionUnknown:
		reason = NoCouncilPlaceUnknown
	default:
		return "", ""
	}
	var texts []string
	for _, l := range a.Locations {
		if text := strings.Join(strings.Fields(cmp.Or(l.Text, l.Slug, l.Postcode)), " "); text != "" {
			texts = append(texts, strings.ToValidUTF8(text[:min(len(text), longestText)], ""))
		}
	}
	return reason, strings.Join(texts, "; ")
}
