package onsgeography

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/paulmach/orb/geojson"

	"labour/sources"
)

// answer is what the portal says to any query, as JSON or GeoJSON.
type answer struct {
	Error *struct {
		Code    int      `json:"code"`
		Message string   `json:"message"`
		Details []string `json:"details"`
	} `json:"error"`
	Count    *int   `json:"count"`
	ObjectID string `json:"objectIdFieldName"`
	Fields   []struct {
		Name string `json:"name"`
	} `json:"fields"`
	Features   []feature `json:"features"`
	Exceeded   bool      `json:"exceededTransferLimit"`
	Properties struct {
		Exceeded bool `json:"exceededTransferLimit"`
	} `json:"properties"`
}

// feature is one record: its attributes (JSON) or its properties and outline (GeoJSON).
type feature struct {
	ID         json.RawMessage            `json:"id"`
	Attributes map[string]json.RawMessage `json:"attributes"`
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   json.RawMessage            `json:"geometry"`
}

// more says that the answer was cut and there is a next page. In GeoJSON the
// mark stands under "properties".
func (a answer) more() bool { return a.Exceeded || a.Properties.Exceeded }

// parse reads an answer. "Errors arrive with HTTP 200", so an answer may be one.
func parse(body []byte) (answer, error) {
	var a answer
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(body), "\ufeff")), &a); err != nil {
		return answer{}, sources.Coded(sources.FaultNotJSON, fmt.Errorf("the answer is not the JSON of a FeatureServer: %w", err))
	}
	if a.Error != nil {
		return answer{}, a.refused()
	}
	return a, nil
}

// refused is the portal's error as one of ours.
func (a answer) refused() error {
	return sources.Coded(sources.FaultUnavailable, fmt.Errorf("the portal answered with error %d: %.200s; is the name of the service still right?",
		a.Error.Code, strings.Join(append([]string{a.Error.Message}, a.Error.Details...), " ")))
}

// text is a field of a feature, trimmed: names come padded with spaces.
func (f feature) text(field string) string {
	var s string
	if json.Unmarshal(f.raw(field), &s) != nil {
		return ""
	}
	return strings.Join(strings.Fields(s), " ")
}

func (f feature) raw(field string) json.RawMessage {
	if raw, ok := f.Attributes[field]; ok {
		return raw
	}
	return f.Properties[field]
}

// objectID is the number of a feature in its table; ok is false when it has none.
func (f feature) objectID(field string) (int64, bool) {
	for _, raw := range []json.RawMessage{f.Attributes[field], f.Properties[field], f.ID} {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err == nil {
			return n, true
		}
	}
	return 0, false
}

// outline checks the geometry of a feature: a polygon in degrees, around the
// United Kingdom. Coordinates in metres of the national grid are an error.
func (f feature) outline() (json.RawMessage, error) {
	if len(f.Geometry) == 0 || string(f.Geometry) == "null" {
		return nil, errors.New("the area has no outline")
	}
	g, err := geojson.UnmarshalGeometry(f.Geometry)
	if err != nil {
		return nil, fmt.Errorf("the outline is not a GeoJSON geometry: %w", err)
	}
	if g.Geometry() == nil {
		return nil, errors.New("the outline is empty")
	}
	if t := g.Geometry().GeoJSONType(); t != "Polygon" && t != "MultiPolygon" {
		return nil, fmt.Errorf("the outline is a %s and not a polygon", t)
	}
	b := g.Geometry().Bound()
	if b.IsEmpty() || b.Min.Lon() < -20 || b.Max.Lon() > 10 || b.Min.Lat() < 45 || b.Max.Lat() > 65 {
		return nil, errors.New("the outline is not around the United Kingdom in degrees (WGS 84)")
	}
	return f.Geometry, nil
}
