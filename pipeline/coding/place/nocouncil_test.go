package place

import (
	"testing"

	"labour/sources"
)

func TestMissed(t *testing.T) {
	g := nationGazetteer(t)
	for text, want := range map[string]NoCouncilReason{"Nether\tNowhere\n": NoCouncilPlaceUnknown,
		"Whitchurch": NoCouncilPlaceAmbiguous,
		"Leeds":      "",
		"Paris":      "", "London": "", "Boston": NoCouncilCountryUnknown} {
		a := &sources.Advert{Locations: []sources.Location{{Text: text}}}
		if text != "Boston" {
			a.SalaryText = "£12 an hour"
		}
		c := g.CodeAdvert(a, &LocationCache{})
		why, wording := c.WhyNoCouncil(a)
		if why != want || want == NoCouncilPlaceUnknown && wording != "Nether Nowhere" {
			t.Errorf("%q is missed as %q, %q; want %q", text, wording, why, want)
		}
	}
}
