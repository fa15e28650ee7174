package chart

import (
	"testing"

	"labour/snapshots/figure"
)

// The scale runs to 40 per cent, which is 194 pixels: the point of 10 per cent stands at 167.5, its
// interval from 8 to 12 per cent goes from 177.2 to 157.8.
func TestLinesAndBandsHaveGaps(t *testing.T) {
	point := func(label string, value, margin figure.Tenths) Point {
		return Point{Label: label, Value: &value, Margin: margin}
	}
	trend := LineChart{
		Points: []Point{point("a", 100, 20), point("b", 200, 40), point("c", 300, 20), point("d", 200, 0), {Label: "e"},
			point("f", 100, 20)},
		Comparison: []Point{point("a", 200, 0), {Label: "b"}, point("c", 400, 0), point("z", 100, 0)}}
	drawn(t, "a line with gaps", trend.Draw(oneDecimal),
		`<path class="band" d="M78 157.8L199.2 99.6L320.4 60.8L441.6 119L441.6 119L320.4 80.2L199.2 138.4L78 177.2Z"/>`+
			`<path class="band" d="M680 157.8L688 157.8L688 177.2L680 177.2Z"/>`+
			`<path class="behind" d="M78 119M320.4 22"/>`+
			`<path class="trace" d="M78 167.5L199.2 119L320.4 70.5L441.6 119M684 167.5"/>`)
	trend = LineChart{Points: trend.Points[:2]}
	drawn(t, "two points", trend.Draw(oneDecimal), `d="M78 157.8L684 99.6L684 138.4L78 177.2Z"`, `d="M78 167.5L684 119"`)
}
