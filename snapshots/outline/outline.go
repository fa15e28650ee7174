// Package outline formats and parses the outline of a borough: a MULTIPOLYGON in Well-Known Text
// (OGC 06-103r4). Coordinates are longitude and latitude in degrees of WGS 84, in whole steps of
// 1/100,000 degree (about a metre). They have no trailing zeros, so that equal outlines have equal
// texts.
package outline

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkt"
)

// StepsPerDegree is 100,000. Coordinates of outlines are whole multiples of 1/100,000 degree, which
// is about a metre.
const StepsPerDegree = 100_000

// Format returns the outline of a borough as Well-Known Text. The coordinates must be whole
// multiples of 1/100,000 degree.
func Format(shape orb.MultiPolygon) string { return wkt.MarshalString(shape) }

// Parse parses the outline of a borough. It returns an error if a ring is not closed, if a
// coordinate is out of range, or if Format would write the outline differently.
func Parse(text string) (orb.MultiPolygon, error) {
	shape, err := wkt.UnmarshalMultiPolygon(text)
	if err != nil {
		return nil, fmt.Errorf("the outline is no MULTIPOLYGON: %w", err)
	}
	if len(shape) == 0 {
		return nil, errors.New("the outline is empty")
	}
	for _, polygon := range shape {
		if len(polygon) == 0 {
			return nil, errors.New("the outline has a polygon without a ring")
		}
		for _, ring := range polygon {
			if err := checkRing(ring); err != nil {
				return nil, err
			}
		}
	}
	if Format(shape) != text {
		return nil, errors.New("the outline is not written as such texts are")
	}
	return shape, nil
}

func checkRing(ring orb.Ring) error {
	if len(ring) < 4 || !ring.Closed() {
		return errors.New("a ring of the outline is not closed or has fewer than three corners")
	}
	for _, p := range ring {
		if !(math.Abs(p.Lon()) <= 180 && math.Abs(p.Lat()) <= 90) {
			return fmt.Errorf("%v is no longitude and latitude", p)
		}
		for _, c := range p {
			if StepsToDegrees(DegreesToSteps(c)) != c || c == 0 && math.Signbit(c) {
				return fmt.Errorf("%v is no whole number of steps of 1/%d degree", c, StepsPerDegree)
			}
		}
	}
	return nil
}

// DegreesToSteps converts a coordinate from degrees to the nearest whole number of 1/100,000
// degree.
func DegreesToSteps(degrees float64) int32 { return int32(math.Round(degrees * StepsPerDegree)) }

// StepsToDegrees converts a coordinate from a number of 1/100,000 degree to degrees.
func StepsToDegrees(steps int32) float64 { return float64(steps) / StepsPerDegree }
