package chart

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"labour/snapshots/figure"
)

// The scale of a column chart ends at 2, 4 or 10 times a power of ten, at or above the largest count.
func TestTheScaleOfColumnsEndsAtARoundNumber(t *testing.T) {
	for n, want := range map[int64]int64{0: 2, 2: 2, 3: 4, 4: 4, 5: 10, 10: 10, 11: 20, 21: 40, 41: 100, 100: 100,
		101: 200, 1e18: 1e18, 1e18 + 1: 1e18 + 1} {
		if got := roundAbove(n); got != want {
			t.Errorf("the scale for %d ends at %d, expected %d", n, got, want)
		}
	}
}

// Each count has a column as tall as its part of the scale, and a count of 0 has none.
func TestAColumnIsAsTallAsItsCount(t *testing.T) {
	var grid []int64
	drawn := string(DrawColumns("calls", []Column{{"Mon", 0}, {"", 20}, {"Wed", 30}}, func(n int64) string {
		grid = append(grid, n)
		return strconv.FormatInt(n, 10)
	}))
	wellFormed(t, drawn)
	if want := []int64{0, 20, 40}; !slices.Equal(grid, want) {
		t.Errorf("the scale names %v, expected %v", grid, want)
	}
	for attribute, want := range map[string][]float64{"x": {252.6, 416.6}, "y": {97, 55.5},
		"width": {114.8, 114.8}, "height": {83, 124.5}} {
		if got := numbers(t, drawn, "part", attribute); !slices.Equal(got, want) {
			t.Errorf("%s of the columns is %v, expected %v", attribute, got, want)
		}
	}
	if !strings.Contains(drawn, ">Mon<") || !strings.Contains(drawn, ">Wed<") {
		t.Errorf("a label is missing in %s", drawn)
	}
	small := string(DrawColumns("calls", []Column{{"", 1}, {"", 1000}}, func(int64) string { return "" }))
	if got := numbers(t, small, "part", "height"); !slices.Equal(got, []float64{1.5, 166}) {
		t.Errorf("the heights are %v, expected at least 1.5 for any count above 0", got)
	}
}

// The large rectangle is as wide as the share of adverts and as high as the share of residents, and
// its sides are marked.
func TestTheLargeRectangleHasTheSidesOfTheScore(t *testing.T) {
	below := figure.Tenths(500)
	drawn := string(DrawLargeScoreRectangle("pairing", 250, &below))
	wellFormed(t, drawn)
	for attribute, want := range map[string]float64{"x": 34, "y": 130, "width": 60, "height": 120} {
		if got := numbers(t, drawn, "part", attribute); !slices.Equal(got, []float64{want}) {
			t.Errorf("%s of the rectangle is %v, expected %v", attribute, got, want)
		}
	}
	for _, want := range []string{`class="edge people" d="M28 130 V250"`, `class="edge" d="M34 256 h60"`} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%s is missing in %s", want, drawn)
		}
	}
	if drawn = string(DrawLargeScoreRectangle("pairing", 250, nil)); strings.Contains(drawn, `class="part"`) {
		t.Errorf("a rectangle is drawn without a share of residents: %s", drawn)
	}
}

// A line that reaches 0 or 100 per cent says so.
func TestALineKnowsWhetherItReachesAnEnd(t *testing.T) {
	for value, want := range map[figure.Tenths]bool{0: true, 1: false, 999: false, 1000: true} {
		if got := (LineChart{Points: []Point{{}, {Value: &value}}}).HasZeroOrHundred(); got != want {
			t.Errorf("a line with %d tenths: %v, expected %v", value, got, want)
		}
	}
	if (LineChart{Points: []Point{{}}}).HasZeroOrHundred() {
		t.Error("a line without a value reaches an end")
	}
}
