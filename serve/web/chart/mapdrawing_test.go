package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// At 60 degrees north a degree of longitude is half as long as one of latitude. The map has a
// margin of 2 pixels, which is 20 of its units.
func TestAMapIsToScale(t *testing.T) {
	area := func(place string, points ...orb.Point) Area {
		return Area{Place: place, Name: place, Said: "1", Class: "c1", Shape: orb.MultiPolygon{{append(points, points[0])}}}
	}
	northWest, northEast := orb.Point{0, 61}, orb.Point{1.999, 61}
	southWest, southEast := orb.Point{0, 59}, orb.Point{1.999, 59}
	drawing := DrawMap("a map", "score", "", []Area{
		area("box", northWest, northEast, southEast, southWest),
		area("corner", northWest, northWest, southEast, southWest, southWest),
		area("line", northWest, southEast)})
	drawn(t, "a map", drawing,
		`<svg class="chart map" viewBox="0 0 3019 6000" width="301" height="600" role="img" aria-label="a map">`+patterns+
			`<path class="c1" data-row="box" d="M20 20l2979 0 0 5960 -2979 0z"><title>box: 1</title></path>`+
			`<path class="c1" data-row="corner" d="M20 20l2979 5960 -2979 0z"><title>corner: 1</title></path>`+
			`<path class="c1" data-row="line" d=""><title>line: 1</title></path></svg>`)
}

func TestAnAreaOfTwoPartsIsOnePath(t *testing.T) {
	triangle := func(w float64) orb.Polygon { return orb.Polygon{{{w, 60}, {w + 1, 60}, {w + 1, 59}, {w, 60}}} }
	drawing := string(DrawMap("a map", "", "", []Area{{Place: "two", Shape: orb.MultiPolygon{triangle(0), triangle(2)}}}))
	if strings.Count(drawing, "data-row") != 1 || strings.Count(drawing, "z") != 2 ||
		strings.Count(drawing, "M20 20l") != 1 {
		t.Errorf("%s, want one path with two closed lines", drawing)
	}
}

func TestAMapNeedsTwoAreasAndAFigure(t *testing.T) {
	figure, none := Area{Class: "c1"}, Area{Class: ClassNoFigure}
	for _, c := range []struct {
		areas []Area
		want  bool
	}{{nil, false}, {[]Area{figure}, false}, {[]Area{none, none}, false}, {[]Area{none, figure}, true},
		{[]Area{{Class: ClassUnderFive}, none}, true}} {
		if got := CanDrawMap(c.areas); got != c.want {
			t.Errorf("%d areas %v: %v, want %v", len(c.areas), c.areas, got, c.want)
		}
	}
}

func TestSamplesOfALegend(t *testing.T) {
	for class, fill := range map[string]string{"c3": "", ClassNotSignificant: "", ClassNoFigure: ` fill="url(#none)"`,
		ClassUnderFive: ` fill="url(#small)"`} {
		want := `<svg class="chart map key" viewBox="0 0 280 180" width="28" height="18" aria-hidden="true">` +
			`<rect class="` + class + `" width="280" height="180"` + fill + `/></svg>`
		if got := string(DrawLegendSample(class)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A letter is 58 units wide and a line is 100 high. Names may touch.
func TestNamesOverlapWithinTheirSizes(t *testing.T) {
	four, two := []string{"abcd"}, []string{"é", "ab"} // 232 by 100, and 116 by 200
	for _, c := range []struct {
		a, b label
		want bool
	}{
		{label{lines: four}, label{lines: four}, true},
		{label{lines: four}, label{lines: four, x: 231}, true},
		{label{lines: four}, label{lines: four, x: 232}, false},
		{label{lines: four, x: 231}, label{lines: four}, true},
		{label{lines: four, x: 232}, label{lines: four}, false},
		{label{lines: four}, label{lines: four, y: 99}, true},
		{label{lines: four}, label{lines: four, y: 100}, false},
		{label{lines: four, y: 100}, label{lines: four}, false},
		{label{lines: four}, label{lines: two, x: 173}, true},
		{label{lines: four}, label{lines: two, x: 174}, false},
		{label{lines: four}, label{lines: two, y: -149}, true},
		{label{lines: four}, label{lines: two, y: -150}, false},
	} {
		if got := c.a.overlaps(c.b); got != c.want {
			t.Errorf("%v at %d, %d over %v at %d, %d: %v, want %v", c.a.lines, c.a.x, c.a.y, c.b.lines, c.b.x, c.b.y, got,
				c.want)
		}
	}
}

// A name may stand in the middle of its area, and one or two lines above or below.
func TestPositionsOfAName(t *testing.T) {
	box := orb.MultiPolygon{{{{0, 1}, {2, 1}, {2, -1}, {0, -1}, {0, 1}}}} // the middle is at 3000, 3000
	a := Area{Label: "Kensington and Chelsea", Shape: box}
	var got []int
	for _, l := range positions(projectionOf([]Area{a}), a) {
		if l.x != 3000 || !slices.Equal(l.lines, []string{"Kensington", "and Chelsea"}) {
			t.Errorf("%q at %d, want two lines at 3000", l.lines, l.x)
		}
		got = append(got, l.y)
	}
	if want := []int{3000, 2900, 3100, 2800, 3200}; !slices.Equal(got, want) {
		t.Errorf("the name may stand at %d, want %d", got, want)
	}
}

// The block of lines is centred: the first line stands half a line higher for each further one.
func TestTheLinesOfANameArePrintedBelowEachOther(t *testing.T) {
	for _, c := range []struct {
		l    label
		want string
	}{
		{label{lines: []string{"A & B"}, x: 500, y: 300}, `<text class="name" x="500" y="333">A &amp; B</text>`},
		{label{lines: []string{"one", "two"}, x: 500, y: 300, area: Area{End: true}},
			`<text class="name far" x="500" y="283">one<tspan x="500" dy="1em">two</tspan></text>`},
		{label{lines: []string{"one", "two", "<3"}, x: 500, y: 300}, `<text class="name" x="500" y="233">one` +
			`<tspan x="500" dy="1em">two</tspan><tspan x="500" dy="1em">&lt;3</tspan></text>`},
	} {
		d := &drawing{}
		d.label(c.l)
		if d.String() != c.want {
			t.Errorf("%s, want %s", d.String(), c.want)
		}
	}
}

func TestAnAreaWithoutALabelOrAShapeHasNoName(t *testing.T) {
	areas := squares("one", "two", "three")
	areas[0].Label, areas[1].Shape = "", nil
	d := &drawing{}
	d.labels(projectionOf(areas), areas)
	if drawn := d.String(); strings.Count(drawn, "<text") != 1 || !strings.Contains(drawn, ">three<") {
		t.Errorf("%s, want only the name three", drawn)
	}
}

// Only a name in the way moves. The others stay, and each name is printed once.
func TestOnlyNamesInTheWayMove(t *testing.T) {
	box := func(name string, west, east float64) Area {
		return Area{Label: name, Shape: orb.MultiPolygon{{{{west, 1}, {east, 1}, {east, -1}, {west, -1}, {west, 1}}}}}
	}
	near, far, wanted := box("near", 0, 1), box("far", 9, 10), box("wanted", 0, 1)
	p := projectionOf([]Area{near, far})
	placed := []label{positions(p, near)[0], positions(p, far)[0]}
	for _, l := range positions(p, near)[1:] { // the other positions are taken
		l.area.Label, l.lines = "fixed", []string{"fixed"}
		placed = append(placed, l)
	}
	if moved := makeRoom(p, wanted, placed[:2]); len(moved) != 3 || moved[0].y != placed[1].y ||
		moved[1].area.Label != "wanted" ||
		moved[1].y != placed[0].y || moved[2].area.Label != "near" || moved[2].y != placed[0].y-labelLine {
		t.Errorf("%+v, want far where it was, wanted in the middle and near a line above", moved)
	}
	if moved := makeRoom(p, wanted, placed); moved != nil {
		t.Errorf("%+v, want no room", moved)
	}
}
