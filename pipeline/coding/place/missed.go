package place

import (
	"cmp"
	"strings"

	"labour/sources"
)

// Miss is the reason why a place was not coded to a council.
type Miss string

// The reasons.
const (
	MissedCountry Miss = "country not known"
	MissedPlace   Miss = "not placed"
	Ambiguous     Miss = "ambiguous"
)

// Missed returns why an advert was not coded to a council, and its locations on one line. It
// returns nothing if it was coded to a council, an area or a place abroad.
func (c *Coding) Missed(a *sources.Advert) (why Miss, wording string) {
	switch {
	case c.Country == Unknown:
		why = MissedCountry
	case len(c.Either) > 0:
		why = Ambiguous
	case c.Country == InUK && c.Placed == Nowhere:
		why = MissedPlace
	default:
		return "", ""
	}
	var texts []string
	for _, l := range a.Locations {
		if text := strings.Join(strings.Fields(cmp.Or(l.Text, l.Slug, l.Postcode)), " "); text != "" {
			texts = append(texts, strings.ToValidUTF8(text[:min(len(text), longestText)], ""))
		}
	}
	return why, strings.Join(texts, "; ")
}
