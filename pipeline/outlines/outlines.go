// Package outlines makes the outlines of neighbouring areas light enough for a map,
// and keeps the borders that they share.
//
// An outline that is simplified alone gapes from its neighbour's. So the rings are
// first cut into arcs where more than two borders meet, as in TopoJSON; an arc is
// simplified by its own points alone and in one direction, so that it comes out
// equal in both areas that it parts; then the rings are put together again.
package outlines

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"

	"labour/snapshots/outline"
	"labour/sources"
)

// speck is how many pixels an island must be wide or high to be kept.
const speck = 2

// point is a place in steps of outline.PerDegree.
type point struct{ x, y int32 }

// ring is a closed line of different points in a row; its end is not repeated.
type ring []point

// Simplify gives the shapes (degrees of WGS 84) in the same order, simplified for a map of all of
// them that is so many pixels wide or high, whichever is more: no border moves by more than a
// pixel, and islands of less than two pixels are left out, but for the largest part of a shape.
// Coordinates are whole steps of outline.PerDegree. A shape without an area comes out empty.
func Simplify(shapes []orb.MultiPolygon, pixels int) []orb.MultiPolygon {
	flat := flatten(shapes)
	s := simplifier{flat: flat, pixel: flat.extent(shapes) / float64(max(pixels, 1)), junctions: map[point]bool{}}
	quantised := make([][][]ring, len(shapes))
	for i, shape := range shapes {
		for _, polygon := range shape {
			var rings []ring
			for n, r := range polygon {
				q := quantise(r)
				if len(q) < 3 && n == 0 {
					break // a polygon without an outside
				}
				if len(q) >= 3 {
					rings = append(rings, q)
				}
			}
			if len(rings) > 0 {
				quantised[i] = append(quantised[i], rings)
			}
		}
	}
	s.findJunctions(quantised)
	out := make([]orb.MultiPolygon, len(shapes))
	for i, polygons := range quantised {
		out[i] = s.shape(polygons)
	}
	return out
}

// shape simplifies the polygons of one area.
func (s *simplifier) shape(polygons [][]ring) orb.MultiPolygon {
	largest, most := 0, -1.0
	for i, rings := range polygons {
		if area := math.Abs(planar.Area(s.flat.ring(rings[0]))); area > most {
			largest, most = i, area
		}
	}
	var shape orb.MultiPolygon
	for i, rings := range polygons {
		if i != largest && s.isSpeck(rings[0]) {
			continue
		}
		polygon := orb.Polygon{degrees(s.simplify(rings[0]))}
		for _, hole := range rings[1:] {
			if !s.isSpeck(hole) {
				polygon = append(polygon, degrees(s.simplify(hole)))
			}
		}
		shape = append(shape, polygon)
	}
	return shape
}

// isSpeck says whether a ring is too small to be seen.
func (s *simplifier) isSpeck(r ring) bool {
	b := s.flat.ring(r).Bound()
	return max(b.Max.X()-b.Min.X(), b.Max.Y()-b.Min.Y()) < speck*s.pixel
}

// quantise puts a ring on the grid of steps.
func quantise(r orb.Ring) ring {
	var q ring
	for _, p := range r {
		at := point{outline.Steps(p.Lon()), outline.Steps(p.Lat())}
		if len(q) == 0 || q[len(q)-1] != at {
			q = append(q, at)
		}
	}
	for len(q) > 1 && q[0] == q[len(q)-1] {
		q = q[:len(q)-1]
	}
	return q
}

// degrees is a closed ring of what is left.
func degrees(r ring) orb.Ring {
	out := make(orb.Ring, 0, len(r)+1)
	for _, p := range r {
		out = append(out, orb.Point{outline.Degrees(p.x), outline.Degrees(p.y)})
	}
	return append(out, out[0])
}

// plane is the flat map on which distances are measured: degrees of longitude are
// shrunk as they are in the middle of the map, and both are counted in steps.
type plane struct{ shrink float64 }

func flatten(shapes []orb.MultiPolygon) plane {
	b := bound(shapes)
	return plane{shrink: max(math.Cos((b.Min.Lat()+b.Max.Lat())/2*math.Pi/180), 0.01)}
}

// bound is the rectangle around all shapes.
func bound(shapes []orb.MultiPolygon) orb.Bound {
	var all orb.Collection
	for _, s := range shapes {
		all = append(all, s)
	}
	return all.Bound()
}

// extent is the longer side of the map, in steps.
func (p plane) extent(shapes []orb.MultiPolygon) float64 {
	b := bound(shapes)
	return outline.PerDegree * max((b.Max.Lon()-b.Min.Lon())*p.shrink, b.Max.Lat()-b.Min.Lat())
}

func (p plane) ring(r ring) orb.Ring {
	flat := make(orb.Ring, 0, len(r)+1)
	for _, at := range r {
		flat = append(flat, p.point(at))
	}
	return append(flat, flat[0])
}

func (p plane) point(at point) orb.Point { return orb.Point{float64(at.x) * p.shrink, float64(at.y)} }

// back is the point that was laid flat.
func (p plane) back(at orb.Point) point {
	return point{int32(math.Round(at.X() / p.shrink)), int32(math.Round(at.Y()))}
}

// Polygons reads the outline of a boundary. The error is for what is not GeoJSON or
// neither a polygon nor several.
func Polygons(b sources.Boundary) (orb.MultiPolygon, error) {
	var g geojson.Geometry
	if err := json.Unmarshal(b.GeoJSON, &g); err != nil {
		return nil, fmt.Errorf("boundary of %s: %w", b.Code, err)
	}
	switch shape := g.Geometry().(type) {
	case orb.Polygon:
		return orb.MultiPolygon{shape}, nil
	case orb.MultiPolygon:
		return shape, nil
	}
	return nil, fmt.Errorf("boundary of %s: %T is not a polygon", b.Code, g.Geometry())
}

// simplifier simplifies rings of one map.
type simplifier struct {
	flat      plane
	pixel     float64        // in steps
	junctions map[point]bool // where borders part: the ends of arcs
}

// findJunctions finds the points that do not have the same two neighbours wherever
// they are on a ring.
func (s *simplifier) findJunctions(shapes [][][]ring) {
	type sides struct{ one, other point } // ordered
	around := map[point]sides{}
	for _, polygons := range shapes {
		for _, rings := range polygons {
			for _, r := range rings {
				for i, p := range r {
					a, b := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
					if compare(b, a) < 0 {
						a, b = b, a
					}
					if was, seen := around[p]; seen && was != (sides{a, b}) {
						s.junctions[p] = true
					}
					around[p] = sides{a, b}
				}
			}
		}
	}
}

// simplify simplifies a ring arc by arc. A ring of which too little is left stays as it is.
func (s *simplifier) simplify(r ring) ring {
	var out ring
	for _, a := range s.arcs(r) {
		kept := s.arc(a)
		out = append(out, kept[:len(kept)-1]...) // its end begins the next
	}
	if len(out) < 3 {
		return r
	}
	return out
}

// arcs cuts a ring where borders part; one that no border meets, or that one meets at
// one point, also at the point farthest from there. Each arc holds both of its ends.
func (s *simplifier) arcs(r ring) [][]point {
	start := slices.IndexFunc(r, func(p point) bool { return s.junctions[p] })
	if start < 0 {
		start = slices.Index(r, slices.MinFunc(r, compare))
	}
	closed := append(append(slices.Clone(r[start:]), r[:start]...), r[start])
	var arcs [][]point
	for from, i := 0, 1; i < len(closed); i++ {
		if i < len(closed)-1 && !s.junctions[closed[i]] {
			continue
		}
		if a := closed[from : i+1]; a[0] == a[len(a)-1] && len(a) > 3 {
			far := s.farthest(a)
			arcs = append(arcs, a[:far+1], a[far:])
		} else {
			arcs = append(arcs, a)
		}
		from = i
	}
	return arcs
}

func compare(p, q point) int { return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.y, q.y)) }

// arc simplifies an arc between its ends. Beside them the point farthest from their
// line stays, so that two arcs between the same ends do not fall together. It is
// done in the direction that begins at the lesser end, so that both areas get the same.
func (s *simplifier) arc(a []point) []point {
	if len(a) < 3 {
		return a
	}
	turned := slices.CompareFunc(a, backwards(a), compare) > 0
	if turned {
		a = backwards(a)
	}
	line := make(orb.LineString, len(a))
	for i, p := range a {
		line[i] = s.flat.point(p)
	}
	kept := make([]point, 0, len(a))
	for _, p := range simplify.DouglasPeucker(s.pixel / 2).LineString(line) {
		kept = append(kept, s.flat.back(p))
	}
	if len(kept) == 2 {
		kept = []point{a[0], a[s.farthest(a)], a[len(a)-1]}
	}
	if turned {
		kept = backwards(kept)
	}
	return kept
}

// farthest is the index of the inner point that is farthest from the line between
// the ends of an arc; of several the least point.
func (s *simplifier) farthest(a []point) int {
	from, to := s.flat.point(a[0]), s.flat.point(a[len(a)-1])
	best, most := 1, -1.0
	for i := 1; i < len(a)-1; i++ {
		d := planar.DistanceFromSegmentSquared(from, to, s.flat.point(a[i]))
		if d > most || d == most && compare(a[i], a[best]) < 0 {
			best, most = i, d
		}
	}
	return best
}

func backwards(a []point) []point {
	b := slices.Clone(a)
	slices.Reverse(b)
	return b
}
