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

// Places are the feed's boroughs, or else every council, and the served areas, sorted. An area has only boroughs
// that are served.
func TestPlacesThatAreServed(t *testing.T) {
	s := NewServed(boroughs, official, []config.ServedArea{inner})
	rows := []snapshots.PlacesRow{{Place: "camden", Name: "Camden", AreaKind: snapshots.AreaBorough, Code: "E1"},
		{Place: "hackney", Name: "Hackney", AreaKind: snapshots.AreaBorough, Code: "E2"},
		{Place: "inner", Name: "Inner", AreaKind: snapshots.AreaServed},
		{Place: "none", Name: "None", AreaKind: snapshots.AreaBorough}}
	if !slices.Equal(s.Rows, rows) {
		t.Errorf("the places are %+v, want %+v", s.Rows, rows)
	}
	members := []snapshots.PlaceMembersRow{{Area: "inner", Borough: "camden"}, {Area: "inner", Borough: "hackney"},
		{Area: "inner", Borough: "none"}}
	if !slices.Equal(s.Members, members) {
		t.Errorf("the members are %+v, want %+v", s.Members, members)
	}
	if got := s.Boroughs(); !slices.Equal(got, []snapshots.PlacesRow{rows[0], rows[1], rows[3]}) {
		t.Errorf("the boroughs are %+v", got)
	}
	areas := []place.ServedArea{{Slug: "inner", Name: "Inner", Councils: []string{"E1", "E2"}}}
	if got := s.Areas(); !reflect.DeepEqual(got, areas) {
		t.Errorf("the areas are %+v, want %+v", got, areas)
	}
	none := []snapshots.PlacesRow{{Place: "st-albans", Name: "St Albans", AreaKind: snapshots.AreaBorough, Code: "E3"}}
	if got := NewServed(nil, official, nil).Rows; !slices.Equal(got, none) {
		t.Errorf("without boroughs of the feed the places are %+v, want the councils", got)
	}
}

// A borough of an area that is not served is a fault; the area counts the others.
func TestBoroughsThatAreNotServedAreFaults(t *testing.T) {
	faults, err := NewServed(boroughs, nil, []config.ServedArea{inner}).CheckAreas()
	want := []sources.Fault{{Source: platform.Key, Where: "served area inner", Code: sources.FaultUnknownPlace,
		Detail: `borough "leeds" of the served area is not served; the area counts the others`}}
	if err != nil || !slices.Equal(faults, want) {
		t.Errorf("the faults are %+v, %v; want %+v", faults, err, want)
	}
}

// Places are the same if every place has the same councils. Names and the order do not matter for figures.
func TestChangedPlaces(t *testing.T) {
	area := func(boroughs ...string) []config.ServedArea {
		return []config.ServedArea{{Slug: "inner", Name: "Inner", Boroughs: boroughs}}
	}
	before := NewServed(boroughs, nil, area("camden", "hackney"))
	renamed, recoded := slices.Clone(boroughs), slices.Clone(boroughs)
	renamed[1].Name, recoded[1].Code = "Camden Town", "E9"
	swapped := slices.Clone(boroughs) // the area consists of the same councils
	swapped[0].Code, swapped[1].Code = swapped[1].Code, swapped[0].Code
	more := append([]sources.Borough{{Slug: "brent", Code: "E5"}}, boroughs...)
	both := area("camden", "hackney")
	for name, c := range map[string]struct {
		now     Served
		changed []string
		same    bool // the same councils
		equal   bool
	}{
		"the same":              {NewServed(boroughs, nil, area("hackney", "camden")), nil, true, true},
		"renamed":               {NewServed(renamed, nil, both), nil, true, false},
		"another council":       {NewServed(recoded, nil, both), []string{"camden", "inner"}, false, false},
		"swapped councils":      {NewServed(swapped, nil, both), []string{"camden", "hackney"}, false, false},
		"an area less":          {NewServed(boroughs, nil, nil), []string{"inner"}, false, false},
		"a member less":         {NewServed(boroughs, nil, area("camden")), []string{"inner"}, false, false},
		"a borough less":        {NewServed(boroughs[1:], nil, area("camden")), []string{"hackney", "inner"}, false, false},
		"a place more":          {NewServed(more, nil, both), nil, false, false},
		"a member with no code": {NewServed(boroughs, nil, area("camden", "hackney", "none")), nil, true, false},
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
