package chart

import (
	"math"
	"strings"
	"testing"

	"labour/snapshots/figure"
)

// The band of a share of none or of all is as wide as the largest share that as many adverts miss in 5 of
// 100 cases, about 3 divided by their number, and never leaves 0 to 100 per cent.
func TestBandOfNoneAndOfAll(t *testing.T) {
	for _, base := range figure.BaseBands {
		none, all := figure.Tenths(0), figure.Tenths(1000)
		zero, full := Point{Value: &none, Base: base}, Point{Value: &all, Base: base}
		bound := float64(zero.high()) / 1000
		if missed := math.Pow(1-bound, float64(base.LowerEnd)); math.Abs(missed-.05) > .02 {
			t.Errorf("%s: a share of %v is missed in %v of cases", base.Band, bound, missed)
		}
		if zero.low() != 0 || full.high() != 1000 || full.low() != 1000-zero.high() {
			t.Errorf("%s: the bands are %d to %d and %d to %d", base.Band, zero.low(), zero.high(), full.low(), full.high())
		}
		some, wide := figure.Tenths(500), Point{Value: &all, Base: base, Margin: 900}
		if p := (Point{Value: &some, Base: base, Margin: 610}); p.low() != 0 || p.high() != 1000 || wide.low() != 100 {
			t.Errorf("%s: a wide margin is drawn from %d to %d, and of all from %d", base.Band, p.low(), p.high(), wide.low())
		}
	}
	none := figure.Tenths(0)
	if p := (Point{Value: &none, Base: figure.BaseOf(44)}); p.high() != 139 { // 1 − 0.05^(1/20)
		t.Errorf("the band of none of 44 adverts ends at %d", p.high())
	}
	if p := (Point{Value: &none, Base: figure.Base{LowerEnd: 1}}); p.high() != 950 || !p.hasSmallBase() { // 1 − 0.05
		t.Errorf("the band of none of one advert ends at %d", p.high())
	}
	if p := (Point{Value: &none}); p.high() != 0 || p.hasSmallBase() {
		t.Errorf("the band of none of an unknown number of adverts ends at %d", p.high())
	}
}

// A value of a handful of adverts is a square, hollow in the period that is not over.
func TestHandfulsAreSquares(t *testing.T) {
	v := figure.Tenths(400)
	few, many := figure.BaseOf(19), figure.BaseOf(20)
	line := LineChart{Points: []Point{{Label: "a", Value: &v, Base: few}, {Label: "b", Value: &v, Base: many},
		{Label: "c", Value: &v, Base: few}}, UnfinishedPeriod: "to 3 May"}
	drawn := string(line.Draw(oneDecimal))
	wellFormed(t, drawn)
	for _, mark := range []string{`<rect class="dot few"`, `<rect class="ring few"`, `<circle class="dot"`} {
		if n := strings.Count(drawn, mark); n != 1 {
			t.Errorf("%d of %s in %s", n, mark, drawn)
		}
	}
	if line.Points = line.Points[1:2]; !(LineChart{Points: []Point{{Value: &v, Base: few}}}).HasSmallSamples() ||
		line.HasSmallSamples() {
		t.Error("Few is not whether a value is of a handful")
	}
}
