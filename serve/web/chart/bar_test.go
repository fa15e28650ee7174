package chart

import (
	"slices"
	"testing"
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
