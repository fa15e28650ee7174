package bench

import (
	"fmt"
	"math"
	"strings"
)

// plane maps adverts and milliseconds to the drawing, both by their logarithm.
type plane struct{ x0, x1, y0, y1 float64 }

func planeOf(reports []*Report, lines map[string][]float64) plane {
	p := plane{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, r := range reports {
		x := math.Log10(float64(max(r.Adverts, 1)))
		p.x0, p.x1 = min(p.x0, x), max(p.x1, x)
	}
	for _, line := range lines {
		for _, y := range line {
			p.y0, p.y1 = min(p.y0, math.Floor(math.Log10(max(y, 0.01)))), max(p.y1, math.Ceil(math.Log10(max(y, 0.01))))
		}
	}
	if p.x1 <= p.x0 { // one size: it stands in the middle
		p.x0, p.x1 = p.x0-0.5, p.x0+0.5
	}
	if !(p.y1 > p.y0) {
		p.y0, p.y1 = -1, 1
	}
	return p
}

func (p plane) at(x, y float64) (px, py float64) {
	px = left + (math.Log10(max(x, 1))-p.x0)/(p.x1-p.x0)*(width-left-right)
	py = height - bottom - (math.Log10(max(y, 0.01))-p.y0)/(p.y1-p.y0)*(height-bottom-top)
	return px, py
}

// axes draws a line for every power of ten of milliseconds, and the sizes.
func (p plane) axes(b *strings.Builder, reports []*Report) {
	for e := p.y0; e <= p.y1; e++ {
		_, y := p.at(1, math.Pow(10, e))
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n",
			left, width-right, y, y, left-6, y+4, math.Pow(10, e))
	}
	for _, r := range reports {
		x, _ := p.at(float64(r.Adverts), 1)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d adverts</text>`+"\n", x, height-bottom+20, r.Adverts)
	}
}
