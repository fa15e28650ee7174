package boundaries

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"labour/sources"
)

// A boundary is a polygon or several; anything else is an error that names the area.
func TestParse(t *testing.T) {
	const square = `[[[0,51],[1,51],[1,52],[0,51]]]`
	polygon := orb.Polygon{{{0, 51}, {1, 51}, {1, 52}, {0, 51}}}
	for text, want := range map[string]orb.MultiPolygon{
		`{"type":"Polygon","coordinates":` + square + `}`:                       {polygon},
		`{"type":"MultiPolygon","coordinates":[` + square + `,` + square + `]}`: {polygon, polygon},
	} {
		got, err := Parse(sources.Boundary{Code: "E09000007", GeoJSON: []byte(text)})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{`{`: "boundary of E09000007: unexpected end",
		`{"type":"Point","coordinates":[0,51]}`: "boundary of E09000007: orb.Point is not a polygon"} {
		_, err := Parse(sources.Boundary{Code: "E09000007", GeoJSON: []byte(text)})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestIsNearUK tries Land's End, Unst and places that are too far away, or are in metres.
func TestIsNearUK(t *testing.T) {
	for place, is := range map[[2]float64]bool{
		{50.07, -5.71}: true, {60.8, -0.8}: true,
		{45, 0}: false, {65, 0}: false, {51, -20}: false, {51, 10}: false,
		{0, 0}: false, {180000, 530000}: false, {51.5, 530000}: false,
		{math.NaN(), 0}: false, {51.5, math.NaN()}: false,
	} {
		if IsNearUK(place[0], place[1]) != is {
			t.Errorf("%v: %t, want %t", place, !is, is)
		}
	}
}
