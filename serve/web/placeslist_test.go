package web

import (
	"fmt"
	"strings"
	"testing"

	"labour/serve/api"
)

// TestThePageOfPlaces: all of them with their codes, and a map of the boroughs unless there are too few.
func TestThePageOfPlaces(t *testing.T) {
	s, _ := mapped(3)
	s.named[api.Places][0].Code = "E09000001"
	v := visit(s, "/places")
	shown := (&Site{}).places(v)
	d := shown.data.(placesView)
	if shown.section != "/places" || menusSaid(d.Groups) != "[a A, b B, c C] [z Z]" || d.Codes["a"] != "E09000001" ||
		len(d.Codes) != 4 || d.Found != nil {
		t.Errorf("%+v", d)
	}
	for _, want := range []string{"Map of the boroughs. The list has the same places.", "/places/{place}", ">A: choose<"} {
		if !strings.Contains(string(d.Map), want) {
			t.Errorf("the map has no %s: %s", want, d.Map)
		}
	}
	alone, _ := mapped(1)
	if d := (&Site{}).places(visit(alone, "/places")).data.(placesView); d.Map != "" {
		t.Error("a map of one borough is drawn")
	}
}

// TestRegionsAreFound by kind and name: councils unless a kind is chosen. The page has a hundred of them, and the
// number of all. A region has the name of its nation, or its code if that has no name.
func TestRegionsAreFound(t *testing.T) {
	england, other := "E92000001", "X1"
	for _, c := range []struct {
		target, kinds string
		found, rows   int
	}{
		{"/places", "council", -1, 0}, {"/places?kind=&name=", "council", -1, 0}, {"/places?name=a", "council", 101, 100},
		{"/places?kind=lsip", "lsip", 101, 100},
	} {
		s, _ := mapped(3)
		s.fixed.regions = map[string]api.Region{england: {Name: "England"}}
		for i := range 101 {
			r := api.RegionsRow{Name: fmt.Sprint(i)}
			switch i {
			case 0:
				r.NationCode = &england
			case 1:
				r.NationCode = &other
			}
			s.regions = append(s.regions, r)
		}
		d := (&Site{}).places(visit(s, c.target)).data.(placesView)
		if !strings.Contains(menusSaid([]optionGroup{{Options: d.Kinds}}), c.kinds+" ") || len(d.Kinds) != 7 {
			t.Errorf("%s: the kinds are %v", c.target, d.Kinds)
		}
		for _, k := range d.Kinds {
			if k.Chosen != (k.Value == c.kinds) {
				t.Errorf("%s: %s is chosen: %v", c.target, k.Value, k.Chosen)
			}
		}
		if c.found < 0 {
			if d.Found != nil {
				t.Errorf("%s finds %+v", c.target, d.Found)
			}
			continue
		}
		if d.Found == nil || d.Found.Found != c.found || len(d.Found.Rows) != c.rows || d.Found.Rows[0].Nation != "England" ||
			d.Found.Rows[1].Nation != "X1" || d.Found.Rows[2].Nation != "" {
			t.Errorf("%s finds %+v", c.target, d.Found)
		}
	}
	s, _ := mapped(3)
	v := visit(s, "/places?kind=planet")
	if (&Site{}).places(v); v.err == nil || fmt.Sprint(v.faultyParameters) != "[kind]" {
		t.Errorf("an unknown kind: %v", v.err)
	}
}
