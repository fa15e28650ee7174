// Package chart draws the figures of the pages as SVG. Every drawing takes its
// colours from classes of the stylesheet, holds no script and no style of its own,
// and shows printed figures only: for one that is not published, it draws nothing that
// could be taken for a zero.
package chart

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"labour/snapshots/figure"
)

// drawing gathers the parts of an SVG.
type drawing struct{ strings.Builder }

// begin opens a drawing of that size. With a label it is an image that is read
// out; without one its numbers are printed next to it and screen readers skip it.
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

// part appends; text among the arguments must be escaped.
func (d *drawing) part(format string, arguments ...any) { fmt.Fprintf(d, format, arguments...) }

func (d *drawing) text(class string, x, y float64, words string) {
	d.part(`<text class="%s" x="%s" y="%s">%s</text>`, class, number(x), number(y), html.EscapeString(words))
}

func (d *drawing) end() template.HTML {
	d.part(`</svg>`)
	return template.HTML(d.String())
}

// number writes a coordinate with at most one decimal.
func number(v float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}

func share(t figure.Tenths) float64 { return float64(t) / 1000 }

// Pairing draws a score as a rectangle: of the square of all pairings of an
// advert and a person, the share of adverts across and the share of people below
// upwards. Without the share of people only the adverts' edge is drawn.
func Pairing(adverts figure.Tenths, below *figure.Tenths) template.HTML {
	const side = 44
	d := begin("pairing", "", side, side)
	d.part(`<rect class="whole" x=".5" y=".5" width="%d" height="%d"/>`, side-1, side-1)
	w := share(adverts) * side
	if below != nil {
		h := share(*below) * side
		d.part(`<rect class="part" x="0" y="%s" width="%s" height="%s"/>`, number(side-h), number(w), number(h))
	} else {
		d.part(`<path class="edge" d="M0 %s h%s"/>`, number(side-1), number(w))
	}
	return d.end()
}

// PairingLarge is Pairing with labelled sides.
func PairingLarge(label string, adverts figure.Tenths, below *figure.Tenths) template.HTML {
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

// Dumbbell draws two shares on one line that ends at most: a ring for the turned down or
// for another place, a dot for the hired or for here. A share that is not published is not
// drawn, and without both there is only the line.
func Dumbbell(hired, turnedDown *figure.Tenths, most figure.Tenths) template.HTML {
	const width, height, pad = 112, 24, 7
	d := begin("dumbbell", "", width, height)
	x := func(t figure.Tenths) float64 { return pad + float64(t)/float64(max(most, 1))*(width-2*pad) }
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

// Bar draws a bar of value on a scale that ends at most, the largest of all bars; a negative one goes left of
// the middle when both is set. It draws nothing for an unknown value.
func Bar(value *int64, most int64, both bool) template.HTML {
	const width, height = 120, 14
	d := begin("bar", "", width, height)
	zero, room := 0.0, float64(width)
	if both {
		zero, room = width/2, width/2
	}
	d.part(`<path class="scale" d="M%s 0 V%d"/>`, number(zero+.5), height)
	if value == nil || most <= 0 {
		return d.end()
	}
	length := float64(max(*value, -*value)) / float64(most) * room
	class, x := "more", zero
	if *value < 0 {
		class, x = "less", zero-length
	}
	d.part(`<rect class="%s" x="%s" y="2" width="%s" height="%d"/>`, class, number(x), number(max(length, 1)), height-4)
	return d.end()
}

// Column is one value of Columns.
type Column struct {
	Label string // below it; empty = none
	Value int64  // at least 0
}

// Columns draws counts side by side on a scale from 0 to a round number above the
// largest. words writes a count.
func Columns(label string, columns []Column, words func(int64) string) template.HTML {
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

// roundAbove returns the next of 2, 4, 10, 20, 40, 100 and so on that is not below n.
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

// Area is one area of a map.
type Area struct {
	Place string // slug
	Name  string
	Shape orb.MultiPolygon // longitude and latitude in degrees
	Class string           // of its colour: c1 (least) to c5 (most), or one of those below
	Said  string           // its printed figure, or the reason why there is none
	Token string           // its figure as the API prints it; empty when it has none
	Here  bool             // the area that the page is about
}

// The classes of an area whose figure is not on the scale. Those without a number have a pattern
// and not only a colour, so that nobody takes them for a part of the scale.
const (
	Small = "small" // "<5"
	None  = "none"  // not published
	// Unclear is plain grey: a figure that may differ from the others by chance.
	Unclear = "unclear"
)

// mapSide is the longer side of a map in tenths of a pixel: whole numbers make short
// paths, and equal rounding leaves no gaps between neighbours.
const mapSide = 6000

// Map draws areas in a projection that shrinks degrees of longitude as in the middle
// of the map. It is an image that is read out by its label; a table
// next to it has the same figures. field is the name of the figure.
func Map(label, field string, areas []Area) template.HTML {
	p := projectionOf(areas)
	d := &drawing{}
	d.part(`<svg class="chart map" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`,
		p.width, p.height, p.width/10, p.height/10, html.EscapeString(label))
	d.part(`%s`, patterns)
	// The area that the page is about goes last, so that its border is whole.
	for _, here := range []bool{false, true} {
		for _, a := range areas {
			if a.Here == here {
				d.area(p, field, a)
			}
		}
	}
	return d.end()
}

// patterns fill the areas without a number. Their lines have the classes of
// the stylesheet.
const patterns = `<defs><pattern id="none" width="80" height="80" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 80 80 0M-20 20 20-20M60 100 100 60"/></pattern>` +
	`<pattern id="small" width="70" height="70" patternUnits="userSpaceOnUse"><circle class="spot" cx="35" cy="35" r="16"/></pattern></defs>`

// Key returns the sample of a class, to print next to its meaning. It works only on a page
// with a map, which has the patterns.
func Key(class string) template.HTML {
	d := &drawing{}
	d.part(`<svg class="chart map key" viewBox="0 0 280 180" width="28" height="18" aria-hidden="true"><rect class="%s" width="280" height="180"%s/>`, html.EscapeString(class), fill(class))
	return d.end()
}

// fill returns the attribute that fills an area with its pattern.
func fill(class string) string {
	if class == None || class == Small {
		return ` fill="url(#` + class + `)"`
	}
	return ""
}

func (d *drawing) area(p projection, field string, a Area) {
	class := a.Class
	if a.Here {
		class += " here"
	}
	d.part(`<path class="%s" data-row="%s"%s d="`, class, html.EscapeString(a.Place), fill(a.Class))
	for _, polygon := range a.Shape {
		for _, ring := range polygon {
			d.ring(p, ring)
		}
	}
	mark := ""
	if a.Token != "" {
		mark = ` data-f="` + html.EscapeString(field) + `" data-v="` + html.EscapeString(a.Token) + `"`
	}
	d.part(`"><title%s>%s</title></path>`, mark, html.EscapeString(a.Name+": "+a.Said))
}

// ring appends a closed line to a path. Points that coincide are merged. A ring is not
// drawn if fewer than three points are left.
func (d *drawing) ring(p projection, ring orb.Ring) {
	var line []string
	startX, startY := p.at(ring[0])
	x, y := startX, startY
	for _, point := range ring[1 : len(ring)-1] {
		nextX, nextY := p.at(point)
		if nextX == x && nextY == y {
			continue
		}
		line = append(line, strconv.Itoa(nextX-x)+" "+strconv.Itoa(nextY-y))
		x, y = nextX, nextY
	}
	if len(line) > 1 {
		d.part("M%d %dl%sz", startX, startY, strings.Join(line, " "))
	}
}

// projection converts degrees to coordinates of the drawing.
type projection struct {
	west, north   float64
	shrink, scale float64
	width, height int
}

func projectionOf(areas []Area) projection {
	var all orb.Collection
	for _, a := range areas {
		all = append(all, a.Shape)
	}
	b := all.Bound()
	p := projection{west: b.Min.Lon(), north: b.Max.Lat(),
		shrink: math.Cos((b.Min.Lat() + b.Max.Lat()) / 2 * math.Pi / 180)}
	wide, high := (b.Max.Lon()-b.Min.Lon())*p.shrink, b.Max.Lat()-b.Min.Lat()
	const margin = 20 // so that the outer borders are not cut
	p.scale = (mapSide - 2*margin) / max(wide, high, 1e-9)
	p.width, p.height = int(math.Ceil(wide*p.scale))+2*margin, int(math.Ceil(high*p.scale))+2*margin
	p.west -= margin / p.scale / p.shrink
	p.north += margin / p.scale
	return p
}

func (p projection) at(point orb.Point) (x, y int) {
	return int(math.Round((point.Lon() - p.west) * p.shrink * p.scale)),
		int(math.Round((p.north - point.Lat()) * p.scale))
}

// Drawn reports whether a map of the areas is worth drawing: it has at least two of them.
func Drawn(areas []Area) bool {
	return len(areas) > 1 && slices.ContainsFunc(areas, func(a Area) bool { return a.Class != None })
}
