package chart

import (
	"html/template"
	"strings"

	"labour/snapshots/figure"
)

// Point is one value of a line. A nil value is not published and breaks the line.
type Point struct {
	Label string
	Value *figure.Tenths
}

// Line draws percentages in the order given, on a scale from 0 to a round number
// above the largest. The first, the last and the largest are labelled.
func Line(label string, points []Point) template.HTML {
	const width, height, left, right, top, bottom, pad = 720, 250, 46, 4, 22, 34, 20
	d := begin("trend", label, width, height)
	most := ceiling(points)
	x := func(i int) float64 {
		return left + pad + float64(i)*float64(width-left-right-2*pad)/float64(max(len(points)-1, 1))
	}
	y := func(v figure.Tenths) float64 { return top + (1-float64(v)/float64(most))*(height-top-bottom) }
	for _, grid := range []figure.Tenths{0, most / 2, most} {
		d.part(`<path class="scale" d="M%d %s H%d"/>`, left, number(y(grid)), width-right)
		d.text("axis end", left-8, y(grid)+4, string(figure.AppendTenths(nil, grid))+"%")
	}
	every := max(1, (len(points)+11)/12)
	for i, p := range points {
		if i%every == 0 || i == len(points)-1 && i%every > every/2 {
			d.text("axis middle", x(i), height-10, p.Label)
		}
	}
	d.part(`<path class="trace" d="%s"/>`, trace(points, x, y))
	for i, p := range points {
		if p.Value == nil {
			continue
		}
		d.part(`<circle class="dot" cx="%s" cy="%s" r="3.5"/>`, number(x(i)), number(y(*p.Value)))
		if len(points) <= 12 || i == 0 || i == len(points)-1 {
			d.text("value middle", x(i), y(*p.Value)-9, string(figure.AppendTenths(nil, *p.Value)))
		}
	}
	return d.end()
}

// trace is the path through the points; a value that is not published breaks it.
func trace(points []Point, x func(int) float64, y func(figure.Tenths) float64) string {
	var path strings.Builder
	pen := "M"
	for i, p := range points {
		if p.Value == nil {
			pen = "M"
			continue
		}
		path.WriteString(pen + number(x(i)) + " " + number(y(*p.Value)))
		pen = "L"
	}
	return path.String()
}

// ceiling is the end of the scale: the next of 2, 4, 10, 20, 40, 60, 80 and 100 per
// cent above every value.
func ceiling(points []Point) figure.Tenths {
	var largest figure.Tenths
	for _, p := range points {
		if p.Value != nil {
			largest = max(largest, *p.Value)
		}
	}
	for _, end := range []figure.Tenths{20, 40, 100, 200, 400, 600, 800} {
		if largest <= end {
			return end
		}
	}
	return 1000
}
