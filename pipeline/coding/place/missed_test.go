package place

import (
	"testing"

	"labour/sources"
)

func TestMissed(t *testing.T) {
	g := nationGazetteer(t)
	for text, want := range map[string]NoCouncilReason{"Nether\tNowhere\n": MissedPlace, "Whitchurch": MissedAmbiguous,
		"Leeds": "",
		"Paris": "", "London": "", "Boston": MissedCountry} {
		a := &sources.Advert{Locations: []sources.Location{{Text: text}}}
		if text != "Boston" {
			a.SalaryText = "£12 an hour"
		}
		c := g.CodeAdvert(a, &Cache{})
		why, wording := c.WhyNoCouncil(a)
		if why != want || want == MissedPlace && wording != "Nether Nowhere" {
			t.Errorf("%q is missed as %q, %q; want %q", text, wording, why, want)
		}
	}
}
