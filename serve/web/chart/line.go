package chart

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"labour/snapshots/figure"
)

// LineChart is a line chart of percentages over time. Its scale begins at 0 and ends at a round
// percentage. The upper ends of all 95 % intervals are within the scale.
type LineChart struct {
	Label            string  // description of the chart for screen readers
	Points           []Point // values of the line, in order of time
	Comparison       []Point // values of a second line, matched by label; empty = no second line
	UnfinishedPeriod string  // last day of the last period, if it is not over; else empty
}

// sheet holds the size and the margins of a line chart, in pixels, and the largest number of
// labels.
type sheet struct {
	class                    string
	width, height            int
	left, right, top, bottom int
	pad                      int // distance between the scale and the first point
	// labels is the largest number of periods with a label. It is also the largest number of points
	// for which all values are printed.
	labels int
}

var (
	// wideSheet has the sizes of a line chart on a wide screen, in pixels.
	wideSheet = sheet{"trend", 720, 250, 46, 4, 22, 34, 32, 12}
	// narrowSheet has the sizes of a line chart on a phone, in pixels.
	narrowSheet = sheet{"trend narrow", 350, 220, 46, 2, 22, 30, 36, 3}
)

func (s sheet) x(i, points int) float64 {
	room := s.width - s.left - s.right - 2*s.pad
	return float64(s.left+s.pad) + float64(i)*float64(room)/float64(max(points-1, 1))
}

func (s sheet) y(v, most figure.Tenths) float64 {
	return float64(s.top) + (1-float64(v)/float64(most))*float64(s.height-s.top-s.bottom)
}

// trendDrawing is a line chart together with the sizes of its parts in pixels.
type trendDrawing struct {
	LineChart
	sheet
	most figure.Tenths // value at the upper end of the scale
}

func (t trendDrawing) x(i int) float64 { return t.sheet.x(i, len(t.Points)) }

func (t trendDrawing) y(v figure.Tenths) float64 { return t.sheet.y(v, t.most) }

// Draw draws the line chart for a wide screen. A value is a dot, or a square if it is based on
// fewer than 20 adverts. The mark of an unfinished period is hollow. words formats a value for its
// label. If there are more than 12 values, only the first, the last and the largest have a label.
func (t LineChart) Draw(words func(figure.Tenths) string) template.HTML {
	return t.on(wideSheet).draw(words)
}

// DrawNarrow draws the line chart for a phone, smaller and with fewer labels than Draw does. words
// formats a value for its label.
func (t LineChart) DrawNarrow(words func(figure.Tenths) string) template.HTML {
	return t.on(narrowSheet).draw(words)
}

func (t LineChart) on(s sheet) trendDrawing {
	return trendDrawing{t, s, ceiling(slices.Concat(t.Points, t.Comparison))}
}

func (t trendDrawing) draw(words func(figure.Tenths) string) template.HTML {
	d := begin(t.class, t.Label, t.width, t.height)
	for _, grid := range []figure.Tenths{0, t.most / 2, t.most} {
		d.part(`<path class="scale" d="M%d %s H%d"/>`, t.left, number(t.y(grid)), t.width-t.right)
		d.text("axis end", float64(t.left-8), t.y(grid)+4, strconv.Itoa(int(grid)/10)+"%")
	}
	t.ticks(d)
	for first, last := range t.runs() {
		d.part(`<path class="band" d="%s"/>`, t.band(first, last))
	}
	d.part(`<path class="behind" d="%s"/>`, t.trace(t.alignedPoints()))
	d.part(`<path class="trace" d="%s"/>`, t.trace(t.Points))
	for i, p := range t.Points {
		if p.Value == nil {
			continue
		}
		t.mark(d, i)
		if t.isLabelled(i) {
			d.text("value middle", t.x(i), t.y(*p.Value)-10, words(*p.Value))
		}
	}
	return d.end()
}

// mark draws the value of point i of a line chart. The mark is a square if the value is based on
// fewer than 20 adverts, and otherwise a dot. The mark of an unfinished period is hollow.
func (t trendDrawing) mark(d *drawing, i int) {
	const radius = 3.5
	p := t.Points[i]
	x := t.x(i)
	y := t.y(*p.Value)
	class := "dot"
	if t.UnfinishedPeriod != "" && i == len(t.Points)-1 {
		class = "ring"
	}
	if p.hasSmallBase() {
		d.part(`<rect class="%s few" x="%s" y="%s" width="7" height="7"/>`, class, number(x-radius), number(y-radius))
		return
	}
	d.part(`<circle class="%s" cx="%s" cy="%s" r="%v"/>`, class, number(x), number(y), radius)
}

// runs yields the first and the last index of each series of consecutive points that have a value.
func (t LineChart) runs() iter.Seq2[int, int] {
	return func(yield func(first, last int) bool) {
		first := 0
		for i, p := range t.Points {
			ends := i == len(t.Points)-1 || t.Points[i+1].Value == nil
			switch {
			case p.Value == nil:
				first = i + 1
			case ends && !yield(first, i):
				return
			}
		}
	}
}

// band returns the SVG path around the 95 % intervals of the points from index first to index last.
// For a single point, the path is as wide as a dot.
func (t trendDrawing) band(first, last int) string {
	const half = 4 // half of that width
	left, right := t.x(first), t.x(last)
	if first == last {
		left, right = left-half, right+half
	}
	var path strings.Builder
	path.WriteString("M" + number(left) + " " + number(t.y(t.Points[first].high())))
	for i := first + 1; i < last; i++ {
		path.WriteString("L" + number(t.x(i)) + " " + number(t.y(t.Points[i].high())))
	}
	path.WriteString("L" + number(right) + " " + number(t.y(t.Points[last].high())))
	path.WriteString("L" + number(right) + " " + number(t.y(t.Points[last].low())))
	for i := last - 1; i > first; i-- {
		path.WriteString("L" + number(t.x(i)) + " " + number(t.y(t.Points[i].low())))
	}
	path.WriteString("L" + number(left) + " " + number(t.y(t.Points[first].low())) + "Z")
	return path.String()
}

// ticks prints the labels of the periods on the time axis. If there is not enough room for all
// labels, it prints every n-th one and always the last. n is the smallest number with which the
// labels fit.
func (t trendDrawing) ticks(d *drawing) {
	every := max(1, (len(t.Points)+t.labels-1)/t.labels)
	for i, p := range t.Points {
		last := len(t.Points) - 1
		switch {
		case i == last && t.UnfinishedPeriod != "":
			d.text("axis middle", t.x(i), float64(t.height-10), t.UnfinishedPeriod)
		case (last-i)%every == 0:
			d.text("axis middle", t.x(i), float64(t.height-10), p.Label)
		}
	}
}

// isLabelled reports whether a line chart prints the value of point i next to the point.
func (t trendDrawing) isLabelled(i int) bool {
	if len(t.Points) <= t.labels {
		return true
	}
	isEnd := i == 0 || i == len(t.Points)-1
	largest := slices.MaxFunc(t.Points, func(a, b Point) int { return cmp.Compare(a.tenths(), b.tenths()) })
	return isEnd || t.Points[i].tenths() == largest.tenths()
}

// tenths returns the value of a point in tenths of a per cent. It returns -1 for a value that is
// not published, to sort it below all others.
func (p Point) tenths() figure.Tenths {
	if p.Value == nil {
		return -1
	}
	return *p.Value
}

// alignedPoints returns the points of the second line (Comparison), one for each point of the main
// line (Points). Points with the same label belong together. If the second line lacks a label, its
// point has no value.
func (t LineChart) alignedPoints() (out []Point) {
	for _, p := range t.Points {
		i := slices.IndexFunc(t.Comparison, func(b Point) bool { return b.Label == p.Label })
		if p.Value = nil; i >= 0 {
			p = t.Comparison[i]
		}
		out = append(out, p)
	}
	return out
}

// trace returns the SVG path of a line through the points. The line has a gap at each value that is
// not published.
func (t trendDrawing) trace(points []Point) string {
	var path strings.Builder
	pen := "M"
	for i, p := range points {
		if p.Value == nil {
			pen = "M"
			continue
		}
		path.WriteString(pen + number(t.x(i)) + " " + number(t.y(*p.Value)))
		pen = "L"
	}
	return path.String()
}

// ceiling returns the end of a line chart's scale, in tenths of a per cent. It is the smallest of
// 2, 4, 10, 20, 40, 60, 80 and 100 per cent that no 95 % interval exceeds.
func ceiling(points []Point) figure.Tenths {
	largest := figure.Tenths(0)
	for _, p := range points {
		if p.Value != nil {
			largest = max(largest, p.high())
		}
	}
	for _, end := range []figure.Tenths{20, 40, 100, 200, 400, 600, 800} {
		if largest <= end {
			return end
		}
	}
	return 1000
}

// SVGFile is a chart or map, with its title, legend and sources, for download as an SVG file.
type SVGFile struct {
	Title   string
	Drawing template.HTML
	Legend  []LegendLine
	Lines   []string // lines of text below the drawing, such as attribution statements
}

// LegendLine is one line of a map's legend. Sample is a drawing in a colour or pattern of the map,
// and Words is the meaning of the colour or pattern.
type LegendLine struct {
	Sample template.HTML
	Words  string
}

const (
	// fileWidth is the width of a downloaded SVG file, in pixels.
	fileWidth = 760
	// filePad is the empty space at each edge of a downloaded SVG file, in pixels.
	filePad = 20
	// fileLine is the height of a line of text in a downloaded SVG file, in pixels.
	fileLine = 18
	// fileLetters is the largest number of letters in a line of text in a downloaded SVG file.
	fileLetters = 96
)

var sizeAttributes = regexp.MustCompile(`width="\d+" height="(\d{1,9})"`)

// fileStyle is the stylesheet of a downloaded chart. It repeats the rules for drawings of the web
// pages' stylesheet; a test compares the two.
//
//go:embed file.css
var fileStyle string

// SVG returns the content of the SVG file: the title, the drawing, the legend and the lines of
// text.
func (f SVGFile) SVG() []byte {
	var d drawing
	y := filePad + 24
	d.part(`<text class="title" x="%d" y="%d">%s</text>`, filePad, y, html.EscapeString(f.Title))
	y += filePad
	d.at(f.Drawing, filePad, y)
	y += heightOf(f.Drawing) + filePad
	for _, k := range f.Legend {
		d.at(k.Sample, filePad, y)
		d.text("line", filePad+40, float64(y+fileLine-5), k.Words)
		y += fileLine + 4
	}
	for _, line := range f.Lines {
		for _, part := range wrap(line, fileLetters) {
			y += fileLine
			d.text("line", filePad, float64(y), part)
		}
	}
	y += filePad
	return fmt.Appendf(nil,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" `+
			`height="%d"><title>%s</title><style>%s</style><rect class="sheet" width="100%%" height="100%%"/>%s</svg>`,
		fileWidth, y, fileWidth, y, html.EscapeString(f.Title), fileStyle, d.String())
}

// at inserts the drawing inner into this drawing. x and y are the position of its top left corner,
// in pixels.
func (d *drawing) at(inner template.HTML, x, y int) {
	d.part(`%s`, strings.Replace(string(inner), `<svg `, fmt.Sprintf(`<svg x="%d" y="%d" `, x, y), 1))
}

// heightOf returns the height of an SVG drawing in pixels, or 0 if the drawing does not state it.
func heightOf(drawing template.HTML) (height int) {
	if found := sizeAttributes.FindStringSubmatch(string(drawing)); found != nil {
		height, _ = strconv.Atoi(found[1])
	}
	return height
}

// wrap splits a text between words into lines of at most maxLetters letters. A longer word gets a
// line of its own.
func wrap(text string, maxLetters int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > maxLetters {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
