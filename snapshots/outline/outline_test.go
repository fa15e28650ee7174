package outline

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// Any outline of whole steps is read as it was written.
func TestTextIsReadBack(t *testing.T) {
	step := rapid.Custom(func(t *rapid.T) orb.Point {
		return orb.Point{StepsToDegrees(rapid.Int32Range(-180*StepsPerDegree, 180*StepsPerDegree).Draw(t, "longitude")),
			StepsToDegrees(rapid.Int32Range(-90*StepsPerDegree, 90*StepsPerDegree).Draw(t, "latitude"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		var shape orb.MultiPolygon
		for range rapid.IntRange(1, 3).Draw(t, "polygons") {
			var polygon orb.Polygon
			for range rapid.IntRange(1, 3).Draw(t, "rings") {
				corners := rapid.SliceOfN(step, 3, 9).Draw(t, "corners")
				polygon = append(polygon, append(orb.Ring(corners), corners[0]))
			}
			shape = append(shape, polygon)
		}
		got, err := Parse(Format(shape))
		if err != nil || !orb.Equal(got, shape) {
			t.Fatalf("%s is read as %v, %v", Format(shape), got, err)
		}
	})
}

func TestWhatIsNoOutline(t *testing.T) {
	const good = "MULTIPOLYGON(((-0.1 51.5,-0.05 51.5,-0.05 51.55,-0.1 51.5)))"
	if _, err := Parse(good); err != nil {
		t.Fatalf("%s: %v", good, err)
	}
	for name, text := range map[string]string{
		"empty": "", "no polygon": "MULTIPOLYGON EMPTY", "a point": "POINT(0 51)",
		"one polygon":       "POLYGON((-0.1 51.5,-0.05 51.5,-0.05 51.55,-0.1 51.5))",
		"open":              "MULTIPOLYGON(((-0.1 51.5,-0.05 51.5,-0.05 51.55,-0.1 51.6)))",
		"two corners":       "MULTIPOLYGON(((-0.1 51.5,-0.05 51.5,-0.1 51.5)))",
		"metres":            "MULTIPOLYGON(((530000 180000,530100 180000,530100 180100,530000 180000)))",
		"no number":         "MULTIPOLYGON(((NaN 51.5,-0.05 51.5,-0.05 51.55,NaN 51.5)))",
		"too fine":          "MULTIPOLYGON(((-0.1000001 51.5,-0.05 51.5,-0.05 51.55,-0.1000001 51.5)))",
		"less than nothing": "MULTIPOLYGON(((-0 51.5,-0.05 51.5,-0.05 51.55,-0 51.5)))",
		"blanks":            "MULTIPOLYGON (((-0.1 51.5, -0.05 51.5, -0.05 51.55, -0.1 51.5)))",
		"zeros":             "MULTIPOLYGON(((-0.10 51.5,-0.05 51.5,-0.05 51.55,-0.10 51.5)))",
	} {
		if shape, err := Parse(text); err == nil {
			t.Errorf("%s is read as %v", name, shape)
		}
	}
}

// The error says what is wrong with a text: that it is another geometry, or an outline of nothing.
func TestErrorsOfOutlines(t *testing.T) {
	for text, want := range map[string]string{
		"": "no MULTIPOLYGON", "POINT(0 51)": "no MULTIPOLYGON", "MULTIPOLYGON EMPTY": "is empty",
		"MULTIPOLYGON(((0 0,1 0,0 1,0 2)))":      "not closed",
		"MULTIPOLYGON(((0 0,1 0,0 0)))":          "fewer than three corners",
		"MULTIPOLYGON(((0 0,181 0,0 1,0 0)))":    "no longitude and latitude",
		"MULTIPOLYGON(((0 0,1 91,0 1,0 0)))":     "no longitude and latitude",
		"MULTIPOLYGON(((0 0,1e-6 0,0 1,0 0)))":   "no whole number of steps",
		"MULTIPOLYGON(((0 0,1.0 0,0 1,0 0)))":    "not written as such texts are",
		"MULTIPOLYGON(((0 0,180 0,0 90,0 0)))":   "",
		"MULTIPOLYGON(((0 0,-180 0,0 -90,0 0)))": "",
	} {
		if _, err := Parse(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("MULTIPOLYGON(((-0.1 51.5,-0.05 51.5,-0.05 51.55,-0.1 51.5)))")
	f.Add("MULTIPOLYGON(((0 0,1e2 0,0 1,0 0),(0 0,1 0,0 1,0 0)),((0 0,1 0,0 1,0 0)))")
	f.Fuzz(func(t *testing.T, text string) {
		if shape, err := Parse(text); err == nil && Format(shape) != text {
			t.Fatalf("%q is read as %q", text, Format(shape))
		}
	})
}
