package place

import (
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"labour/pipeline/outlines"
	"labour/sources"
)

// nearShore is how far outside every outline a point may lie and still belong to
// the nearest council, in degrees (about 1.5 km): outlines are simplified, and
// quays lie outside of them.
const nearShore = 0.015

// councilOutlines finds the council whose outline holds a point.
type councilOutlines struct {
	codes  []string
	bounds []orb.Bound
	shapes []orb.MultiPolygon
}

func newOutlines(boundaries []sources.Boundary) (*councilOutlines, error) {
	o := &councilOutlines{}
	for _, b := range boundaries {
		shape, err := outlines.Polygons(b)
		if err != nil {
			return nil, err
		}
		o.codes = append(o.codes, b.Code)
		o.bounds = append(o.bounds, shape.Bound())
		o.shapes = append(o.shapes, shape)
	}
	return o, nil
}

// find returns the code of the council at longitude, latitude, or "".
func (o *councilOutlines) find(longitude, latitude float64) string {
	p := orb.Point{longitude, latitude}
	for i, b := range o.bounds {
		if b.Contains(p) && planar.MultiPolygonContains(o.shapes[i], p) {
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
