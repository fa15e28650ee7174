package onsgeography

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/boundaries"
	"labour/sources/plaintext"
)

// answer is a response of the Open Geography Portal, as JSON or GeoJSON.
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
	Features []feature `json:"features"`
	// Exceeded is true if the response was cut and there is a next page. A GeoJSON response has this
	// field under "properties" instead.
	Exceeded   bool `json:"exceededTransferLimit"`
	Properties struct {
		Exceeded bool `json:"exceededTransferLimit"`
	} `json:"properties"`
}

// feature is one record of the Open Geography Portal. JSON responses set Attributes. GeoJSON
// responses set Properties and Geometry.
type feature struct {
	ID         json.RawMessage            `json:"id"`
	Attributes map[string]json.RawMessage `json:"attributes"`
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   json.RawMessage            `json:"geometry"`
}

// open reads and parses an archived response of the portal. It verifies the response's SHA-256.
func open(from sources.Opener, o sources.ArchivedObject) (answer, error) {
	body, err := sources.ReadWhole(from, o)
	if err != nil {
		return answer{}, err
	}
	a, err := parse(body)
	if err != nil {
		return answer{}, fmt.Errorf("read %s: %w", o.Name, err)
	}
	return a, nil
}

// parse parses a response of the portal. The portal sends errors with HTTP status 200. parse
// returns them as errors.
func parse(body []byte) (a answer, err error) {
	body, err = plaintext.ToUTF8(body)
	if err != nil {
		return answer{}, err
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return answer{}, sources.CodedErrorf(sources.FaultNotJSON, "the answer is not the JSON of a FeatureServer: %w", err)
	}
	if e := a.Error; e != nil {
		return answer{},
			sources.CodedErrorf(sources.FaultUnavailable,
				"the portal answered with error %d: %.200s; is the name of the service still right?",
				e.Code, strings.Join(append([]string{e.Message}, e.Details...), " "))
	}
	return a, nil
}

// text returns the value of a text field, with single spaces between words. It returns "" if there
// is no such field.
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

// objectID returns the number that identifies the record in its table. field is the name of the
// object id field. The second result is false if the record has no number.
func (f feature) objectID(field string) (int64, bool) {
	for _, raw := range []json.RawMessage{f.Attributes[field], f.Properties[field], f.ID} {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err == nil {
			return n, true
		}
	}
	return 0, false
}

// checkOutline returns an error if a boundary is not a polygon in or near the United Kingdom.
func checkOutline(b sources.Boundary) error {
	shape, err := boundaries.Parse(b)
	if err != nil {
		return fmt.Errorf("the area has no outline that is a polygon: %w", err)
	}
	box := shape.Bound()
	if !boundaries.IsNearUK(box.Bottom(), box.Left()) || !boundaries.IsNearUK(box.Top(), box.Right()) {
		return errors.New("the outline is empty or not around the United Kingdom in degrees (WGS 84)")
	}
	return nil
}
