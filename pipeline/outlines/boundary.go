package outlines

import (
	"encoding/json"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"labour/sources"
)

// Polygons reads the outline of a boundary. The error is for what is not GeoJSON or
// neither a polygon nor several.
func Polygons(b sources.Boundary) (orb.MultiPolygon, error) {
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
