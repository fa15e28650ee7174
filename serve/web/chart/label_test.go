package chart

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// squares returns areas of one size in a row, a five hundredth of a degree apart and so narrower than their
// names.
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
