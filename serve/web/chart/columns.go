package chart

import "html/template"

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
			d.part(`<rect class="part" x="%s" y="%s" width="%s" height="%s"/>`, number(x+step*.15), number(y(0)-tall), number(step*.7), number(tall))
		}
		if c.Label != "" {
			d.text("axis middle", x+step/2, height-10, c.Label)
		}
	}
	return d.end()
}

// roundAbove is the next of 2, 4, 10, 20, 40, 100 and so on that is not below n.
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
