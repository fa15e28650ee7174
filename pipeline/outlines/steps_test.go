package outlines

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
)

// onPlane returns a simplifier of a plane without shortened degrees.
func onPlane(pixel float64, junctions ...orb.Point) *simplifier {
	s := &simplifier{shrink: 1, pixel: pixel, junctions: map[orb.Point]bool{}}
	for _, p := range junctions {
		s.junctions[p] = true
	}
	return s
}

// box is the closed outline of a rectangle.
func box(west, south, east, north float64) orb.Ring {
	return orb.Ring{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}
}

// A pixel is a share of the longer side, on a plane where a degree of longitude is shorter than one
// of latitude: half as long at 60 degrees north. A map has at least one pixel.
func TestSizeOfAPixel(t *testing.T) {
	for _, tt := range []struct {
		shape         orb.Ring
		pixels        int
		shrink, pixel float64
	}{
		{box(0, 59, 2, 61), 200, .5, 2 * 100_000 / 200},                                   // 1 degree wide, 2 high
		{box(0, 59, 8, 61), 200, .5, 4 * 100_000 / 200},                                   // 4 degrees wide, 2 high
		{box(10, -60.5, 13, -59.5), 50, .5, 1.5 * 100_000 / 50},                           // south of the equator
		{box(0, -1, 1, 1), 100, 1, 2 * 100_000 / 100},                                     // at the equator
		{box(0, 59, 2, 61), 1, .5, 2 * 100_000},                                           // one pixel
		{box(0, 59, 2, 61), 0, .5, 2 * 100_000}, {box(0, 59, 2, 61), -5, .5, 2 * 100_000}, // and never fewer
		{box(0, 90, 200, 90), 10, .01, 2 * 100_000 / 10}, // at the pole no degree has no length
	} {
		s := newSimplifier([]orb.MultiPolygon{{{tt.shape}}}, tt.pixels)
		if math.Abs(s.shrink-tt.shrink) > 1e-9 || math.Abs(s.pixel-tt.pixel) > 1e-6 {
			t.Errorf("%v in %d pixels: shortened to %v, a pixel of %v steps; want %v and %v", tt.shape, tt.pixels, s.shrink,
				s.pixel, tt.shrink, tt.pixel)
		}
	}
}

// An island is too small to be seen if both of its sides are shorter than two pixels.
func TestSpecks(t *testing.T) {
	for _, tt := range []struct {
		east, north, shrink float64
		want                bool
	}{
		{19, 19, 1, true}, {20, 19, 1, false}, {19, 20, 1, false}, {20, 1, 1, false}, {39, 19, .5, true}, {40, 19, .5, false},
		{39, 20, .5, false},
	} {
		s := simplifier{shrink: tt.shrink, pixel: 10}
		if got := s.isSpeck(ring{{0, 0}, {tt.east, 0}, {tt.east, tt.north}, {0, tt.north}}); got != tt.want {
			t.Errorf("%v by %v, shortened to %v, is a speck: %t", tt.east, tt.north, tt.shrink, got)
		}
	}
}

// Of an area of specks only, the largest part is kept: the first of several.
func TestTheLargestPartIsKept(t *testing.T) {
	at := func(west, size float64) []ring {
		return []ring{{{west, 0}, {west + size, 0}, {west + size, size}, {west, size}}}
	}
	for _, tt := range []struct {
		parts [][]ring
		want  []float64 // west ends
	}{
		{[][]ring{at(100, 1), at(200, 3), at(300, 2)}, []float64{200}},
		{[][]ring{at(100, 3), at(200, 1), at(300, 3)}, []float64{100}},
		{[][]ring{at(100, 1), at(200, 3), at(300, 30)}, []float64{300}},
		{[][]ring{at(100, 1), at(200, 25), at(300, 30), at(400, 19), at(500, 20)}, []float64{200, 300, 500}},
	} {
		var got []float64
		for _, polygon := range onPlane(10).shape(tt.parts) {
			got = append(got, math.Round(polygon.Bound().Min.Lon()*100_000))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: kept those at %v, want %v", tt.parts, got, tt.want)
		}
	}
}

// A point that follows itself is one point, and so are the two ends of a ring.
func TestPointsOfARing(t *testing.T) {
	p, q, r := orb.Point{0, 51}, orb.Point{.00001, 51}, orb.Point{.00001, 51.00001}
	near := orb.Point{.000004, 51.000004} // less than half a step from p
	for _, tt := range []struct {
		given orb.Ring
		want  ring
	}{
		{orb.Ring{p, q, r, p}, ring{{0, 5100000}, {1, 5100000}, {1, 5100001}}},
		{orb.Ring{p, p, q, q, q, r, near, p, p}, ring{{0, 5100000}, {1, 5100000}, {1, 5100001}}},
		{orb.Ring{p, q, r}, ring{{0, 5100000}, {1, 5100000}, {1, 5100001}}},
		{orb.Ring{p, q, p, near}, ring{{0, 5100000}, {1, 5100000}}},
		{orb.Ring{p, near}, ring{{0, 5100000}}},
		{nil, nil},
	} {
		if got := quantise(tt.given); !slices.Equal(got, tt.want) {
			t.Errorf("%v has the points %v, want %v", tt.given, got, tt.want)
		}
	}
}

// A polygon whose outer ring has no area is left out with its holes, and a hole without an area by
// itself.
func TestRingsWithoutAnArea(t *testing.T) {
	outer, hole := box(0, 0, 1, 1), box(.2, .2, .8, .8)
	triangle := orb.Ring{{0, 0}, {1, 0}, {1, 1}, {0, 0}}
	line := orb.Ring{{.1, .1}, {.9, .9}, {.1, .1}}
	for _, tt := range []struct {
		polygon orb.Polygon
		want    int // rings
	}{
		{orb.Polygon{outer, hole}, 2}, {orb.Polygon{line, hole}, 0}, {orb.Polygon{outer, line, hole}, 2},
		{orb.Polygon{outer, line}, 1}, {orb.Polygon{triangle}, 1}, {orb.Polygon{outer, triangle}, 2}, {orb.Polygon{{}}, 0},
	} {
		rings := 0
		for _, polygon := range Simplify([]orb.MultiPolygon{{tt.polygon}, {{outer}}}, 100)[0] {
			rings += len(polygon)
		}
		if rings != tt.want {
			t.Errorf("%v has %d rings, want %d", tt.polygon, rings, tt.want)
		}
	}
}

// The point of an arc that is farthest from the line between its ends; of several the one with the
// smallest coordinates.
func TestTheFarthestPoint(t *testing.T) {
	for _, tt := range []struct {
		arc  ring
		want int
	}{
		{ring{{0, 0}, {5, 9}, {10, 0}}, 1},
		{ring{{0, 0}, {2, 9}, {5, 1}, {10, 0}}, 1},
		{ring{{0, 0}, {2, 1}, {5, 9}, {7, 1}, {10, 0}}, 2},
		{ring{{0, 0}, {2, 1}, {5, 2}, {7, 9}, {10, 0}}, 3},
		{ring{{0, 0}, {2, 9}, {5, 9}, {7, 9}, {10, 0}}, 1}, // equally far
		{ring{{10, 0}, {7, 9}, {5, 9}, {2, 9}, {0, 0}}, 3}, // and the other way
		{ring{{0, 0}, {5, 9}, {5, -9}, {10, 0}}, 2},
		{ring{{0, 0}, {5, 9}, {1, 2}, {10, 0}}, 1},                  // a smaller one that is nearer
		{ring{{30, 0}, {20, 0}, {10, 0}}, 1},                        // on a line: an inner point all the same
		{ring{{0, 0}, {0, 30}, {40, 30}, {40, 0}, {0, 0}}, 2},       // a closed arc: from its one end
		{ring{{40, 30}, {40, 0}, {0, 0}, {0, 30}, {40, 30}}, 2},     // the same from the other corner
		{ring{{30, 5}, {20, 5}, {15, 5}, {12, 5}, {10, 5}}, 3},      // of all that are on the line the smallest
		{ring{{10, 5}, {12, 5}, {15, 5}, {20, 5}, {30, 5}}, 1},      // and the other way
		{ring{{0, 0}, {-3, 0}, {4, 0}, {13, 0}, {10, 0}}, 1},        // beyond either end
		{ring{{0, 0}, {3, 4}, {4, 3}, {0, 5}, {5, 0}, {0, 0}}, 3},   // on a circle
		{ring{{0, 0}, {5, 0}, {0, 5}, {4, 3}, {3, 4}, {0, 0}}, 2},   // and the other way
		{ring{{0, 0}, {1, 1}, {2, 2}, {3, 4}, {2, 2}, {10, 10}}, 3}, // a point that comes twice
	} {
		if got := onPlane(1).farthest(tt.arc); got != tt.want {
			t.Errorf("%v: point %d, want %d", tt.arc, got, tt.want)
		}
	}
	s := &simplifier{shrink: .1} // a degree of longitude is a tenth of one of latitude
	if got := s.farthest(ring{{0, 0}, {50, 0}, {0, 10}, {0, 0}}); got != 2 {
		t.Errorf("on a narrow plane: point %d, want 2", got)
	}
}

// However large a pixel is, a ring keeps the points where borders meet and between any two of them
// the point that is farthest from their line; a ring without such points keeps four, or all three.
func TestWhatIsLeftOfARing(t *testing.T) {
	octagon := ring{{1, 0}, {2, 0}, {3, 1}, {3, 2}, {2, 3}, {1, 3}, {0, 2}, {0, 1}}
	square := ring{{0, 0}, {4, 0}, {4, 4}, {0, 4}}
	for _, tt := range []struct {
		name      string
		r         ring
		junctions []orb.Point
		want      ring
	}{
		{"a triangle", ring{{4, 0}, {0, 4}, {0, 0}}, nil, ring{{0, 0}, {4, 0}, {0, 4}}},
		{"a square", square, nil, ring{{0, 0}, {4, 0}, {4, 4}, {0, 4}}},
		// The point farthest from its smallest one, {0, 1}, is {3, 2}; {2, 0} and {1, 3} are the
		// farthest from their line.
		{"an octagon", octagon, nil, ring{{0, 1}, {2, 0}, {3, 2}, {1, 3}}},
		{"an octagon with one point where borders meet", octagon, []orb.Point{{2, 3}}, ring{{2, 3}, {0, 2}, {1, 0}, {3, 1}}},
		{"a square of four such points", square, square, square},
		{"two such points", octagon, []orb.Point{{1, 0}, {2, 0}}, ring{{1, 0}, {2, 0}, {1, 3}}},
		{"two opposite points", octagon, []orb.Point{{1, 0}, {2, 3}}, ring{{1, 0}, {3, 1}, {2, 3}, {0, 2}}},
		{"three such points", octagon, []orb.Point{{1, 0}, {3, 1}, {2, 3}},
			ring{{1, 0}, {2, 0}, {3, 1}, {3, 2}, {2, 3}, {0, 2}}},
	} {
		for _, way := range []ring{tt.r, backwards(tt.r)} {
			if got := onPlane(1000, tt.junctions...).simplify(way); !sameRing(got, tt.want) {
				t.Errorf("%s, as %v: %v, want %v", tt.name, way, got, tt.want)
			}
		}
	}
}

// sameRing reports whether two rings have the same points in the same circle, from whichever point
// and either way.
func sameRing(a, b ring) bool {
	for range b {
		if slices.Equal(a, b) || slices.Equal(a, backwards(b)) {
			return true
		}
		b = append(slices.Clone(b[1:]), b[0])
	}
	return false
}
