package pipeline

import (
	"slices"

	"github.com/paulmach/orb"

	"labour/pipeline/outlines"
	"labour/snapshots"
	"labour/snapshots/outline"
	"labour/sources"
)

// mapPixels is the longer side of the map for which outlines are simplified.
const mapPixels = 600

// outlines writes the table outlines: the boroughs of the snapshot of which a source
// that may be republished gives an outline.
func (t *tables) outlines() error {
	rows, err := t.build.outlineRows()
	if err != nil {
		return err
	}
	return write(t, "outlines", rows)
}

func (b *build) outlineRows() ([]snapshots.OutlinesRow, error) {
	given := b.boundariesByCode()
	var rows []snapshots.OutlinesRow
	var shapes []orb.MultiPolygon
	for _, p := range b.places() {
		boundary, ok := given[p.Code]
		if p.AreaKind != snapshots.AreaBorough || !ok {
			continue
		}
		shape, err := outlines.Polygons(boundary)
		if err != nil {
			return nil, err
		}
		rows = append(rows, snapshots.OutlinesRow{Place: p.Place, Code: p.Code, SourceKey: boundary.Source})
		shapes = append(shapes, shape)
	}
	simple := outlines.Simplify(shapes, mapPixels)
	var out []snapshots.OutlinesRow
	for i, r := range rows {
		if len(simple[i]) > 0 { // else it has no area
			r.Outline = outline.Text(simple[i])
			out = append(out, r)
		}
	}
	return out, nil
}

// boundariesByCode are the boundaries that may be shown, by today's code of their
// area; of several of one area the first, which is that of the newest extract.
func (b *build) boundariesByCode() map[string]sources.Boundary {
	given := map[string]sources.Boundary{}
	for _, boundary := range b.in.boundaries {
		code := b.in.history.Same(boundary.Code)
		_, twice := given[code]
		open := slices.ContainsFunc(b.infos, func(i sources.Info) bool { return i.Key == boundary.Source && i.Terms.Republish })
		if open && !twice {
			given[code] = boundary
		}
	}
	return given
}
