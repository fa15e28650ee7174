package chart

import (
	"cmp"
	"html"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

const (
	// labelLine is the height of a line of a place name on a map, in tenths of a pixel.
	labelLine = 100
	// labelLetter is the width of an average letter of a place name on a map, in tenths of a pixel.
	labelLetter = 58
	// labelLetters is the largest number of letters in one line of a name on a map.
	labelLetters = 11
)

// label is a place name on a map, in one or more lines of text. x and y are the middle of the text,
// in tenths of a pixel.
type label struct {
	area  Area
	lines []string
	x, y  int
}

// overlaps reports whether two names on a map overlap.
func (l label) overlaps(o label) bool {
	return 2*abs(l.x-o.x) < l.width()+o.width() && 2*abs(l.y-o.y) < l.height()+o.height()
}

func (l label) width() int {
	longest := 0
	for _, line := range l.lines {
		longest = max(longest, utf8.RuneCountInString(line))
	}
	return longest * labelLetter
}

func (l label) height() int { return len(l.lines) * labelLine }

func abs(n int) int { return max(n, -n) }

// labels prints the names of the areas on a map. A name is in the middle of its area, or up to two
// lines higher or lower. If all these positions are taken, labels tries to move other names. It
// leaves out a name that does not fit; the tooltip of the area still has the name.
func (d *drawing) labels(p projection, areas []Area) {
	var named []Area
	for _, a := range areas {
		if a.Label != "" && len(a.Shape) > 0 {
			named = append(named, a)
		}
	}
	slices.SortStableFunc(named, func(a, b Area) int { // areas at the ends of the scale first, then the largest
		if a.End != b.End {
			return cmp.Compare(endFirst(a), endFirst(b))
		}
		return cmp.Compare(sizeOf(largestPart(b)), sizeOf(largestPart(a)))
	})
	var placed []label
	for _, a := range named {
		if l, free := place(p, a, placed); free {
			placed = append(placed, l)
		} else if moved := makeRoom(p, a, placed); moved != nil {
			placed = moved
		}
	}
	for _, l := range placed {
		d.label(l)
	}
}

func endFirst(a Area) int {
	if a.End {
		return 0
	}
	return 1
}

func sizeOf(p orb.Polygon) float64 { return math.Abs(planar.Area(p)) }

func largestPart(a Area) orb.Polygon {
	return slices.MaxFunc(a.Shape, func(x, y orb.Polygon) int { return cmp.Compare(sizeOf(x), sizeOf(y)) })
}

// positions returns the label of an area at each position at which its name may be printed. The
// best position comes first.
func positions(p projection, a Area) (list []label) {
	middle, _ := planar.CentroidArea(largestPart(a))
	x, y := p.at(middle)
	for _, shift := range []int{0, -1, 1, -2, 2} {
		list = append(list, label{area: a, lines: wrap(a.Label, labelLetters), x: x, y: y + shift*labelLine})
	}
	return list
}

// place returns the label of an area at the best position where it overlaps no label in labels. ok
// is false if there is no such position.
func place(p projection, a Area, labels []label) (l label, ok bool) {
	for _, l := range positions(p, a) {
		if !slices.ContainsFunc(labels, l.overlaps) {
			return l, true
		}
	}
	return label{}, false
}

// makeRoom adds the label of an area to labels. To make room, it moves other labels to other
// positions. It returns nil if that is not possible.
func makeRoom(p projection, a Area, labels []label) []label {
	for _, l := range positions(p, a) {
		moved := slices.DeleteFunc(slices.Clone(labels), l.overlaps)
		moved = append(moved, l)
		for _, inTheWay := range labels {
			if !l.overlaps(inTheWay) {
				continue
			}
			other, free := place(p, inTheWay.area, moved)
			if !free {
				moved = nil
				break
			}
			moved = append(moved, other)
		}
		if moved != nil {
			return moved
		}
	}
	return nil
}

// label prints the lines of a place name on the map.
func (d *drawing) label(l label) {
	class := "name"
	if l.area.End {
		class += " far"
	}
	d.part(`<text class="%s" x="%d" y="%d">`, class, l.x, l.y-(len(l.lines)-1)*labelLine/2+labelLine/3)
	for i, line := range l.lines {
		if i == 0 {
			d.part(`%s`, html.EscapeString(line))
			continue
		}
		d.part(`<tspan x="%d" dy="1em">%s</tspan>`, l.x, html.EscapeString(line))
	}
	d.part(`</text>`)
}
