package employerboards

import (
	"fmt"
	"strings"
	"testing"
)

// The country and the state of a place are read from whichever field states them.
func TestPlacesOfFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ vendor, row, want string }{
		{"workable", `{"country":"","city":"","locations":[{"country":"","countryCode":"US","city":"Birmingham",` +
			`"region":null}]}`, "Birmingham [US]"},
		{"workable", `{"country":"","city":"London","locations":[{"country":"Canada","countryCode":"CA","city":"London",` +
			`"region":"Ontario"}]}`, "London, Ontario [Canada]"},
		{"workable", `{"city":"London","locations":[{"country":"Canada","city":"london","region":"Ontario",` +
			`"hidden":true}]}`, "london, Ontario [Canada]"},
		{"workable", `{"country":"United Kingdom","city":"London","locations":[{"country":"Canada","city":"London",` +
			`"region":"Ontario"}]}`,
			"London [United Kingdom]; London, Ontario [Canada]"},
		{"workable", `{"city":"Leeds","locations":[{"countryCode":"GB","city":"York"}]}`, "Leeds []; York [GB]"},
		{"ashby", `{"location":"Newcastle","address":{"postalAddress":{"addressLocality":"Newcastle",` +
			`"addressRegion":"New South Wales"}}}`, "Newcastle, New South Wales []"},
		{"ashby", `{"location":"Leeds","address":{"postalAddress":{"addressRegion":"England","addressCountry":"UK"}}}`,
			"Leeds, England [UK]"},
		{"ashby", `{"location":"Remote","isRemote":true,"address":{"postalAddress":{"addressRegion":"MA"}}}`,
			"Remote []"},
		{"teamtailor", `{"_jobposting":{"jobLocation":[{"address":{"addressLocality":"Worcester","addressRegion":"MA"}}]}}`,
			"Worcester, MA []"},
		{"teamtailor", `{"_jobposting":{"jobLocation":[{"address":{"addressLocality":"York","addressRegion":"England",` +
			`"addressCountry":"GB"}}]}}`, "York, England [GB]"},
		{"teamtailor", `{"_jobposting":{"jobLocation":[{"address":{"addressLocality":"Newport","addressRegion":"Isle of Wight",` +
			`"addressCountry":"GB"}}]}}`, "Newport, Isle of Wight [GB]"},
		{"recruitee", `{"location":"Cambridge","state_name":"CAM","country_code":"GB"}`, "Cambridge [GB]"},
		{"recruitee", `{"location":"Newcastle","state_name":"New South Wales"}`, "Newcastle, New South Wales []"},
		{"recruitee", `{"location":"Newcastle","state_name":"New South Wales","country_code":"AU"}`,
			"Newcastle, New South Wales [AU]"},
		{"recruitee", `{"locations":[{"name":"Office","city":"Worcester","state":"Massachusetts"}]}`,
			"Office, Worcester, Massachusetts []"},
	} {
		v, _ := find(c.vendor)
		a, err := v.advert("board",
			[]byte(strings.Replace(c.row, "{", fmt.Sprintf("{%q:\"1\",\"title\":\"Chef\",", v.ID), 1)))
		if err == nil {
			err = (&boardReader{board: Board{Vendor: c.vendor, Token: "board", Employer: "Employer"}}).complete(&a)
		}
		var got []string
		for _, l := range a.Locations {
			got = append(got, fmt.Sprintf("%s [%s]", l.Text, l.Country))
		}
		if text := strings.Join(got, "; "); err != nil || text != c.want {
			t.Errorf("%s %s: %q (error %v), want %q", c.vendor, c.row, text, err, c.want)
		}
	}
}
