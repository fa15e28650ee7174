package query

import (
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestAreasAreNamedAsInTheirNewestFigures: an area that the official list does not have has the name of its
// newest figures, in whatever order they are stored and whichever name is first in the alphabet.
func TestAreasAreNamedAsInTheirNewestFigures(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	row := c.CourseDemand[0]
	row.Country, row.RegionKind = "GB", "council"
	for code, names := range map[string][]string{"E07000991": {"Zeal", "Abbey"}, "E07000992": {"Abbey", "Zeal"}} {
		for year, name := range names {
			row.RegionCode, row.RegionName = code, name
			row.PeriodEnd = date("2024-07-31").AddDate(year, 0, 0)
			c.CourseDemand = append(c.CourseDemand, row)
		}
	}
	s := mountOnce(t, publishedAsOf, c)
	for code, want := range map[string]string{"E07000991": "Abbey", "E07000992": "Zeal"} {
		if r, ok := s.ResolveRegion("GB", code); !ok || r.Name != want || r.Kind != "council" {
			t.Errorf("%s is %+v, %t; want %s", code, r, ok, want)
		}
	}
}

// TestCodeOfTwoKinds: a code that the official list has as two kinds of area means the one that people know,
// such as a region of England and not the statistical area of the same extent.
func TestCodeOfTwoKinds(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	source := c.Regions[0].SourceKey
	wants := map[string]string{"E91": "council", "E92": "region", "E93": "lsip"}
	for code, kinds := range map[string][]string{"E91": {"council", "itl3"}, "E92": {"itl1", "region"},
		"E93": {"travel_to_work_area", "lsip", "itl2"}} {
		for _, kind := range kinds {
			c.Regions = append(c.Regions, snapshots.RegionsRow{Code: code, Name: "the " + kind, Kind: kind, SourceKey: source})
		}
	}
	s := mountOnce(t, publishedAsOf, c)
	for code, want := range wants {
		if r, ok := s.ResolveRegion("GB", code); !ok || r.Kind != want || r.Name != "the "+want {
			t.Errorf("%s is %+v, %t; want the %s", code, r, ok, want)
		}
	}
}
