package place

import (
	"strings"
	"testing"

	"labour/sources"
)

// An advert whose place is an area is in the council that its own words name, if they name one.
func TestAdvertNamesItsCouncil(t *testing.T) {
	g := nationGazetteer(t, ServedArea{"capital", "The capital", londonBoroughs})
	tests := []struct{ place, text, employer, want string }{
		{"London", "Hybrid, with 3 days in our Shoreditch office.", "", "Hackney"},
		{"London", "We moved from Shoreditch to 1 Example Street, EC1V 1AZ.", "", "Islington"},
		{"London", "Offices in Shoreditch, and in Brixton.", "", ""},
		{"London", "You will work with people in York and Leeds.", "", ""},
		{"London", "Our hospital is in King's Cross; St. John's Wood has clinics.", "", ""},
		{"London", "Our hospital is in St. John's Wood.", "", "Westminster"},
		{"London", "Our hospital is in Stoke Newington.", "", "Hackney"}, // Newington is in Southwark
		{"London", "Ring us on Walthamstow Road.", "", ""},
		{"London", "", "Walthamstow Academy", "Waltham Forest"},
		{"London", "", "Walthamstow Holdings", ""},
		{"London", "An investment Bank London knows, in the West End.", "", ""},
		{"London", "SHOREDITCH and Fleet Services.", "", ""},
		{"Remote, London", "Our office is in Shoreditch.", "", ""},
		{"United Kingdom", "Our office is in Shoreditch.", "", ""},
		{"Leeds", "Our hospital is in York.", "", "Leeds"},
		{"Kent", "A great deal of care. You will be in Maidstone.", "", "Maidstone"},
		{"Whitchurch", "Whitchurch has a station, and Shrewsbury a hospital.", "", "Shropshire"},
		{"Whitchurch", "Whitchurch has a station.", "", ""},
	}
	for _, test := range tests {
		c := g.CodeAdvert(&sources.Advert{Employer: test.employer, Text: test.text,
			Locations: []sources.Location{{Text: test.place}}}, &LocationCache{})
		if got := strings.Join(c.Councils, " "); got != test.want || c.Country != CountryUK {
			t.Errorf("%s, %q: in %q, want %q", test.place, test.text, got, test.want)
		}
		if strings.Contains(test.place, "London") && len(c.ServedAreas) == 0 {
			t.Errorf("%s, %q: counts for no area that holds London", test.place, test.text)
		}
	}
}

func TestNamesInTextStayBounded(t *testing.T) {
	g := nationGazetteer(t)
	for _, text := range []string{"", "E", "1AA", " 1AA", "EC1V 1A", strings.Repeat("St Royal London King's ", 500),
		"York\xff\xfe", strings.Repeat("Żółw", 40) + " " + strings.Repeat("York", 40)} {
		g.CodeAdvert(&sources.Advert{Text: text, Employer: text + " school", Locations: []sources.Location{{Text: "London"}}},
			&LocationCache{})
	}
}
