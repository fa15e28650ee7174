// Package boundaries parses the boundaries of areas, and checks whether coordinates are in or near the
// United Kingdom.
package boundaries

import (
	"encoding/json"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"labour/sources"
)

// Parse returns the polygons of an area's boundary. The boundary must be a GeoJSON polygon or
// multipolygon.
func Parse(b sources.Boundary) (orb.MultiPolygon, error) {
	var g geojson.Geometry
	if err := json.Unmarshal(b.GeoJSON, &g); err != nil {
		return nil, fmt.Errorf("boundary of %s: %w", b.Code, err)
	}
	switch shape := g.Geometry().(type) {
	case orb.Polygon:
		return orb.MultiPolygon{shape}, nil
	case orb.MultiPolygon:
		return shape, nil
	}
	return nil, fmt.Errorf("boundary of %s: %T is not a polygon", b.Code, g.Geometry())
}

// IsNearUK reports whether coordinates in degrees are in or near the United Kingdom. If they are
// not, they may be metres on the British National Grid.
func IsNearUK(latitude, longitude float64) bool {
	isNearLatitude := 45 < latitude && latitude < 65
	return isNearLatitude && -20 < longitude && longitude < 10
}
