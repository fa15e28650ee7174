package serve

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"labour/serve/api"
)

// area returns the code of the region that a request selects, or "" if it selects none. It records
// an error if the country or the region is unknown.
func (c *call) area(s api.Snapshot, in AreaInput) string {
	country, region := in.Country, in.Region
	if !isCountry(country) {
		c.add(invalidParameter, "country", fmt.Sprintf("There is no country %s in ISO 3166-1.", quote(country)),
			nearest(country, countryCodes, 3)...)
	} else if region != "" && country != "GB" {
		c.add(invalidParameter, "region", "Regions cover the United Kingdom only. Leave out region, or country.")
	}
	if region == "" || country != "GB" {
		return ""
	}
	r, ok := s.ResolveRegion(country, region)
	if !ok {
		c.add(unknownRegion, "region",
			fmt.Sprintf("There is no region %s. It takes a national-statistics code or the slug of a local skills "+
				"improvement plan area; /v1/labour/regions lists them.", quote(region)),
			nearest(region, s.Values(api.RegionNames), 3)...)
	}
	if ok {
		c.note = noteOnFormerCode(s, region, r)
	}
	return r.Code
}

// noteOnFormerCode returns a note for the client if region, a value of the query parameter region,
// is the former code of an area. Otherwise it returns "". r is the area for which the response has
// figures.
func noteOnFormerCode(s api.Snapshot, region string, r api.Region) string {
	code := strings.ToUpper(region)
	isSame := func(name string) bool { return strings.EqualFold(name, region) }
	switch {
	case len(r.SplitInto) > 0:
		return fmt.Sprintf("The code %s was replaced by %s. The figures are those published under %s.", code,
			strings.Join(r.SplitInto, " and "), code)
	case !slices.ContainsFunc(s.Values(api.RegionNames), isSame):
		return fmt.Sprintf("The code %s was replaced by %s, which answers.", code, r.Code)
	default:
		return ""
	}
}

// countryList holds all officially assigned ISO 3166-1 alpha-2 codes, separated by white space.
//
//go:embed countries.txt
var countryList string

// countryCodes are the officially assigned ISO 3166-1 alpha-2 codes.
var countryCodes = strings.Fields(countryList)

// isCountry reports whether a text is an assigned ISO 3166-1 alpha-2 code, in upper case.
func isCountry(code string) bool {
	return slices.Contains(countryCodes, code)
}
