package chart

import (
	"math"

	"github.com/paulmach/orb"
)

// projection converts longitude and latitude to map coordinates, in tenths of a pixel. west and
// north are the edges of the map in degrees, and scale is the number of tenths of a pixel in a
// degree of latitude. A degree of longitude is shorter than a degree of latitude, by the factor
// shrink. The factor depends on the latitude, and the whole map uses the factor at its middle.
type projection struct {
	west, north   float64
	shrink, scale float64
	width, height int
}

func projectionOf(areas []Area) projection {
	var all orb.Collection
	for _, a := range areas {
		all = append(all, a.Shape)
	}
	b := all.Bound()
	p := projection{west: b.Min.Lon(), north: b.Max.Lat(),
		shrink: math.Cos((b.Min.Lat() + b.Max.Lat()) / 2 * math.Pi / 180)}
	wide, high := (b.Max.Lon()-b.Min.Lon())*p.shrink, b.Max.Lat()-b.Min.Lat()
	const margin = 20 // so that the outer borders are not cut off
	p.scale = (mapSide - 2*margin) / max(wide, high, 1e-9)
	p.width, p.height = int(math.Ceil(wide*p.scale))+2*margin, int(math.Ceil(high*p.scale))+2*margin
	p.west -= margin / p.scale / p.shrink
	p.north += margin / p.scale
	return p
}

func (p projection) at(point orb.Point) (x, y int) {
	return int(math.Round((point.Lon() - p.west) * p.shrink * p.scale)),
		int(math.Round((p.north - point.Lat()) * p.scale))
}
