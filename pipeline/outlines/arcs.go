package outlines

import (
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"
)

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
					if b.less(a) {
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

func compare(p, q point) int {
	switch {
	case p.less(q):
		return -1
	case q.less(p):
		return 1
	}
	return 0
}

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
		if d > most || d == most && a[i].less(a[best]) {
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
