package chart

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"
	"github.com/paulmach/orb/planar"
	"pgregory.net/rapid"
)

// rings reads the rings that a path draws, in tenths of a pixel.
func rings(t rapid.TB, path string) (shape []orb.Ring) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSuffix(path, "z"), "z") {
		start, rest, _ := strings.Cut(strings.TrimPrefix(line, "M"), "l")
		var at orb.Point
		if _, err := fmt.Sscan(start, &at[0], &at[1]); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		ring, steps := orb.Ring{at}, strings.Fields(rest)
		for i := 0; i+1 < len(steps); i += 2 {
			x, errX := strconv.Atoi(steps[i])
			y, errY := strconv.Atoi(steps[i+1])
			if errX != nil || errY != nil {
				t.Fatalf("%s: %v, %v", path, errX, errY)
			}
			at = orb.Point{at[0] + float64(x), at[1] + float64(y)}
			ring = append(ring, at)
		}
		shape = append(shape, append(ring, ring[0]))
	}
	return shape
}

var pathPattern = regexp.MustCompile(`data-row="[^"]*"[^>]* d="([^"]*)"`)

// Areas are drawn within the map, in the proportions that they have on the ground.
func TestMapKeepsProportions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		middle := orb.Point{rapid.Float64Range(-7, 1.5).Draw(t, "longitude"),
			rapid.Float64Range(50, 58).Draw(t, "latitude")}
		size := rapid.Float64Range(.02, .4).Draw(t, "size")
		var areas []Area
		var ground []float64 // square metres
		for i := range rapid.IntRange(2, 5).Draw(t, "areas") {
			w, s := middle[0]+float64(i)*size, middle[1]+rapid.Float64Range(-size, size).Draw(t, "south")
			n := s + size*rapid.Float64Range(.5, 1).Draw(t, "height")
			ring := orb.Ring{{w, s}, {w + size, s}, {w + size, n}, {w, n}, {w, s}}
			areas = append(areas, Area{Place: strconv.Itoa(i), Shape: orb.MultiPolygon{{ring}}, Class: "c1"})
			ground = append(ground, geo.Area(ring))
		}
		drawn := string(DrawMap("a map", "score", "", areas))
		wellFormed(t, drawn)
		var first float64
		for i, m := range pathPattern.FindAllStringSubmatch(drawn, -1) {
			ring := rings(t, m[1])[0]
			if b := ring.Bound(); b.Min[0] < 0 || b.Min[1] < 0 || b.Max[0] > mapSide || b.Max[1] > mapSide {
				t.Fatalf("area %d is drawn outside: %v", i, b)
			}
			of := math.Abs(planar.Area(ring)) / ground[i]
			if i == 0 {
				first = of
			}
			if of < first*.95 || of > first*1.05 {
				t.Fatalf("area %d is drawn %v as large as area 0", i, of/first)
			}
		}
	})
}

// A place without a number has a pattern; the names are escaped; the area of the page is drawn last.
func TestMapSaysWhatItShows(t *testing.T) {
	square := func(w float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{w, 51}, {w + .1, 51}, {w + .1, 51.1}, {w, 51.1}, {w, 51}}}}
	}
	areas := []Area{
		{Place: "here", Name: `A & <b> "c"`, Shape: square(0), Class: "c5", Said: "12.34", Token: "12.34", Here: true},
		{Place: "few", Name: "Few", Shape: square(.1), Class: ClassUnderFive, Said: "<5", Token: "<5",
			Label: "Kensington and Chelsea", End: true},
		{Place: "gone", Name: "Gone", Shape: square(.2), Class: ClassNoFigure, Said: "not published", Token: "null"},
		{Place: "thin", Name: "Thin", Shape: orb.MultiPolygon{{{{.3, 51}, {.3, 51}, {.3, 51}, {.3, 51}}}},
			Class: ClassNoFigure,
			Said:  "nothing to show"},
	}
	drawn := string(DrawMap(`the "map"`, "score", "/a?b=c&place={place}", areas))
	wellFormed(t, drawn)
	for _, want := range []string{`role="img" aria-label="the &#34;map&#34;"`,
		` data-link="/a?b=c&amp;place={place}"`, `<text class="name far" `, `>Kensington<tspan x=`, `>and Chelsea</tspan>`,
		`class="c5 here" data-row="here"`,
		`<title data-f="score" data-v="12.34">A &amp; &lt;b&gt; &#34;c&#34;: 12.34</title>`,
		`class="small" data-row="few" fill="url(#small)"`, `data-v="&lt;5">Few: &lt;5<`,
		`class="none" data-row="gone" fill="url(#none)"`, `<title>Thin: nothing to show</title>`, `d=""`} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %s in %s", want, drawn)
		}
	}
	if strings.Index(drawn, `data-row="here"`) < strings.Index(drawn, `data-row="thin"`) {
		t.Error("the area of the page is not drawn last")
	}
	if CanDrawMap(areas[:1]) || CanDrawMap(areas[2:]) || !CanDrawMap(areas) {
		t.Error("a map of one area, or of none with a figure, is drawn, or a good one is not")
	}
	wellFormed(t, string(DrawLegendSample(ClassNoFigure))+string(DrawLegendSample("c3")))
}

func BenchmarkMap(b *testing.B) {
	var areas []Area
	for i := range 33 {
		var ring orb.Ring
		for n := range 80 {
			a := 2 * math.Pi * float64(n) / 80
			ring = append(ring, orb.Point{float64(i)*.05 + .02*math.Cos(a), 51 + .02*math.Sin(a)})
		}
		areas = append(areas, Area{Place: "p", Name: "P", Shape: orb.MultiPolygon{{append(ring, ring[0])}},
			Class: "c1"})
	}
	for b.Loop() {
		b.SetBytes(int64(len(DrawMap("map", "score", "", areas))))
	}
}
