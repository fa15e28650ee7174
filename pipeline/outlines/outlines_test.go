package outlines

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"pgregory.net/rapid"

	"labour/snapshots/outline"
)

// county is a made-up county of rows times columns districts, whose corners are moved
// about and whose borders wind.
type county struct {
	shapes []orb.MultiPolygon
	// border are the lines that part two districts or a district from the sea, each once.
	borders []orb.LineString
}

// wind draws a border from one corner to another.
func wind(t *rapid.T, from, to orb.Point) orb.LineString {
	line := orb.LineString{from}
	n := rapid.IntRange(0, 12).Draw(t, "bends")
	for i := 1; i <= n; i++ {
		f := float64(i) / float64(n+1)
		line = append(line, orb.Point{stepped(from[0] + f*(to[0]-from[0]) + rapid.Float64Range(-.01, .01).Draw(t, "x")),
			stepped(from[1] + f*(to[1]-from[1]) + rapid.Float64Range(-.01, .01).Draw(t, "y"))})
	}
	return append(line, to)
}

func stepped(degrees float64) float64 { return outline.StepsToDegrees(outline.DegreesToSteps(degrees)) }

func drawCounty(t *rapid.T) county {
	rows, columns := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "columns")
	corner := func(r, c int) orb.Point { return orb.Point{stepped(.1*float64(c) - .1), stepped(51 + .1*float64(r))} }
	var out county
	across, up := map[[2]int]orb.LineString{}, map[[2]int]orb.LineString{}
	for r := range rows + 1 {
		for c := range columns + 1 {
			if c < columns {
				across[[2]int{r, c}] = wind(t, corner(r, c), corner(r, c+1))
				out.borders = append(out.borders, across[[2]int{r, c}])
			}
			if r < rows {
				up[[2]int{r, c}] = wind(t, corner(r, c), corner(r+1, c))
				out.borders = append(out.borders, up[[2]int{r, c}])
			}
		}
	}
	for r := range rows {
		for c := range columns {
			sides := []orb.LineString{across[[2]int{r, c}], up[[2]int{r, c + 1}], turned(across[[2]int{r + 1, c}]),
				turned(up[[2]int{r, c}])}
			var ring orb.Ring
			for _, side := range sides {
				ring = append(ring, side[:len(side)-1]...)
			}
			// A ring may begin anywhere and go either way.
			at := rapid.IntRange(0, len(ring)-1).Draw(t, "start")
			ring = append(append(orb.Ring{}, ring[at:]...), ring[:at]...)
			ring = append(ring, ring[0])
			if rapid.Bool().Draw(t, "turned") {
				ring.Reverse()
			}
			out.shapes = append(out.shapes, orb.MultiPolygon{{ring}})
		}
	}
	return out
}

func turned(l orb.LineString) orb.LineString {
	l = l.Clone()
	l.Reverse()
	return l
}

// edges counts the edges of all rings, whichever way they go.
func edges(shapes []orb.MultiPolygon) map[[2]orb.Point]int {
	n := map[[2]orb.Point]int{}
	for _, s := range shapes {
		for _, p := range s {
			for _, r := range p {
				for i := range len(r) - 1 {
					a, b := r[i], r[i+1]
					if b[0] < a[0] || b[0] == a[0] && b[1] < a[1] {
						a, b = b, a
					}
					n[[2]orb.Point{a, b}]++
				}
			}
		}
	}
	return n
}

// Neighbours keep the border that they share: an edge that only one district has lies
// on the coast, all of whose points are known.
func TestNeighboursKeepTheirBorder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCounty(t)
		coast := map[orb.Point]bool{}
		for e, n := range edges(c.shapes) {
			if n == 1 {
				coast[e[0]], coast[e[1]] = true, true
			}
		}
		for e, n := range edges(Simplify(c.shapes, rapid.IntRange(5, 600).Draw(t, "pixels"))) {
			if n == 1 && !(coast[e[0]] && coast[e[1]]) {
				t.Fatalf("the border %v is in one district only", e)
			}
		}
	})
}

// No border moves by more than a pixel, only its own points are used, and no
// district is lost.
func TestBordersStayWhereTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, pixels := drawCounty(t), rapid.IntRange(5, 600).Draw(t, "pixels")
		simple := Simplify(c.shapes, pixels)
		flat := newSimplifier(c.shapes, pixels)
		pixel := flat.pixel * (1 + 1e-9)
		for i, shape := range simple {
			if len(shape) != 1 || len(shape[0]) != 1 || len(shape[0][0]) < 4 {
				t.Fatalf("district %d is %v", i, shape)
			}
			given := map[orb.Point]bool{}
			for _, p := range c.shapes[i][0][0] {
				given[p] = true
			}
			var line orb.LineString
			for _, p := range shape[0][0] {
				if !given[p] {
					t.Fatalf("district %d has got the point %v", i, p)
				}
				line = append(line, flat.point(orb.Point{float64(outline.DegreesToSteps(p[0])),
					float64(outline.DegreesToSteps(p[1]))}))
			}
			for p := range given {
				at := flat.point(orb.Point{float64(outline.DegreesToSteps(p[0])), float64(outline.DegreesToSteps(p[1]))})
				if d := planar.DistanceFrom(line, at); d > pixel {
					t.Fatalf("district %d: %v is %v steps off, more than %v", i, p, d, pixel)
				}
			}
		}
	})
}

// ringOf is a round island.
func ringOf(lon, lat, radius float64, corners int) orb.Ring {
	var r orb.Ring
	for i := range corners {
		a := 2 * math.Pi * float64(i) / float64(corners)
		r = append(r, orb.Point{lon + radius*math.Cos(a), lat + radius*math.Sin(a)})
	}
	return append(r, r[0])
}

// Islands that would not be seen are left out, but the largest; a district inside of
// another fills its hole.
func TestIslandsAndHoles(t *testing.T) {
	around := orb.MultiPolygon{{ringOf(0, 51, .5, 200), ringOf(0, 51, .1, 100)}, {ringOf(.7, 51, .0001, 30)}}
	within := orb.MultiPolygon{{ringOf(0, 51, .1, 100)}}
	speck := orb.MultiPolygon{{ringOf(.8, 51, .0002, 30)}}
	got := Simplify([]orb.MultiPolygon{around, within, speck, nil, {{{{0, 51}, {0, 51}}}}}, 600)
	if len(got[0]) != 1 || len(got[0][0]) != 2 || len(got[2]) != 1 || len(got[3]) != 0 || len(got[4]) != 0 {
		t.Fatalf("%v", got)
	}
	if hole, island := edges([]orb.MultiPolygon{{{got[0][0][1]}}}), edges(got[1:2]); len(hole) != len(island) ||
		len(island) > 70 || len(island) < 10 {
		t.Errorf("the hole has %d edges, what fills it %d", len(hole), len(island))
	}
	for e, n := range edges([]orb.MultiPolygon{{{got[0][0][1]}}, got[1]}) {
		if n != 2 {
			t.Errorf("the edge %v of the hole is there %d times", e, n)
		}
	}
}

func BenchmarkSimplify(b *testing.B) {
	shapes := make([]orb.MultiPolygon, 33)
	for i := range shapes {
		shapes[i] = orb.MultiPolygon{{ringOf(float64(i)*.1, 51, .05, 2000)}}
	}
	for b.Loop() {
		Simplify(shapes, 600)
	}
}
