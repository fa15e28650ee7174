package chart

import (
	"slices"
	"strings"
	"testing"

	"labour/snapshots/figure"
)

// A bar of a scale with negative values starts in the middle and has half of the room.
func TestABarOfBothSignsStartsInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		value    int64
		both     bool
		class    string
		x, width float64
	}{
		{50, false, "more", 0, 60}, {100, true, "more", 60, 60}, {50, true, "more", 60, 30},
		{-50, true, "less", 30, 30}, {-100, true, "less", 0, 60}, {0, true, "more", 60, 1},
	} {
		drawn := string(DrawBar(&c.value, 100, c.both))
		x, width := numbers(t, drawn, c.class, "x"), numbers(t, drawn, c.class, "width")
		if !slices.Equal(x, []float64{c.x}) || !slices.Equal(width, []float64{c.width}) {
			t.Errorf("the bar of %d (both %v) is at %v, wide %v; expected %v and %v", c.value, c.both, x, width,
				c.x, c.width)
		}
	}
}

// The sides of the large rectangle are marked by their lengths.
func TestTheSidesOfTheLargeRectangleAreMarked(t *testing.T) {
	below := figure.Tenths(500)
	drawn := string(DrawLargeScoreRectangle("pairing", 250, &below))
	for _, want := range []string{`class="edge people" d="M28 130 V250"`, `class="edge" d="M34 256 h60"`} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%s is missing in %s", want, drawn)
		}
	}
}
