package place

import (
	"encoding/json"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"labour/sources"
)

// nearShore is how far outside every outline a point may lie and still belong to
// the nearest council, in degrees (about 1.5 km): outlines are simplified, and
// quays lie outside of them.
const nearShore = 0.015

// outlines finds the council whose outline holds a point.
type outlines struct {
	codes  []string
	bounds []orb.Bound
	shapes []orb.Geometry
}

func newOutlines(boundaries []sources.Boundary) (*outlines, error) {
	o := &outlines{}
	for _, b := range boundaries {
		var g geojson.Geometry
		if err := json.Unmarshal(b.GeoJSON, &g); err != nil {
			return nil, fmt.Errorf("boundary of %s: %w", b.Code, err)
		}
		switch shape := g.Geometry().(type) {
		case orb.Polygon, orb.MultiPolygon:
			o.codes = append(o.codes, b.Code)
			o.bounds = append(o.bounds, shape.Bound())
			o.shapes = append(o.shapes, shape)
		default:
			return nil, fmt.Errorf("boundary of %s: %T is not a polygon", b.Code, shape)
		}
	}
	return o, nil
}

// find is the code of the council at longitude, latitude, or "".
func (o *outlines) find(longitude, latitude float64) string {
	p := orb.Point{longitude, latitude}
	for i, b := range o.bounds {
		if b.Contains(p) && contains(o.shapes[i], p) {
			return o.codes[i]
		}
	}
	best, at := nearShore, -1
	for i, b := range o.bounds {
		if !b.Pad(nearShore).Contains(p) {
			continue
		}
		if d := planar.DistanceFrom(o.shapes[i], p); d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		return ""
	}
	return o.codes[at]
}

func contains(g orb.Geometry, p orb.Point) bool {
	switch shape := g.(type) {
	case orb.Polygon:
		return planar.PolygonContains(shape, p)
	case orb.MultiPolygon:
		return planar.MultiPolygonContains(shape, p)
	}
	return false
}
