package lists

import (
	"strings"
	"testing"

	"labour/pipeline/coding/area"
	"labour/pipeline/servedplaces"
	"labour/snapshots/outline"
	"labour/sources"
)

// TestOutlinesOfServedBoroughs: only boroughs that are served have a row, each under
// today's code of its council; an outline whose source may not be republished, a
// second one of the same council, and one without an area are left out.
func TestOutlinesOfServedBoroughs(t *testing.T) {
	square := func(source, code, west, east string) sources.Boundary {
		return sources.Boundary{Source: source, Code: code,
			GeoJSON: []byte(strings.NewReplacer("W", west, "E", east).Replace(
				`{"type":"Polygon","coordinates":[[[W,53],[E,53],[E,53.1],[W,53.1],[W,53]]]}`))}
	}
	change := sources.AreaCodeChange{Kind: "council", From: "E08000016", To: "E08000038", Edition: "2025"}
	boroughs := []sources.Borough{{Slug: "barnsley", Name: "Barnsley", Code: "E08000038"},
		{Slug: "camden", Name: "Camden", Code: "E09000007"},
		{Slug: "hackney", Name: "Hackney", Code: "E09000012"}, {Slug: "line", Name: "Line", Code: "E09000001"},
		{Slug: "none", Name: "None", Code: "E09000002"}}
	in := NamesInputs{AreaHistory: area.NewHistory([]sources.AreaCodeChange{change}),
		ServedPlaces: servedplaces.NewPlaces(boroughs, nil, nil),
		SourceInfos:  []sources.Info{{Key: "open", Terms: sources.Terms{MayRepublish: true}}, {Key: "closed"}},
		Boundaries: []sources.Boundary{square("open", "E08000016", "-1.5", "-1.4"),
			square("closed", "E09000012", "-0.1", "0"), square("open", "E09000007", "-0.2", "-0.1"),
			square("open", "E09000007", "-5", "-4"), square("open", "E09000033", "-0.3", "-0.2"),
			square("open", "E09000001", "-0.1", "-0.1")}}
	rows, err := in.outlines()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, err := outline.Parse(r.Outline); err != nil || r.SourceKey != "open" {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if len(rows) != 2 || rows[0].Place != "barnsley" || rows[0].Code != "E08000038" || rows[1].Place != "camden" ||
		!strings.Contains(rows[1].Outline, "-0.2 53") {
		t.Errorf("%+v", rows)
	}
}
