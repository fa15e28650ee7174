package sandbox

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// The outlines of the boroughs are made up. A grid is laid over the city; each field
// of it goes to the nearest council, if that is not too far; and the corners of the
// fields are moved about a little, so that borders wind and neighbours share them to
// the point. No real border is in it.

// The size of a field in degrees, about 220 by 210 metres: small enough that the moved
// border of a square stays outside of where its adverts are.
const (
	fieldLat = 0.002
	fieldLon = 0.003
)

// reach is how far from the middle of a borough its outline may reach, in degrees of
// latitude: about 6 km.
const reach = 0.055

// narrow is what a degree of longitude is of one of latitude, around London.
const narrow = 0.62

// field is a place in the grid.
type field struct{ row, column int }

func (f field) middle() (lat, lon float64) {
	return (float64(f.row) + .5) * fieldLat, (float64(f.column) + .5) * fieldLon
}

// inside says whether a point is in the square of a council.
func (c council) inside(lat, lon float64) bool {
	h := halfOf(c)
	return math.Abs(lat-c.lat) <= h.lat && math.Abs(lon-c.lon) <= h.lon
}

// owner is the index of the council that a field goes to; -1 for none. The square of
// a council, in which its adverts are, is its own.
func (w *World) owner(f field) int {
	lat, lon := f.middle()
	best, nearest := -1, math.Inf(1)
	for i, c := range w.lists.councils {
		if c.inside(lat, lon) {
			return i
		}
		dLat, dLon := lat-c.lat, (lon-c.lon)*narrow
		if d := dLat*dLat + dLon*dLon; d < nearest {
			best, nearest = i, d
		}
	}
	if nearest > reach*reach {
		return -1
	}
	return best
}

// owners are the fields of the boroughs, by the index of the council.
func (w *World) owners() map[field]int {
	owners := map[field]int{}
	for _, c := range w.lists.councils {
		if c.people == 0 {
			continue
		}
		// One more than are within reach, so that what a borough has is within.
		rows, columns := int(math.Ceil(reach/fieldLat))+1, int(math.Ceil(reach/narrow/fieldLon))+1
		at := field{int(math.Floor(c.lat / fieldLat)), int(math.Floor(c.lon / fieldLon))}
		for row := at.row - rows; row <= at.row+rows; row++ {
			for column := at.column - columns; column <= at.column+columns; column++ {
				f := field{row, column}
				if _, known := owners[f]; !known {
					owners[f] = w.owner(f)
				}
			}
		}
	}
	return owners
}

// smoothed are the corners of the fields on all borders, drawn towards the corners
// next to them, so that a border winds and has no steps. A corner moves alike for both
// sides of its border.
func smoothed(owners map[field]int) map[field][2]float64 {
	beside := map[field][]field{}
	for f, owner := range owners {
		for _, e := range []struct{ across, from, to field }{
			{field{f.row - 1, f.column}, f, field{f.row, f.column + 1}},
			{field{f.row, f.column - 1}, f, field{f.row + 1, f.column}},
		} {
			if other, known := owners[e.across]; known && other != owner {
				beside[e.from], beside[e.to] = append(beside[e.from], e.to), append(beside[e.to], e.from)
			}
		}
	}
	at := map[field][2]float64{}
	for f := range beside {
		slices.SortFunc(beside[f], compareFields) // sums of the same numbers in another order differ
		at[f] = f.corner()
	}
	for range rounds {
		next := map[field][2]float64{}
		for f, others := range beside {
			var sum [2]float64
			for _, o := range others {
				sum[0], sum[1] = sum[0]+at[o][0], sum[1]+at[o][1]
			}
			n := float64(len(others))
			next[f] = [2]float64{(at[f][0] + sum[0]/n) / 2, (at[f][1] + sum[1]/n) / 2}
		}
		at = next
	}
	return at
}

// rounds is how often borders are smoothed: enough for steps of one field, and too few
// to reach where adverts are.
const rounds = 4

// corner is the lower left corner of a field, moved about by up to a quarter of it.
func (f field) corner() [2]float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d", f.row, f.column)
	n := h.Sum64()
	shift := func(bits uint64) float64 { return (float64(bits%1000)/1000 - .5) / 2 }
	return [2]float64{(float64(f.column) + shift(n>>20)) * fieldLon, (float64(f.row) + shift(n)) * fieldLat}
}

// borders are the edges around the fields of a council, each from its beginning to
// its end with the council on the left. Two of its fields that meet at one corner only
// make that the beginning of two edges.
func borders(owners map[field]int, council int, fields []field) map[field][]field {
	next := map[field][]field{}
	for _, f := range fields {
		for _, side := range []struct{ across, from, to field }{
			{field{f.row - 1, f.column}, f, field{f.row, f.column + 1}},
			{field{f.row, f.column + 1}, field{f.row, f.column + 1}, field{f.row + 1, f.column + 1}},
			{field{f.row + 1, f.column}, field{f.row + 1, f.column + 1}, field{f.row + 1, f.column}},
			{field{f.row, f.column - 1}, field{f.row + 1, f.column}, f},
		} {
			if other, known := owners[side.across]; !known || other != council {
				next[side.from] = append(next[side.from], side.to)
			}
		}
	}
	return next
}

// winding is the outline of a borough as GeoJSON: the longest line around its fields.
func winding(owners map[field]int, corners map[field][2]float64, council int, fields []field) json.RawMessage {
	next := borders(owners, council, fields)
	var longest []field
	for _, start := range fields { // the corners of its fields are where lines begin
		var line []field
		for at := start; len(next[at]) > 0; {
			to := next[at][0]
			next[at] = next[at][1:]
			line, at = append(line, to), to
		}
		if len(line) > len(longest) {
			longest = line
		}
	}
	var points []string
	for _, f := range append(longest, longest[0]) {
		c := corners[f]
		points = append(points, fmt.Sprintf("[%.5f,%.5f]", c[0], c[1]))
	}
	return json.RawMessage(`{"type":"Polygon","coordinates":[[` + strings.Join(points, ",") + `]]}`)
}
