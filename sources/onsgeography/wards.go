package onsgeography

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"labour/sources"
)

// wardsInTheUK is roughly how many wards there are: 8,405 in the layer of May 2025.
const wardsInTheUK = 8405

// The fields of a layer with the middle of an area, in degrees (WGS 84).
const (
	latitudeField  = "LAT"
	longitudeField = "LONG"
)

// pointFields says what a layer of wards lacks; nil when nothing.
func pointFields(ward columns, fields []string) error {
	var errs []error
	if ward.name == "" {
		errs = append(errs, errors.New("no field like WD25NM for the names of wards"))
	}
	for _, f := range []string{latitudeField, longitudeField} {
		if !slices.Contains(fields, f) {
			errs = append(errs, fmt.Errorf("no field %s for the middle of a ward", f))
		}
	}
	return errors.Join(errs...)
}

// ward takes the middle of one ward.
func (r *reader) ward(object, where string, f feature) error {
	c := r.layout.columns[Ward]
	w := sources.Ward{Source: Key, Code: f.text(c.code), Name: f.text(c.name), Council: f.text(r.layout.columns[Council].code), Edition: c.edition}
	for _, err := range []error{checkCode(Ward, w.Code), checkCode(Council, w.Council)} {
		if err != nil {
			r.fault(object, where, sources.FaultValue, err.Error())
			return nil
		}
	}
	var okLat, okLong bool
	w.Latitude, okLat = f.degrees(latitudeField, 45, 65)
	w.Longitude, okLong = f.degrees(longitudeField, -20, 10)
	if w.Name == "" || !okLat || !okLong {
		r.fault(object, where, sources.FaultValue, fmt.Sprintf("the ward %s has no name, or no middle around the United Kingdom in degrees", w.Code))
		return nil
	}
	if _, there := r.given[[2]string{Ward, w.Code}]; there {
		return nil
	}
	r.given[[2]string{Ward, w.Code}] = w.Name
	return r.out.Emit(w)
}

// degrees is a field with a number in a range.
func (f feature) degrees(field string, from, to float64) (float64, bool) {
	raw, ok := f.Attributes[field]
	if !ok {
		raw = f.Properties[field]
	}
	var n float64
	if json.Unmarshal(raw, &n) != nil || n < from || n > to {
		return 0, false
	}
	return n, true
}
