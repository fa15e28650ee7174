package chart

import (
	"html"
	"html/template"
)

// A map of the boroughs is drawn as tiles of one size, each near where its borough
// lies, and not from outlines: on a true map the City of London is a speck and
// Bromley a twentieth of the sheet, so that the eye compares acres instead of
// figures, and outlines of 33 boroughs weigh more than the rest of the page. The
// positions are this service's own arrangement.

// Tile is one place of the map.
type Tile struct {
	Place string // slug
	Code  string // national statistics code of the council
	Name  string
	Value string // the figure as it is printed; empty = not published
	Class int    // 1 (least) to 5 (most); 0 = no figure
	URL   string
	Here  bool // the place that the page is about
}

// spot is a tile's column and row, and the letters on it.
type spot struct {
	column, row int
	letters     string
}

// spots places the boroughs of London by their codes.
func spots() map[string]spot {
	return map[string]spot{
		"E09000010": {4, 0, "Enf"},
		"E09000015": {2, 1, "Hrw"}, "E09000003": {3, 1, "Brn"}, "E09000014": {4, 1, "Hgy"}, "E09000031": {5, 1, "Wth"},
		"E09000017": {0, 2, "Hdn"}, "E09000009": {1, 2, "Elg"}, "E09000005": {2, 2, "Brt"}, "E09000007": {3, 2, "Cmd"},
		"E09000019": {4, 2, "Isl"}, "E09000012": {5, 2, "Hck"}, "E09000026": {6, 2, "Rdb"}, "E09000016": {7, 2, "Hvg"},
		"E09000018": {0, 3, "Hns"}, "E09000013": {1, 3, "Hms"}, "E09000020": {2, 3, "Kns"}, "E09000033": {3, 3, "Wst"},
		"E09000001": {4, 3, "Cty"}, "E09000030": {5, 3, "Twr"}, "E09000025": {6, 3, "Nwm"}, "E09000002": {7, 3, "Bar"},
		"E09000027": {1, 4, "Rch"}, "E09000032": {2, 4, "Wns"}, "E09000022": {3, 4, "Lam"}, "E09000028": {4, 4, "Swr"},
		"E09000023": {5, 4, "Lsh"}, "E09000011": {6, 4, "Grn"}, "E09000004": {7, 4, "Bxl"},
		"E09000021": {2, 5, "Kng"}, "E09000024": {3, 5, "Mrt"}, "E09000008": {4, 5, "Crd"}, "E09000006": {5, 5, "Brm"},
		"E09000029": {3, 6, "Stn"},
	}
}

// Tiles is the map of the boroughs. ok is false when fewer than three of the places
// have a position: then a table says it better.
func Tiles(label string, tiles []Tile) (drawn template.HTML, ok bool) {
	const side, gap = 60, 4
	d := &drawing{}
	width, height := 8*(side+gap)-gap, 7*(side+gap)-gap
	// A group and not an image, since the tiles are links.
	d.part(`<svg class="chart tiles" viewBox="0 0 %d %d" width="%d" height="%d" role="group" aria-label="%s">`, width, height, width, height, html.EscapeString(label))
	known, drawnTiles := spots(), 0
	for _, t := range tiles {
		s, has := known[t.Code]
		if !has {
			continue
		}
		drawnTiles++
		class, value, said := "tile c"+string(rune('0'+t.Class)), t.Value, t.Value
		if t.Value == "" {
			value, said = "–", "not published"
		}
		if t.Here {
			class += " here"
		}
		x, y := s.column*(side+gap), s.row*(side+gap)
		name := html.EscapeString(t.Name + ": " + said)
		d.part(`<a href="%s" aria-label="%s" class="%s" data-row="%s"><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="3"/>`,
			html.EscapeString(t.URL), name, class, html.EscapeString(t.Place), name, x, y, side, side)
		d.text("letters", float64(x+8), float64(y+21), s.letters)
		mark := ""
		if t.Value != "" {
			mark = ` data-f="score" data-v="` + html.EscapeString(t.Value) + `"`
		}
		d.part(`<text class="value" x="%d" y="%d"%s>%s</text></a>`, x+8, y+46, mark, html.EscapeString(value))
	}
	return d.end(), drawnTiles >= 3
}
