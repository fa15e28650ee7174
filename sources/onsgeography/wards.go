package onsgeography

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"labour/sources"
)

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
			return r.fault(object, where, sources.FaultValue, err.Error())
		}
	}
	var okLat, okLong bool
	w.Latitude, okLat = f.degrees(latitudeField, 45, 65)
	w.Longitude, okLong = f.degrees(longitudeField, -20, 10)
	if w.Name == "" || !okLat || !okLong {
		return r.fault(object, where, sources.FaultValue, fmt.Sprintf("the ward %s has no name, or no middle around the United Kingdom in degrees", w.Code))
	}
	if _, there := r.given[[2]string{Ward, w.Code}]; there {
		return nil
	}
	r.given[[2]string{Ward, w.Code}] = w.Name
	return r.out.Emit(w)
}

// degrees is a field with a number in a range.
func (f feature) degrees(field string, from, to float64) (float64, bool) {
	var n float64
	if json.Unmarshal(f.raw(field), &n) != nil || n < from || n > to {
		return 0, false
	}
	return n, true
}

//go:embed lsip.tsv
var lsipTSV string

// lsipSlugs are the slugs of the local skills improvement plan areas that have existed, by code.
// The codes outlive their names (on 29 September 2025 "Brighton and Hove, East Sussex, West Sussex"
// became "Sussex and Brighton" under the same code), so an area has the slug of its code whatever a
// list calls it. An area that ended and whose name went to a new one has the year added.
var lsipSlugs = sync.OnceValue(func() map[string]string {
	slugs := map[string]string{}
	for line := range strings.Lines(lsipTSV) {
		code, slug, _ := strings.Cut(strings.TrimSpace(line), "\t")
		slugs[code] = slug
	}
	return slugs
})

// Slug is the slug of a local skills improvement plan area: the fixed one of its
// code, or, for a code that is newer than this program, its name in lower case
// without accents, words joined by hyphens.
func Slug(code, name string) string {
	if s, ok := lsipSlugs()[code]; ok {
		return s
	}
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), name)
	if err != nil {
		plain = name
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}
