package chart

import (
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// Area is one area of a map, such as a borough. Its colour on the map shows its figure.
type Area struct {
	Place string // slug of the area, such as camden
	Name  string // full name of the area, which screen readers read with the figure
	Label string // name that is printed on the map; empty = none
	// whether a small map prints the name: the figure is among the highest or lowest, or the page
	// is about the area
	End   bool
	Shape orb.MultiPolygon // boundary in longitude and latitude, degrees of WGS 84
	Class string           // CSS class of the colour: c1 (least) to c5 (most), or a Class constant
	Said  string           // printed figure, or the reason why there is none
	Token string           // figure as the API writes it; empty if there is none
	Here  bool             // whether the web page is about this area
}

const (
	// ClassUnderFive is the CSS class of an area whose count of people is "<5".
	ClassUnderFive = "small"
	// ClassNoFigure is the CSS class of an area without a published figure.
	ClassNoFigure = "none"
	// ClassNotSignificant is the CSS class of an area whose figure is too uncertain for a colour.
	// Its base is below 20 adverts, or it does not differ significantly from all other areas
	// together.
	ClassNotSignificant = "unclear"
)

// mapSide is the length of the longer side of a map, in tenths of a pixel. Coordinates are rounded
// to whole tenths, which makes SVG paths short. A common point of two neighbouring areas is rounded
// equally in both, so there is no gap between them.
const mapSide = 6000

// DrawMap draws a map of areas. label describes the map for screen readers. field is the API's name
// of the figure. link is the URL of an area's page, in which {place} stands for the area's slug. If
// link is empty, areas have no pages.
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

// patterns defines the SVG patterns of areas without a published figure, and of areas with "<5".
const patterns = `<defs><pattern id="none" width="80" height="80" patternUnits="userSpaceOnUse"><path ` +
	`class="hatch" d="M0 80 80 0M-20 20 20-20M60 100 100 60"/></pattern>` +
	`<pattern id="small" width="70" height="70" patternUnits="userSpaceOnUse"><circle class="spot" cx="35" cy="35" ` +
	`r="16"/></pattern></defs>`

// DrawLegendSample draws a small rectangle in the colour or pattern of a CSS class, for the legend
// of a map. The rectangle must be on the page of the map, because the map defines the patterns.
func DrawLegendSample(class string) template.HTML {
	d := &drawing{}
	d.part(`<svg class="chart map key" viewBox="0 0 280 180" width="28" height="18" aria-hidden="true"><rect `+
		`class="%s" width="280" height="180"%s/>`, html.EscapeString(class), fill(class))
	return d.end()
}

// fill returns the SVG attribute that fills an area with the pattern of a CSS class. It returns ""
// if the class has a plain colour.
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

// ring appends one closed boundary line of an area to an SVG path. It merges consecutive points
// that round to the same coordinates. It leaves out a line of fewer than three points.
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

// CanDrawMap reports whether a map of the areas makes sense. There must be at least two areas, and
// at least one of them must have a figure.
func CanDrawMap(areas []Area) bool {
	return len(areas) > 1 && slices.ContainsFunc(areas, func(a Area) bool { return a.Class != ClassNoFigure })
}
