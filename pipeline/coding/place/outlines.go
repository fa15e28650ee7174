package place

import (
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"labour/sources"
	"labour/sources/boundaries"
)

// nearShore is the largest distance, in degrees, at which a point outside all councils still counts
// as in the nearest council. It is about 1.5 km. Quays may be outside, because outlines are
// simplified.
const nearShore = 0.015

// councilOutlines finds the council whose outline contains a point.
type councilOutlines []councilOutline

type councilOutline struct {
	code  string
	bound orb.Bound
	shape orb.MultiPolygon
}

// newOutlines returns the outlines of councils. It returns a fault for each boundary that cannot be
// read.
func newOutlines(areas []sources.Boundary) (list councilOutlines, faults []sources.Fault) {
	for _, b := range areas {
		shape, err := boundaries.Parse(b)
		if err != nil {
			faults = append(faults, sources.Fault{Source: b.Source, Code: sources.FaultBadValue, Detail: err.Error()})
			continue
		}
		list = append(list, councilOutline{b.Code, shape.Bound(), shape})
	}
	return list, faults
}

// find returns the code of the council that contains a point. For a point outside all councils, it
// returns the nearest council within nearShore. It returns "" if there is none.
func (list councilOutlines) find(longitude, latitude float64) (code string) {
	p := orb.Point{longitude, latitude}
	for _, o := range list {
		if o.bound.Contains(p) && planar.MultiPolygonContains(o.shape, p) {
			return o.code
		}
	}
	nearest := nearShore
	for _, o := range list {
		if !o.bound.Pad(nearShore).Contains(p) {
			continue
		}
		if d := planar.DistanceFrom(o.shape, p); d < nearest {
			nearest, code = d, o.code
		}
	}
	return code
}
