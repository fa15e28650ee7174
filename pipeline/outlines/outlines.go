// Package outlines simplifies the outlines of neighbouring areas for a map, so that their shared
// borders still fit.
//
// The outlines are cut into arcs where more than two borders meet, as in TopoJSON. Each arc is
// simplified once, always in the same direction, and used in both areas that it separates.
//
// The portal's most generalised layer is not used instead. Adverts with coordinates are located with
// the same outlines, and near a border a more generalised one would give the wrong council.
package outlines

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"

	"labour/snapshots/outline"
)

// speck is the smallest size, in pixels, of an island that is kept on a simplified map. The size of
// an island is the larger of its width and height.
const speck = 2

// ring is a closed outline as a list of points. The first point is not repeated at the end. The
// coordinates are whole multiples of 1/outline.StepsPerDegree degree.
type ring []orb.Point

// simplifier simplifies the outlines of one map. It measures distances on a plane, in units of
// 1/outline.StepsPerDegree degree. Longitudes are scaled for the latitude of the map's centre.
type simplifier struct {
	shrink float64 // factor by which longitudes are scaled
	// width of a pixel of the map, in steps of 1/outline.StepsPerDegree degree
	pixel     float64
	junctions map[orb.Point]bool // points where more than two borders meet: the ends of arcs
}

// Simplify returns shapes that are simplified for a map with the given length of its longer side,
// in pixels. The shapes are in degrees of WGS 84 and keep their order. Borders move by at most a
// pixel. It removes islands under two pixels, but keeps the largest part of each shape. Coordinates
// become multiples of 1/outline.StepsPerDegree degree. A shape without an area becomes empty.
func Simplify(shapes []orb.MultiPolygon, pixels int) []orb.MultiPolygon {
	s := newSimplifier(shapes, pixels)
	quantised := make([][][]ring, len(shapes))
	for i, shape := range shapes {
		for _, polygon := range shape {
			var rings []ring
			for n, r := range polygon {
				q := quantise(r)
				if len(q) < 3 && n == 0 {
					break // a polygon without an outer ring
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

func newSimplifier(shapes []orb.MultiPolygon, pixels int) *simplifier {
	var all orb.Collection
	for _, shape := range shapes {
		all = append(all, shape)
	}
	b := all.Bound()
	shrink := max(math.Cos(b.Center().Lat()*math.Pi/180), 0.01)
	longer := outline.StepsPerDegree * max((b.Max.Lon()-b.Min.Lon())*shrink, b.Max.Lat()-b.Min.Lat())
	return &simplifier{shrink: shrink, pixel: longer / float64(max(pixels, 1)), junctions: map[orb.Point]bool{}}
}

// shape simplifies the polygons of one area and converts them to degrees. It leaves out islands
// that are too small.
func (s *simplifier) shape(polygons [][]ring) orb.MultiPolygon {
	largest, most := 0, -1.0
	for i, rings := range polygons {
		if area := math.Abs(planar.Area(s.flat(rings[0]))); area > most {
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

// isSpeck reports whether an outline is too small to be visible on the map.
func (s *simplifier) isSpeck(r ring) bool {
	b := s.flat(r).Bound()
	return max(b.Max.X()-b.Min.X(), b.Max.Y()-b.Min.Y()) < speck*s.pixel
}

// quantise rounds the coordinates of an outline to multiples of 1/outline.StepsPerDegree degree.
func quantise(r orb.Ring) ring {
	var q ring
	for _, p := range r {
		q = append(q, orb.Point{float64(outline.DegreesToSteps(p.Lon())), float64(outline.DegreesToSteps(p.Lat()))})
	}
	q = slices.Compact(q)
	for len(q) > 1 && q[0] == q[len(q)-1] {
		q = q[:len(q)-1]
	}
	return q
}

// degrees converts a simplified outline to degrees. It repeats the first point at the end.
func degrees(r ring) orb.Ring {
	out := make(orb.Ring, 0, len(r)+1)
	for _, p := range r {
		out = append(out, orb.Point{outline.StepsToDegrees(int32(p.X())), outline.StepsToDegrees(int32(p.Y()))})
	}
	return append(out, out[0])
}

// flat projects an outline onto a plane, on which distances are measured.
func (s *simplifier) flat(r ring) orb.Ring {
	flat := make(orb.Ring, 0, len(r)+1)
	for _, p := range r {
		flat = append(flat, s.point(p))
	}
	return append(flat, flat[0])
}

func (s *simplifier) point(p orb.Point) orb.Point { return orb.Point{p.X() * s.shrink, p.Y()} }

// findJunctions finds the points where borders meet. A point is a junction if its neighbours differ
// between outlines.
func (s *simplifier) findJunctions(shapes [][][]ring) {
	type sides struct{ one, other orb.Point } // ordered
	around := map[orb.Point]sides{}
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

// simplify simplifies an outline. The junctions, where borders meet, stay in place. The result has
// at least three points.
func (s *simplifier) simplify(r ring) ring {
	var out ring
	for _, a := range s.arcs(r) {
		kept := s.arc(a)
		out = append(out, kept[:len(kept)-1]...) // the next arc begins with its end
	}
	return out
}

// arcs splits an outline into arcs at the junctions, where borders meet. With fewer than two
// junctions, it also splits at the point farthest from the start. Each arc includes both ends.
func (s *simplifier) arcs(r ring) []ring {
	start := slices.IndexFunc(r, func(p orb.Point) bool { return s.junctions[p] })
	if start < 0 {
		start = slices.Index(r, slices.MinFunc(r, compare))
	}
	closed := append(append(slices.Clone(r[start:]), r[:start]...), r[start])
	var arcs []ring
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

func compare(p, q orb.Point) int { return slices.Compare(p[:], q[:]) }

// arc simplifies an arc, the part of a border between two junctions. It keeps both ends. It also
// keeps at least one other point, so that two arcs with the same ends stay different. The areas on
// both sides of the border get the same result.
func (s *simplifier) arc(a ring) ring {
	if len(a) < 3 {
		return a
	}
	turned := slices.CompareFunc(a, backwards(a), compare) > 0
	if turned {
		a = backwards(a)
	}
	line := make(orb.LineString, len(a))
	for i, p := range a {
		line[i] = s.point(p)
	}
	kept := make(ring, 0, len(a))
	for _, p := range simplify.DouglasPeucker(s.pixel / 2).LineString(line) {
		kept = append(kept, orb.Point{math.Round(p.X() / s.shrink), math.Round(p.Y())})
	}
	if len(kept) == 2 {
		kept = ring{a[0], a[s.farthest(a)], a[len(a)-1]}
	}
	if turned {
		kept = backwards(kept)
	}
	return kept
}

// farthest returns the index of the point of an arc that is farthest from the line between the
// arc's ends. If several points are equally far, it returns the one with the smallest coordinates.
func (s *simplifier) farthest(a ring) int {
	from, to := s.point(a[0]), s.point(a[len(a)-1])
	best, most := 1, -1.0
	for i := 1; i < len(a)-1; i++ {
		d := planar.DistanceFromSegmentSquared(from, to, s.point(a[i]))
		if d > most || d == most && compare(a[i], a[best]) < 0 {
			best, most = i, d
		}
	}
	return best
}

func backwards(a ring) ring {
	b := slices.Clone(a)
	slices.Reverse(b)
	return b
}
