package sandbox

import (
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"labour/sources"
)

// The outlines of the boroughs do not overlap, neighbours share their border to the
// point, and where the adverts of a borough may be is inside its outline.
func TestOutlinesOfBoroughs(t *testing.T) {
	w, shapes := smallWorld(), map[string]orb.Polygon{}
	for _, b := range kind[sources.Boundary](readSmall(t), "ons_geography") {
		g, err := geojson.UnmarshalGeometry(b.GeoJSON)
		if err != nil {
			t.Fatal(err)
		}
		shapes[b.Code] = g.Geometry().(orb.Polygon)
	}
	edges := map[[2]orb.Point]int{}
	for _, c := range w.lists.councils {
		if c.people == 0 {
			continue
		}
		ring := shapes[c.code][0]
		for i := range len(ring) - 1 {
			edges[[2]orb.Point{ring[i], ring[i+1]}]++
		}
		h := halfOf(c)
		for i := range 9 {
			at := orb.Point{c.lon + float64(i%3-1)*.8*h.lon, c.lat + float64(i/3-1)*.8*h.lat}
			for code, shape := range shapes {
				if planar.PolygonContains(shape, at) != (code == c.code) {
					t.Errorf("%s: %v and the outline of %s", c.name, at, code)
				}
			}
		}
	}
	shared := 0
	for e, n := range edges {
		if edges[[2]orb.Point{e[1], e[0]}] > 0 {
			shared++
		}
		if n > 1 {
			t.Errorf("the edge %v is of two boroughs on the same side", e)
		}
	}
	if shared < len(edges)/2 {
		t.Errorf("%d of %d edges are shared", shared, len(edges))
	}
}
