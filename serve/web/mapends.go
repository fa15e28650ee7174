package web

import (
	"html/template"
	"slices"

	"labour/serve/web/chart"
)

// mapEnd is a borough that has one of the highest or lowest figures on a map.
type mapEnd struct {
	bucketRow
	Said template.HTML // the figure as HTML for a sentence
}

// mostMapEnds is 3: a map names up to 3 boroughs with the highest figures and up to 3 with the lowest.
const mostMapEnds = 3

// mapEnds returns the boroughs with the highest figures, the highest first, and those with the lowest,
// the lowest first. boroughs must be sorted, the highest figure first. If fewer than six boroughs have
// a figure, both are empty, because the table is enough.
func mapEnds(m measure, boroughs []bucketRow) (most, least []bucketRow) {
	with := withFigure(m, boroughs)
	if len(with) < 2*mostMapEnds {
		return nil, nil
	}
	lowestFirst := slices.Clone(with)
	slices.Reverse(lowestFirst)
	return firstDistinct(m, with), firstDistinct(m, lowestFirst)
}

// firstDistinct returns the first rows of a sorted list, at most three. It leaves out rows that show the
// same figure as the first row after them: none of these boroughs is higher or lower than the others.
func firstDistinct(m measure, rows []bucketRow) []bucketRow {
	shown := func(i int) string { return m.shown(rows[i].SkillsUnmetRow).text }
	n := mostMapEnds
	for n > 0 && shown(n-1) == shown(n) {
		n--
	}
	return rows[:n]
}

// markEnds sets the field End of the selected place and of the areas with the highest and lowest
// figures. A small map prints only the names of these areas.
func markEnds(areas []chart.Area, most, least []bucketRow) {
	for i := range areas {
		isThere := func(r bucketRow) bool { return *r.Bucket == areas[i].Place }
		areas[i].End = areas[i].Here || slices.ContainsFunc(most, isThere) || slices.ContainsFunc(least, isThere)
	}
}

// endsOf returns rows with their figures in words, for the lists of the highest and the lowest.
func endsOf(m measure, rows []bucketRow) (ends []mapEnd) {
	for _, r := range rows {
		ends = append(ends, endOf(m, r))
	}
	return ends
}

func endOf(m measure, r bucketRow) mapEnd {
	shown := m.shown(r.SkillsUnmetRow)
	if noneAsks(r.SkillsUnmetRow) { // no API request returns this row
		return mapEnd{r, template.HTML(template.HTMLEscapeString(shown.text))}
	}
	return mapEnd{r, figureHTML(m.Field, shown)}
}

// withFigure returns the rows with a published figure, which may be "<5".
func withFigure(m measure, rows []bucketRow) []bucketRow {
	unpublished := func(r bucketRow) bool { _, ok := m.order(r.SkillsUnmetRow); return !ok }
	return slices.DeleteFunc(slices.Clone(rows), unpublished)
}

// unrankedOf returns a sentence if some boroughs cannot be among the highest and lowest of a map,
// and otherwise "". all is the number of boroughs on the map, and coloured is the number with a
// colour. ranked is the number of boroughs that can be among the highest and lowest.
func unrankedOf(ranked, coloured, all int) string {
	switch {
	case ranked < coloured:
		return "Places with few registered residents are not among the highest and lowest."
	case coloured < all:
		return "Places in plain grey are not among the highest and lowest."
	}
	return ""
}
