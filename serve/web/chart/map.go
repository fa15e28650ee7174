package chart

import (
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// Area is an area of a map, such as a borough, with its figure.
type Area struct {
	Place string           // slug of the area
	Name  string           // name, read out with its figure
	Label string           // name printed on the map; empty = none
	End   bool             // whether its figure is one of the highest or the lowest; a small map labels only these
	Shape orb.MultiPolygon // longitude and latitude in degrees
	Class string           // class of its colour: c1 (least) to c5 (most), or one of the constants below
	Said  string           // printed figure, or the reason why there is none
	Token string           // figure as the API prints it; empty if there is none
	Here  bool             // whether the page is about the area
}

const (
	// ClassUnderFive is the class of an area whose figure is "<5".
	ClassUnderFive = "small"
	// ClassNoFigure is the class of an area without a published figure.
	ClassNoFigure = "none"
	// ClassUnclear is the class of an area whose figure may differ from others only by chance.
	ClassUnclear = "unclear"
)

// mapSide is the longer side of a map in tenths of a pixel. Whole numbers make short paths, and
// equal rounding leaves no gaps between neighbours.
const mapSide = 6000

// DrawMap draws a map of areas. label describes the map for screen readers. field is the API name of
// the figure. link is the address of the page of an area, with {place} for its slug; empty if areas
// have no pages.
func DrawMap(label, field, link string, areas []Area) template.HTML {
	p := projectionOf(areas)
	d := &drawing{}
	d.part(`<svg class="chart map" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s"`,
		p.width, p.height, p.width/10, p.height/10, html.EscapeString(label))
	if link != "" {
		d.part(` data-link="%s"`, html.EscapeString(link))
	}
	d.part(`>`)
	d.part(`%s`, patterns)
	// The area that the page is about is drawn last, so that its border is complete.
	for _, here := range []bool{false, true} {
		for _, a := range areas {
			if a.Here == here {
				d.area(p, field, a)
			}
		}
	}
	d.labels(p, areas)
	return d.end()
}

// patterns defines the SVG patterns that fill areas without a number.
const patterns = `<defs><pattern id="none" width="80" height="80" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 80 80 0M-20 20 20-20M60 100 100 60"/></pattern>` +
	`<pattern id="small" width="70" height="70" patternUnits="userSpaceOnUse"><circle class="spot" cx="35" cy="35" r="16"/></pattern></defs>`

// DrawLegendSample returns a small rectangle in the colour or pattern of a class, for a legend. A map
// must be on the same page, because it defines the patterns.
func DrawLegendSample(class string) template.HTML {
	d := &drawing{}
	d.part(`<svg class="chart map key" viewBox="0 0 280 180" width="28" height="18" aria-hidden="true"><rect class="%s" width="280" height="180"%s/>`, html.EscapeString(class), fill(class))
	return d.end()
}

// fill returns the SVG attribute that fills an area of a class with its pattern. It is empty for a
// class with a colour.
func fill(class string) string {
	if class == ClassNoFigure || class == ClassUnderFive {
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

// ring appends a closed line to a path. Equal consecutive points are merged. A ring with fewer than
// three points left is not drawn.
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

// CanDrawMap reports whether a map can be drawn: there are at least two areas, and at least one has a
// figure.
func CanDrawMap(areas []Area) bool {
	return len(areas) > 1 && slices.ContainsFunc(areas, func(a Area) bool { return a.Class != ClassNoFigure })
}
