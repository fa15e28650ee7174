package chart

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// squares returns areas of one size in a row, a five hundredth of a degree apart and so narrower
// than their names.
func squares(names ...string) (areas []Area) {
	for i, name := range names {
		w := float64(i) * .002
		ring := orb.Ring{{w, 51}, {w + .002, 51}, {w + .002, 51.2}, {w, 51.2}, {w, 51}}
		areas = append(areas, Area{Place: name, Name: name, Label: name, Shape: orb.MultiPolygon{{ring}}, Class: "c1"})
	}
	return areas
}

// Names on a map do not overlap: they are moved up or down a line or two, and left out where that is not
// enough. The name of an end of the scale is never the one that is left out.
func TestNamesOnAMapDoNotOverlap(t *testing.T) {
	areas := squares("Westminster", "Hammersmith", "Kensington", "Southwark", "Walworth", "Bermondsey", "Marylebone")
	areas[6].End = true
	p := projectionOf(areas)
	d := &drawing{}
	d.labels(p, areas)
	drawn := string(d.end())
	if n := strings.Count(drawn, "<text"); n != 5 {
		t.Errorf("%d names are printed, want 5: in the middle and up to two lines above and below", n)
	}
	if !strings.Contains(drawn, ">Marylebone<") {
		t.Error("the name of an end of the scale is left out")
	}
	var placed []label
	for _, a := range areas {
		if l, free := place(p, a, placed); free {
			for _, other := range placed {
				if l.overlaps(other) {
					t.Errorf("%s overlaps %s", l.area.Name, other.area.Name)
				}
			}
			placed = append(placed, l)
		}
	}
}

// Names that have room are all printed, each in the middle of its area.
func TestNamesWithRoomAreAllPrinted(t *testing.T) {
	areas := squares("Camden", "Brent")
	for i := range areas {
		w := float64(i)
		areas[i].Shape = orb.MultiPolygon{{{{w, 51}, {w + 1, 51}, {w + 1, 52}, {w, 52}, {w, 51}}}}
	}
	d := &drawing{}
	d.labels(projectionOf(areas), areas)
	if n := strings.Count(string(d.end()), "<text"); n != 2 {
		t.Errorf("%d names are printed, want 2", n)
	}
}

// Narrow areas side by side are all named, as in the west of inner London: names that were placed first
// make room.
func TestNamesMakeRoom(t *testing.T) {
	box := func(name string, west, south, east, north float64) Area {
		ring := orb.Ring{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}
		return Area{Place: name, Name: name, Label: name, Shape: orb.MultiPolygon{{ring}}, Class: "c1"}
	}
	areas := []Area{box("Hillingdon", -.51, 51.45, -.38, 51.63), box("Havering", .14, 51.48, .33, 51.63),
		box("Bromley", -.08, 51.29, .15, 51.44), box("Enfield", -.18, 51.61, 0, 51.69),
		box("Brent", -.33, 51.53, -.2, 51.6), box("Camden", -.21, 51.515, -.12, 51.573),
		box("Westminster", -.21, 51.485, -.115, 51.535), box("Kensington and Chelsea", -.225, 51.478, -.155, 51.53),
		box("Hammersmith and Fulham", -.25, 51.466, -.18, 51.532), box("Wandsworth", -.25, 51.418, -.13, 51.48)}
	d := &drawing{}
	d.labels(projectionOf(areas), areas)
	drawn := string(d.end())
	for _, a := range areas {
		if first, _, _ := strings.Cut(a.Label, " "); !strings.Contains(drawn, ">"+first+"<") {
			t.Errorf("%s has no name on the map", a.Name)
		}
	}
}
