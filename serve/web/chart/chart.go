// Package chart draws charts and maps of published figures as SVG. A drawing has no script or style
// of its own; its colours come from CSS classes. A figure that is not published is never drawn as
// zero.
package chart

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"labour/snapshots/figure"
)

// drawing collects the text of the elements of an SVG image.
type drawing struct{ strings.Builder }

// begin starts an SVG image with a width and a height in pixels. class is its CSS class. Screen
// readers read label aloud. If label is empty, they skip the image, because the page prints the
// same figures as text.
func begin(class, label string, width, height int) *drawing {
	d := &drawing{}
	d.part(`<svg class="chart %s" viewBox="0 0 %d %d" width="%d" height="%d"`, class, width, height, width, height)
	if label == "" {
		d.part(` aria-hidden="true">`)
	} else {
		d.part(` role="img" aria-label="%s">`, html.EscapeString(label))
	}
	return d
}

// part appends text to an SVG image. It formats the text as fmt.Sprintf does. The caller must
// escape texts in the arguments for HTML.
func (d *drawing) part(format string, arguments ...any) { fmt.Fprintf(d, format, arguments...) }

func (d *drawing) text(class string, x, y float64, words string) {
	d.part(`<text class="%s" x="%s" y="%s">%s</text>`, class, number(x), number(y), html.EscapeString(words))
}

func (d *drawing) end() template.HTML {
	d.part(`</svg>`)
	return template.HTML(d.String())
}

// number formats an SVG coordinate with at most one decimal place.
func number(v float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}

func share(t figure.Tenths) float64 { return float64(t) / 1000 }

// DrawScoreRectangle draws the ranking score of a skill as a rectangle in a square. The width is
// advertsShare, the share of adverts that require the skill. The height is belowShare, the share of
// residents below the required level. If belowShare is nil, only the width is drawn.
func DrawScoreRectangle(advertsShare figure.Tenths, belowShare *figure.Tenths) template.HTML {
	const side = 44
	d := begin("pairing", "", side, side)
	d.part(`<rect class="whole" x=".5" y=".5" width="%d" height="%d"/>`, side-1, side-1)
	w := share(advertsShare) * side
	if belowShare != nil {
		h := share(*belowShare) * side
		d.part(`<rect class="part" x="0" y="%s" width="%s" height="%s"/>`, number(side-h), number(w), number(h))
	} else {
		d.part(`<path class="edge" d="M0 %s h%s"/>`, number(side-1), number(w))
	}
	return d.end()
}

// DrawLargeScoreRectangle draws the ranking score of a skill as DrawScoreRectangle does, but
// larger. adverts is the width and below the height, and their names are printed at the sides.
// label describes the drawing for screen readers.
func DrawLargeScoreRectangle(label string, adverts figure.Tenths, below *figure.Tenths) template.HTML {
	const side, left, top = 240, 34, 10
	d := begin("pairing large", label, side+left+10, side+top+44)
	d.part(`<rect class="whole" x="%d" y="%d" width="%d" height="%d"/>`, left, top, side, side)
	w := share(adverts) * side
	if below != nil {
		h := share(*below) * side
		d.part(`<rect class="part" x="%d" y="%s" width="%s" height="%s"/>`, left, number(top+side-h), number(w),
			number(h))
		d.part(`<path class="edge people" d="M%d %s V%d"/>`, left-6, number(top+side-h), top+side)
	}
	d.part(`<path class="edge" d="M%d %d h%s"/>`, left, top+side+6, number(w))
	d.text("axis", left, top+side+26, "adverts that ask for it")
	d.part(`<text class="axis" transform="translate(%d %d) rotate(-90)">residents without it</text>`, left-14, top+side)
	return d.end()
}

// DrawDumbbell draws two shares on a line from 0 to scaleMax. The share hired is a dot, and the
// share turnedDown is a ring. In a comparison of two places, the dot is for the place of the page
// and the ring for the other place. A nil share is not drawn.
func DrawDumbbell(hired, turnedDown *figure.Tenths, scaleMax figure.Tenths) template.HTML {
	const width, height, pad = 112, 24, 7
	d := begin("dumbbell", "", width, height)
	x := func(t figure.Tenths) float64 { return pad + float64(t)/float64(max(scaleMax, 1))*(width-2*pad) }
	d.part(`<path class="scale" d="M%d 12 H%d M%d 8 v8 M%d 8 v8 M%d 9 v6"/>`, pad, width-pad, pad, width-pad, width/2)
	if hired != nil && turnedDown != nil {
		class := "more"
		if *hired < *turnedDown {
			class = "less"
		}
		d.part(`<path class="span %s" d="M%s 12 H%s"/>`, class, number(x(*turnedDown)), number(x(*hired)))
	}
	if turnedDown != nil {
		d.part(`<circle class="ring" cx="%s" cy="12" r="4.5"/>`, number(x(*turnedDown)))
	}
	if hired != nil {
		d.part(`<circle class="dot" cx="%s" cy="12" r="5"/>`, number(x(*hired)))
	}
	return d.end()
}

// DrawBar draws a value as a bar on a scale from 0 to scaleMax. If isTwoSided is true, the scale
// begins at -scaleMax and 0 is in its middle. For a nil value, only the scale is drawn.
func DrawBar(value *int64, scaleMax int64, isTwoSided bool) template.HTML {
	const width, height = 120, 14
	d := begin("bar", "", width, height)
	zero, room := 0.0, float64(width)
	if isTwoSided {
		zero, room = width/2, width/2
	}
	d.part(`<path class="scale" d="M%s 0 V%d"/>`, number(zero+.5), height)
	if value == nil || scaleMax <= 0 {
		return d.end()
	}
	length := float64(max(*value, -*value)) / float64(scaleMax) * room
	class, x := "more", zero
	if *value < 0 {
		class, x = "less", zero-length
	}
	d.part(`<rect class="%s" x="%s" y="2" width="%s" height="%d"/>`, class, number(x), number(max(length, 1)), height-4)
	return d.end()
}

// Column is one column of the chart that DrawColumns draws.
type Column struct {
	Label string // text below the column; empty = none
	Value int64  // value that the column shows, at least 0
}

// DrawColumns draws a column chart of counts. label describes the chart for screen readers. The
// scale ends at a round number that is not below the largest count. words formats a count as text.
func DrawColumns(label string, columns []Column, words func(int64) string) template.HTML {
	const width, height, left, right, top, bottom = 560, 210, 64, 4, 14, 30
	d := begin("columns-of-calls", label, width, height)
	var largest int64
	for _, c := range columns {
		largest = max(largest, c.Value)
	}
	most := roundAbove(largest)
	y := func(v int64) float64 { return top + (1-float64(v)/float64(most))*(height-top-bottom) }
	for _, grid := range []int64{0, most / 2, most} {
		d.part(`<path class="scale" d="M%d %s H%d"/>`, left, number(y(grid)), width-right)
		d.text("axis end", left-8, y(grid)+4, words(grid))
	}
	step := float64(width-left-right) / float64(max(len(columns), 1))
	for i, c := range columns {
		x := left + float64(i)*step
		if c.Value > 0 {
			tall := max(y(0)-y(c.Value), 1.5)
			d.part(`<rect class="part" x="%s" y="%s" width="%s" height="%s"/>`, number(x+step*.15), number(y(0)-tall),
				number(step*.7), number(tall))
		}
		if c.Label != "" {
			d.text("axis middle", x+step/2, height-10, c.Label)
		}
	}
	return d.end()
}

// roundAbove returns the end of a scale for values up to n. It is the smallest of the numbers 2, 4,
// 10, 20, 40, 100 and so on that is at least n.
func roundAbove(n int64) int64 {
	for power := int64(1); power <= 1e17; power *= 10 {
		for _, end := range []int64{2, 4, 10} {
			if n <= end*power {
				return end * power
			}
		}
	}
	return n
}
