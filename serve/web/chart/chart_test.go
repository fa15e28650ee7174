package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots/figure"
)

// numbers are the values of an attribute of the elements of a class.
func numbers(t rapid.TB, drawn, class, attribute string) []float64 {
	var list []float64
	for _, m := range regexp.MustCompile(`class="`+class+`"[^>]* `+attribute+`="([0-9.-]+)"`).FindAllStringSubmatch(
		drawn, -1) {
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// wellFormed checks that a drawing is XML without a script or a style.
func wellFormed(t rapid.TB, drawn string) {
	d := xml.NewDecoder(strings.NewReader(drawn))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, drawn)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if e.Name.Local == "script" || a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") {
					t.Fatalf("<%s %s> in a drawing", e.Name.Local, a.Name.Local)
				}
			}
		}
	}
}

// The rectangle is as large a part of its square as the score is of 100.
func TestPairingIsTheScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		adverts, below := figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "adverts")),
			figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "below"))
		drawn := string(DrawScoreRectangle(adverts, &below))
		wellFormed(t, drawn)
		area := numbers(t, drawn, "part", "width")[0] * numbers(t, drawn, "part", "height")[0] / (44 * 44) * 100
		if want := float64(adverts*below) / 10_000; area < want-.5 || area > want+.5 {
			t.Fatalf("the area is %v, the score %v", area, want)
		}
	})
}

// A figure that is not published is not drawn.
func TestNothingIsDrawnForNoFigure(t *testing.T) {
	share := figure.Tenths(500)
	for name, drawn := range map[string]string{
		"pairing": string(DrawScoreRectangle(share, nil)), "dumbbell": string(DrawDumbbell(nil, nil, 1000)),
		"bar": string(DrawBar(nil, 10, false)),
	} {
		wellFormed(t, drawn)
		for _, class := range []string{`"part"`, `"dot"`, `"ring"`, `"more"`, `"less"`} {
			if strings.Contains(drawn, "class="+class) {
				t.Errorf("%s draws %s for no figure", name, class)
			}
		}
	}
	if drawn := string(DrawDumbbell(&share, nil, 1000)); strings.Contains(drawn, "span") ||
		strings.Contains(drawn, "ring") || !strings.Contains(drawn, "dot") {
		t.Errorf("a dumbbell with one end: %s", drawn)
	}
}

// The dots of a dumbbell stand in the order of their shares, and colour tells which
// is larger.
func TestDrawDumbbell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hired, turned := figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "hired")),
			figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "turned"))
		drawn := string(DrawDumbbell(&hired, &turned, 1000))
		wellFormed(t, drawn)
		dot, ring := numbers(t, drawn, "dot", "cx")[0], numbers(t, drawn, "ring", "cx")[0]
		if hired-turned > 5 && dot <= ring || turned-hired > 5 && dot >= ring ||
			strings.Contains(drawn, `span less`) != (hired < turned) {
			t.Fatalf("hired %d at %v, turned down %d at %v: %s", hired, dot, turned, ring, drawn)
		}
	})
}

// A line has a point for each value and breaks where there is none; all of it is
// within the drawing.
func TestLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := make([]Point, rapid.IntRange(2, 24).Draw(t, "months"))
		values := 0
		for i := range points {
			points[i].Label = "<" + strconv.Itoa(i)
			if rapid.IntRange(0, 4).Draw(t, "published") > 0 {
				v := figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "value"))
				points[i].Value, points[i].Margin = &v, figure.Tenths(rapid.IntRange(0, 400).Draw(t, "margin"))
				values++
			}
		}
		running := rapid.SampledFrom([]string{"", "22 <Nov"}).Draw(t, "running")
		drawn := string(LineChart{Label: `by "month"`, Points: points, UnfinishedPeriod: running}.Draw(oneDecimal))
		wellFormed(t, drawn)
		y := append(numbers(t, drawn, "dot", "cy"), numbers(t, drawn, "ring", "cy")...)
		if last := points[len(points)-1].Value != nil; strings.Contains(drawn, `class="ring"`) != (last &&
			running != "") {
			t.Fatalf("the running month (%q) is drawn as %s", running, drawn)
		}
		if len(y) != values {
			t.Fatalf("%d points for %d values", len(y), values)
		}
		for _, v := range y {
			if v < 0 || v > 250 {
				t.Fatalf("a point at %v", v)
			}
		}
		if largest := largestOf(points); largest != nil &&
			!strings.Contains(drawn, ">"+string(figure.AppendTenths(nil, *largest))+"</text>") {
			t.Fatalf("the largest value is not written: %s", drawn)
		}
		path := regexp.MustCompile(`class="trace" d="([^"]*)"`).FindStringSubmatch(drawn)[1]
		if n := strings.Count(path, "M") + strings.Count(path, "L"); n != values {
			t.Fatalf("the line has %d corners for %d values", n, values)
		}
	})
}

func largestOf(points []Point) (largest *figure.Tenths) {
	for _, p := range points {
		if p.Value != nil && (largest == nil || *p.Value > *largest) {
			largest = p.Value
		}
	}
	return largest
}

// The band holds each value and its margin, within 0 and 100 per cent, and breaks with the line.
func TestBand(t *testing.T) {
	low, high := figure.Tenths(50), figure.Tenths(950)
	drawn := string(
		LineChart{Points: []Point{{Label: "a", Value: &low, Margin: 100}, {Label: "b", Value: &high, Margin: 100},
			{Label: "c"},
			{Label: "d", Value: &low, Margin: 20}}}.Draw(oneDecimal))
	wellFormed(t, drawn)
	bands := regexp.MustCompile(`class="band" d="([^"]*)"`).FindAllStringSubmatch(drawn, -1)
	if len(bands) != 2 {
		t.Fatalf("%d bands for two runs of values: %s", len(bands), drawn)
	}
	corners := func(path string) (ys []string) {
		for _, at := range strings.FieldsFunc(path, func(r rune) bool { return r == 'M' || r == 'L' || r == 'Z' }) {
			_, y, _ := strings.Cut(at, " ")
			ys = append(ys, y)
		}
		return ys
	}
	at := func(tenths figure.Tenths) string { return number(wideSheet.y(tenths, 1000)) }
	if got, want := corners(bands[0][1]), []string{at(150), at(1000), at(850), at(0)}; !slices.Equal(got, want) {
		t.Errorf("the band goes through %v, want %v", got, want)
	}
	if got, want := corners(bands[1][1]), []string{at(70), at(70), at(30), at(30)}; !slices.Equal(got, want) {
		t.Errorf("the band of a point alone goes through %v, want %v", got, want)
	}
}

// The second line stands at the points of the first with the same label.
func TestLineBehind(t *testing.T) {
	a, b := figure.Tenths(100), figure.Tenths(300)
	drawn := string(LineChart{Points: []Point{{Label: "x", Value: &a}, {Label: "y", Value: &b}},
		Comparison: []Point{{Label: "z", Value: &a}, {Label: "y", Value: &b}}}.Draw(oneDecimal))
	wellFormed(t, drawn)
	path := func(class string) string {
		return regexp.MustCompile(`class="` + class + `" d="([^"]*)"`).FindStringSubmatch(drawn)[1]
	}
	if at := strings.Split(path("trace"), "L"); len(at) != 2 || path("behind") != "M"+at[1] {
		t.Errorf("the line is %q and the one behind %q", path("trace"), path("behind"))
	}
}

// The longer of two bars is the larger value, and the end of the scale fills the bar.
func TestBarsKeepProportions(t *testing.T) {
	most, half := int64(200), int64(100)
	if w := numbers(t, string(DrawBar(&most, most, false)), "more", "width")[0]; w != 120 {
		t.Errorf("the largest is %v long", w)
	}
	if w := numbers(t, string(DrawBar(&half, most, false)), "more", "width")[0]; w != 60 {
		t.Errorf("half of it is %v long", w)
	}
}

func oneDecimal(t figure.Tenths) string { return string(figure.AppendTenths(nil, t)) }
