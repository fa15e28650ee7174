package chart

import (
	"html/template"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"labour/snapshots/figure"
)

func tenths(v figure.Tenths) *figure.Tenths { return &v }

func count(v int64) *int64 { return &v }

// drawn checks that a drawing is well formed and has each of some elements.
func drawn(t *testing.T, name string, drawing template.HTML, elements ...string) {
	t.Helper()
	wellFormed(t, string(drawing))
	for _, e := range elements {
		if !strings.Contains(string(drawing), e) {
			t.Errorf("%s: want %s in %s", name, e, drawing)
		}
	}
}

// absent checks that a drawing has none of some elements.
func absent(t *testing.T, name string, drawing template.HTML, elements ...string) {
	t.Helper()
	for _, e := range elements {
		if strings.Contains(string(drawing), e) {
			t.Errorf("%s: want no %s in %s", name, e, drawing)
		}
	}
}

// A rectangle stands on the lower side of its square. Without a height only its width is drawn.
func TestRectanglesStandInTheirSquares(t *testing.T) {
	drawn(t, "a score", DrawScoreRectangle(500, tenths(250)), `width="44" height="44" aria-hidden="true">`,
		`<rect class="whole" x=".5" y=".5" width="43" height="43"/>`,
		`<rect class="part" x="0" y="33" width="22" height="11"/>`)
	drawn(t, "no height", DrawScoreRectangle(500, nil), `<path class="edge" d="M0 43 h22"/>`)
	large := DrawLargeScoreRectangle(`a "score"`, 500, tenths(250))
	drawn(t, "a large score", large, `viewBox="0 0 284 294" width="284" height="294" role="img"`,
		`aria-label="a &#34;score&#34;"`, `<rect class="whole" x="34" y="10" width="240" height="240"/>`,
		`<rect class="part" x="34" y="190" width="120" height="60"/>`,
		`<path class="edge people" d="M28 190 V250"/>`, `<path class="edge" d="M34 256 h120"/>`,
		`<text class="axis" x="34" y="276">adverts that ask for it</text>`,
		`transform="translate(20 250) rotate(-90)">residents without it</text>`)
	none := DrawLargeScoreRectangle("a", 500, nil)
	drawn(t, "a large one without a height", none, `<path class="edge" d="M34 256 h120"/>`)
	absent(t, "a large one without a height", none, `class="part"`, `edge people`)
}

// The scale of a dumbbell runs from 0 on the left to the largest share on the right.
func TestADumbbellIsToScale(t *testing.T) {
	drawn(t, "both ends", DrawDumbbell(tenths(200), tenths(0), 200),
		`<path class="scale" d="M7 12 H105 M7 8 v8 M105 8 v8 M56 9 v6"/>`,
		`<path class="span more" d="M7 12 H105"/>`, `<circle class="ring" cx="7" cy="12" r="4.5"/>`,
		`<circle class="dot" cx="105" cy="12" r="5"/>`)
	drawn(t, "equal shares", DrawDumbbell(tenths(100), tenths(100), 200), `<path class="span more" d="M56 12 H56"/>`)
	drawn(t, "less", DrawDumbbell(tenths(50), tenths(100), 200), `<path class="span less" d="M56 12 H31.5"/>`)
	drawn(t, "a scale without a length", DrawDumbbell(tenths(0), nil, 0), `<circle class="dot" cx="7" cy="12" r="5"/>`)
	one := DrawDumbbell(nil, tenths(100), 200)
	drawn(t, "one turned down", one, `<circle class="ring" cx="56" cy="12" r="4.5"/>`)
	absent(t, "one turned down", one, `class="dot"`, `class="span`)
}

// A bar begins at zero, which is the middle of a scale with negative values. It is never invisible.
func TestABarBeginsAtZero(t *testing.T) {
	for _, c := range []struct {
		name  string
		value *int64
		most  int64
		both  bool
		want  []string
	}{
		{"half", count(50), 100, false, []string{`<path class="scale" d="M0.5 0 V14"/>`,
			`<rect class="more" x="0" y="2" width="60" height="10"/>`}},
		{"half, with negative values", count(50), 100, true, []string{`<path class="scale" d="M60.5 0 V14"/>`,
			`<rect class="more" x="60" y="2" width="30" height="10"/>`}},
		{"less than zero", count(-50), 100, true, []string{`<rect class="less" x="30" y="2" width="30" height="10"/>`}},
		{"zero", count(0), 100, true, []string{`<rect class="more" x="60" y="2" width="1" height="10"/>`}},
		{"a scale to 1", count(1), 1, false, []string{`<rect class="more" x="0" y="2" width="120" height="10"/>`}},
	} {
		drawn(t, c.name, DrawBar(c.value, c.most, c.both), c.want...)
	}
	for name, bar := range map[string]template.HTML{
		"no value": DrawBar(nil, 100, false), "no scale": DrawBar(count(5), 0, false),
	} {
		drawn(t, name, bar, `<path class="scale"`)
		absent(t, name, bar, `<rect`)
	}
}

// Columns begin at the axis, which has a scale of three lines. A count of zero has no column.
func TestColumnsAreToScale(t *testing.T) {
	words := func(n int64) string { return "<" + strconv.FormatInt(n, 10) }
	drawing := DrawColumns("calls", []Column{{"1 <Nov", 5}, {"", 7}, {"3 Nov", 0}, {"4 Nov", 1}}, words)
	drawn(t, "columns", drawing, `width="560" height="210" role="img" aria-label="calls"`,
		`<path class="scale" d="M64 180 H556"/><text class="axis end" x="56" y="184">&lt;0</text>`,
		`<path class="scale" d="M64 97 H556"/><text class="axis end" x="56" y="101">&lt;5</text>`,
		`<path class="scale" d="M64 14 H556"/><text class="axis end" x="56" y="18">&lt;10</text>`,
		`<rect class="part" x="82.5" y="97" width="86.1" height="83"/>`,
		`y="63.8" width="86.1" height="116.2"/>`,
		`<text class="axis middle" x="125.5" y="200">1 &lt;Nov</text>`,
		`<text class="axis middle" x="371.5" y="200">3 Nov</text>`,
		`<rect class="part" x="451.4" y="163.4" width="86.1" height="16.6"/>`)
	if got := strings.Count(string(drawing), `class="part"`); got != 3 {
		t.Errorf("%d columns, want 3: a count of zero has none", got)
	}
	if got := strings.Count(string(drawing), `class="axis middle"`); got != 3 {
		t.Errorf("%d labels, want 3: an empty label is not printed", got)
	}
	drawn(t, "one call in a thousand", DrawColumns("calls", []Column{{"a", 1000}, {"b", 1}}, words), `height="1.5"/>`)
	drawn(t, "one column", DrawColumns("calls", []Column{{"a", 2}}, words),
		`<rect class="part" x="137.8" y="14" width="344.4" height="166"/>`)
	absent(t, "no columns", DrawColumns("calls", nil, words), `class="part"`, "NaN", "Inf")
}

func TestTheScaleEndsAtARoundNumber(t *testing.T) {
	for _, c := range [][2]int64{{0, 2}, {2, 2}, {3, 4}, {4, 4}, {5, 10}, {10, 10}, {11, 20}, {20, 20}, {21, 40},
		{41, 100}, {101, 200}, {999_999, 1_000_000}, {15e16, 2e17}, {1e18, 1e18}, {1e18 + 1, 1e18 + 1}} {
		if got := roundAbove(c[0]); got != c[1] {
			t.Errorf("the scale for %d ends at %d, want %d", c[0], got, c[1])
		}
	}
	for _, c := range [][3]figure.Tenths{{0, 0, 20}, {20, 0, 20}, {21, 0, 40}, {40, 0, 40}, {41, 0, 100}, {100, 0, 100},
		{101, 0, 200}, {201, 0, 400}, {401, 0, 600}, {601, 0, 800}, {800, 0, 800}, {801, 0, 1000}, {1000, 0, 1000},
		{390, 10, 400}, {390, 11, 600}} {
		points := []Point{{}, {Value: &c[0], Margin: c[1]}, {Value: tenths(0)}}
		if got := ceiling(points); got != c[2] {
			t.Errorf("the scale for %d with a margin of %d ends at %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// months returns points with the labels 0, 1, 2 and so on. The largest value is that of the third.
func months(n int) (points []Point) {
	for i := range n {
		points = append(points, Point{Label: strconv.Itoa(i), Value: tenths(100)})
	}
	points[2].Value = tenths(200)
	return points
}

// Up to 12 periods and values are all labelled on a wide screen, and 3 on a phone. Of more periods, those
// are labelled that are whole steps before the last. Of more values the first, the last and the largest.
func TestAsManyLabelsAsFit(t *testing.T) {
	for _, c := range []struct{ points, periods, values, narrowPeriods, narrowValues int }{
		{3, 3, 3, 3, 3}, {4, 4, 4, 2, 3}, {12, 12, 12, 3, 3}, {13, 7, 3, 3, 3}, {24, 12, 3, 3, 3}, {25, 9, 3, 3, 3},
	} {
		trend := LineChart{Points: months(c.points)}
		for name, d := range map[string]struct {
			drawing         template.HTML
			first           string
			periods, values int
		}{
			"wide":   {trend.Draw(oneDecimal), "78", c.periods, c.values},
			"narrow": {trend.DrawNarrow(oneDecimal), "82", c.narrowPeriods, c.narrowValues},
		} {
			drawn(t, name, d.drawing, `>`+strconv.Itoa(c.points-1)+`</text>`, `class="value middle" x="`+d.first+`"`)
			periods := strings.Count(string(d.drawing), `class="axis middle"`)
			values := strings.Count(string(d.drawing), `class="value middle"`)
			if periods != d.periods || values != d.values {
				t.Errorf("%d points, %s: %d periods and %d values, want %d and %d", c.points, name, periods, values,
					d.periods, d.values)
			}
		}
	}
}

// The line, its points and their labels stand at the places that the scale gives them.
func TestALineIsToScale(t *testing.T) {
	trend := LineChart{Label: "a line", UnfinishedPeriod: "22 Nov", Points: []Point{{Label: "Sep", Value: tenths(100)},
		{Label: "Oct", Value: tenths(400), Base: figure.Base{LowerEnd: 5}}, {Label: "Nov", Value: tenths(200)}}}
	drawn(t, "a line", trend.Draw(oneDecimal), `width="720" height="250" role="img" aria-label="a line"`,
		`<path class="scale" d="M46 216 H716"/><text class="axis end" x="38" y="220">0%</text>`,
		`<path class="scale" d="M46 119 H716"/><text class="axis end" x="38" y="123">20%</text>`,
		`<path class="scale" d="M46 22 H716"/><text class="axis end" x="38" y="26">40%</text>`,
		`<path class="trace" d="M78 167.5L381 22L684 119"/>`, `<circle class="dot" cx="78" cy="167.5" r="3.5"/>`,
		`<rect class="dot few" x="377.5" y="18.5" width="7" height="7"/>`,
		`<circle class="ring" cx="684" cy="119" r="3.5"/>`, `<text class="axis middle" x="78" y="240">Sep</text>`,
		`<text class="axis middle" x="684" y="240">22 Nov</text>`)
	drawn(t, "on a phone", trend.DrawNarrow(oneDecimal), `class="chart trend narrow" viewBox="0 0 350 220"`,
		`<path class="scale" d="M46 190 H348"/>`, `<path class="trace" d="M82 148L197 22L312 106"/>`)
	drawn(t, "a value above its point", trend.Draw(oneDecimal), `<text class="value middle" x="684" y="109">`)
}

// The description names small samples and values whose interval is not symmetric.
func TestALineTellsOfItsUncertainValues(t *testing.T) {
	few, many := figure.Base{LowerEnd: 5}, figure.Base{LowerEnd: 20}
	for _, c := range []struct {
		name           string
		point          Point
		small, extreme bool
	}{
		{"no value", Point{Base: few}, false, false},
		{"5-19 adverts", Point{Value: tenths(500), Base: few}, true, false},
		{"20-49 adverts", Point{Value: tenths(500), Base: many}, false, false},
		{"an unknown base", Point{Value: tenths(500)}, false, false},
		{"none", Point{Value: tenths(0), Base: many}, false, true},
		{"nearly none", Point{Value: tenths(1), Base: many}, false, false},
		{"nearly all", Point{Value: tenths(999), Base: many}, false, false},
		{"all", Point{Value: tenths(1000), Base: many}, false, true},
	} {
		trend := LineChart{Points: []Point{{}, c.point}}
		if trend.HasSmallSamples() != c.small || trend.HasZeroOrHundred() != c.extreme {
			t.Errorf("%s: small sample %v, none or all %v, want %v and %v", c.name, trend.HasSmallSamples(),
				trend.HasZeroOrHundred(), c.small, c.extreme)
		}
	}
}

// A file has its title, the drawing, the legend and the lines below each other.
func TestTheLinesOfAFileStandBelowEachOther(t *testing.T) {
	file := SVGFile{Title: "<A", Drawing: `<svg width="10" height="100"><svg id="inner"/></svg>`,
		Legend: []LegendLine{{`<svg class="a"></svg>`, "first"}, {`<svg class="b"></svg>`, "second"}},
		Lines:  []string{"one", strings.Repeat("a", 48) + " " + strings.Repeat("b", 47), strings.Repeat("c ", 49)}}
	drawn(t, "a file", template.HTML(file.SVG()), `viewBox="0 0 760 320" width="760" height="320"><title>&lt;A</title>`,
		`<text class="title" x="20" y="44">&lt;A</text>`, `<svg x="20" y="64" width="10" height="100"><svg id="inner"/>`,
		`<svg x="20" y="184" class="a">`, `<text class="line" x="60" y="197">first</text>`,
		`<svg x="20" y="206" class="b">`, `<text class="line" x="60" y="219">second</text>`,
		`<text class="line" x="20" y="246">one</text>`, `<text class="line" x="20" y="264">aaa`,
		`<text class="line" x="20" y="282">c c`, `<text class="line" x="20" y="300">c</text>`)
}

// The name of an area is drawn in its largest part.
func TestTheNameStandsInTheLargestPart(t *testing.T) {
	square := func(at, side float64) orb.Polygon {
		return orb.Polygon{{{at, at}, {at + side, at}, {at + side, at + side}, {at, at + side}, {at, at}}}
	}
	reversed := square(10, 3)
	reversed[0].Reverse()
	for _, shape := range []orb.MultiPolygon{{square(0, 1), reversed}, {reversed, square(0, 1)}} {
		if got := largestPart(Area{Shape: shape}).Bound().Min; got != (orb.Point{10, 10}) {
			t.Errorf("the largest part begins at %v, want 10, 10", got)
		}
	}
}
