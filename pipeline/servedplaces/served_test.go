package servedplaces

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"labour/pipeline/coding/place"
	"labour/pipeline/config"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

var (
	boroughs = []sources.Borough{{Slug: "hackney", Name: "Hackney", Code: "E2"},
		{Slug: "camden", Name: "Camden", Code: "E1"}, {Slug: "none", Name: "None"}}
	official = []sources.Area{{Kind: "council", Code: "E3", Name: "St Albans"},
		{Kind: "region", Code: "R1", Name: "London"}}
	inner = config.ServedArea{Slug: "inner", Name: "Inner", Boroughs: []string{"camden", "hackney", "none", "leeds"}}
)

// Places are the feed's boroughs, or else every council, and the served areas, sorted. An area has
// only boroughs that are served.
func TestPlacesThatAreServed(t *testing.T) {
	s := NewPlaces(boroughs, official, []config.ServedArea{inner})
	rows := []snapshots.PlacesRow{{Place: "camden", Name: "Camden", AreaKind: snapshots.AreaKindBorough, Code: "E1"},
		{Place: "hackney", Name: "Hackney", AreaKind: snapshots.AreaKindBorough, Code: "E2"},
		{Place: "inner", Name: "Inner", AreaKind: snapshots.AreaKindServed},
		{Place: "none", Name: "None", AreaKind: snapshots.AreaKindBorough}}
	if !slices.Equal(s.PlaceRows, rows) {
		t.Errorf("the places are %+v, want %+v", s.PlaceRows, rows)
	}
	members := []snapshots.PlaceMembersRow{{Area: "inner", Borough: "camden"}, {Area: "inner", Borough: "hackney"},
		{Area: "inner", Borough: "none"}}
	if !slices.Equal(s.MemberRows, members) {
		t.Errorf("the members are %+v, want %+v", s.MemberRows, members)
	}
	if got := s.Boroughs(); !slices.Equal(got, []snapshots.PlacesRow{rows[0], rows[1], rows[3]}) {
		t.Errorf("the boroughs are %+v", got)
	}
	areas := []place.ServedArea{{Slug: "inner", Name: "Inner", Councils: []string{"E1", "E2"}}}
	if got := s.Areas(); !reflect.DeepEqual(got, areas) {
		t.Errorf("the areas are %+v, want %+v", got, areas)
	}
	none := []snapshots.PlacesRow{{Place: "st-albans", Name: "St Albans", AreaKind: snapshots.AreaKindBorough, Code: "E3"}}
	if got := NewPlaces(nil, official, nil).PlaceRows; !slices.Equal(got, none) {
		t.Errorf("without boroughs of the feed the places are %+v, want the councils", got)
	}
}

// A borough of an area that is not served is a fault; the area counts the others.
func TestBoroughsThatAreNotServedAreFaults(t *testing.T) {
	faults, err := NewPlaces(boroughs, nil, []config.ServedArea{inner}).CheckAreas()
	want := []sources.Fault{{Source: platform.Key, Where: "served area inner", Code: sources.FaultUnknownPlace,
		Detail: `borough "leeds" of the served area is not served; the area counts the others`}}
	if err != nil || !slices.Equal(faults, want) {
		t.Errorf("the faults are %+v, %v; want %+v", faults, err, want)
	}
}

// Places are the same if every place has the same councils. Names and the order do not matter for
// figures.
func TestChangedPlaces(t *testing.T) {
	area := func(boroughs ...string) []config.ServedArea {
		return []config.ServedArea{{Slug: "inner", Name: "Inner", Boroughs: boroughs}}
	}
	before := NewPlaces(boroughs, nil, area("camden", "hackney"))
	renamed, recoded := slices.Clone(boroughs), slices.Clone(boroughs)
	renamed[1].Name, recoded[1].Code = "Camden Town", "E9"
	swapped := slices.Clone(boroughs) // the area consists of the same councils
	swapped[0].Code, swapped[1].Code = swapped[1].Code, swapped[0].Code
	more := append([]sources.Borough{{Slug: "brent", Code: "E5"}}, boroughs...)
	both := area("camden", "hackney")
	for name, c := range map[string]struct {
		now     Places
		changed []string
		same    bool // the same councils
		equal   bool
	}{
		"the same":              {NewPlaces(boroughs, nil, area("hackney", "camden")), nil, true, true},
		"renamed":               {NewPlaces(renamed, nil, both), nil, true, false},
		"another council":       {NewPlaces(recoded, nil, both), []string{"camden", "inner"}, false, false},
		"swapped councils":      {NewPlaces(swapped, nil, both), []string{"camden", "hackney"}, false, false},
		"an area less":          {NewPlaces(boroughs, nil, nil), []string{"inner"}, false, false},
		"a member less":         {NewPlaces(boroughs, nil, area("camden")), []string{"inner"}, false, false},
		"a borough less":        {NewPlaces(boroughs[1:], nil, area("camden")), []string{"hackney", "inner"}, false, false},
		"a place more":          {NewPlaces(more, nil, both), nil, false, false},
		"a member with no code": {NewPlaces(boroughs, nil, area("camden", "hackney", "none")), nil, true, false},
	} {
		if got := slices.Sorted(maps.Keys(ChangedPlaces(before, c.now))); !slices.Equal(got, c.changed) {
			t.Errorf("%s: changed are %v, want %v", name, got, c.changed)
		}
		if got := HaveSameCouncils(before, c.now); got != c.same {
			t.Errorf("%s: the same councils %v, want %v", name, got, c.same)
		}
		if got := before.Equal(c.now); got != c.equal {
			t.Errorf("%s: equal %v, want %v", name, got, c.equal)
		}
	}
}
