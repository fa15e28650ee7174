package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots/figure"
)

// numbers are the values of an attribute of the elements of a class.
func numbers(t rapid.TB, drawn, class, attribute string) []float64 {
	var list []float64
	for _, m := range regexp.MustCompile(`class="`+class+`"[^>]* `+attribute+`="([0-9.-]+)"`).FindAllStringSubmatch(drawn, -1) {
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// wellFormed says whether a drawing is XML without a script or a style.
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
		adverts, below := figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "adverts")), figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "below"))
		drawn := string(Pairing(adverts, &below))
		wellFormed(t, drawn)
		area := numbers(t, drawn, "part", "width")[0] * numbers(t, drawn, "part", "height")[0] / (44 * 44) * 100
		if want := float64(figure.ScoreHundredths(adverts, below)) / 100; area < want-.5 || area > want+.5 {
			t.Fatalf("the area is %v, the score %v", area, want)
		}
	})
}

// What is not published is not drawn.
func TestNothingIsDrawnForNoFigure(t *testing.T) {
	share := figure.Tenths(500)
	for name, drawn := range map[string]string{
		"pairing": string(Pairing(share, nil)), "dumbbell": string(Dumbbell(nil, nil)), "bar": string(Bar(nil, 10, false)),
	} {
		wellFormed(t, drawn)
		for _, class := range []string{`"part"`, `"dot"`, `"ring"`, `"more"`, `"less"`} {
			if strings.Contains(drawn, "class="+class) {
				t.Errorf("%s draws %s for no figure", name, class)
			}
		}
	}
	if drawn := string(Dumbbell(&share, nil)); strings.Contains(drawn, "span") || strings.Contains(drawn, "ring") || !strings.Contains(drawn, "dot") {
		t.Errorf("a dumbbell with one end: %s", drawn)
	}
}

// The dots of a dumbbell stand in the order of their shares, and colour tells which
// is larger.
func TestDumbbell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hired, turned := figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "hired")), figure.Tenths(rapid.IntRange(0, 1000).Draw(t, "turned"))
		drawn := string(Dumbbell(&hired, &turned))
		wellFormed(t, drawn)
		dot, ring := numbers(t, drawn, "dot", "cx")[0], numbers(t, drawn, "ring", "cx")[0]
		if hired-turned > 5 && dot <= ring || turned-hired > 5 && dot >= ring || strings.Contains(drawn, `span less`) != (hired < turned) {
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
				points[i].Value = &v
				values++
			}
		}
		drawn := string(Line(`by "month"`, points))
		wellFormed(t, drawn)
		y := numbers(t, drawn, "dot", "cy")
		if len(y) != values {
			t.Fatalf("%d points for %d values", len(y), values)
		}
		for _, v := range y {
			if v < 0 || v > 250 {
				t.Fatalf("a point at %v", v)
			}
		}
		path := regexp.MustCompile(`class="trace" d="([^"]*)"`).FindStringSubmatch(drawn)[1]
		if n := strings.Count(path, "M") + strings.Count(path, "L"); n != values {
			t.Fatalf("the line has %d corners for %d values", n, values)
		}
	})
}
