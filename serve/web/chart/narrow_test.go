package chart

import (
	"html"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"labour/snapshots/figure"
)

var textPattern = regexp.MustCompile(`<text class="axis (middle|end)" x="([0-9.]+)"[^>]*>([^<]*)</text>`)

// On a phone no label of a period lies over the next one, and none is cut off at an edge, for every
// number of quarters.
func TestNarrowLabelsFit(t *testing.T) {
	const letter = 6.8 // pixels of a letter on average
	all := figure.Tenths(1000)
	for points := 2; points <= 9; points++ {
		trend := LineChart{}
		for range points {
			trend.Points = append(trend.Points, Point{Label: "Oct–Dec 25", Value: &all})
		}
		drawn := string(trend.DrawNarrow(oneDecimal))
		wellFormed(t, drawn)
		end := 0.0 // of the label before
		for _, m := range textPattern.FindAllStringSubmatch(drawn, -1) {
			x, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			width := letter * float64(utf8.RuneCountInString(html.UnescapeString(m[3])))
			if m[1] == "end" {
				if x < width {
					t.Errorf("%q begins at %v", m[3], x-width)
				}
				continue
			}
			if x-width/2 < end || x+width/2 > float64(narrowSheet.width) {
				t.Errorf("of %d quarters, one is labelled from %v to %v, the one before up to %v", points, x-width/2,
					x+width/2, end)
			}
			end = x + width/2
		}
		if end == 0 {
			t.Errorf("of %d quarters none is labelled", points)
		}
	}
}
