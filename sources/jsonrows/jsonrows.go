// Package jsonrows parses a list of records in JSON, one record at a time, so that an invalid
// record causes one error and the others can be used.
package jsonrows

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/v1" // compatible with encoding/json, and faster

	"labour/sources"
	"labour/sources/plaintext"
)

// RawRow is the unparsed JSON of one record.
type RawRow = json.RawMessage

// ParseList returns the elements of a JSON list. If key is "", body must be the list. Otherwise
// body must be an object that has the list under key; rest then holds the other members of the
// object.
//
// The error has sources.FaultNotJSON if the JSON is truncated or malformed. It has
// sources.FaultWrongFormat if body is not JSON or has no such list.
func ParseList(body []byte, key string) (rows []RawRow, rest Row, err error) {
	rest.err = new(error)
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return nil, rest, err
	}
	list, err := plaintext.ToUTF8(body)
	if err != nil {
		return nil, rest, err
	}
	if key != "" {
		if err := decode(list, &rest.members, "an object"); err != nil {
			return nil, rest, err
		}
		member, found := rest.members[key]
		if !found {
			return nil, rest, sources.CodedErrorf(sources.FaultWrongFormat, "the body is a JSON object without %q", key)
		}
		list = member
		delete(rest.members, key)
	}
	err = decode(list, &rows, "a list")
	return rows, rest, err
}

// decode parses a JSON object or list into to. The error has a sources.FaultCode and does not quote
// the JSON. typeName names the expected type in the error message.
func decode(text []byte, to any, typeName string) error {
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal(text, to)
	switch {
	case errors.As(err, &wrong), err == nil && string(bytes.TrimSpace(text)) == "null":
		return sources.CodedErrorf(sources.FaultWrongFormat, "the JSON is not %s where the publisher documents one", typeName)
	case err != nil:
		return sources.CodedErrorf(sources.FaultNotJSON, "the JSON breaks off or is malformed: %w", err)
	}
	return nil
}

// Row is a JSON object whose fields are read by path, such as "address.town". A field that is
// missing, null or of an unexpected type gives the zero value. After a field of an unexpected type,
// Err returns an error.
type Row struct {
	members map[string]RawRow
	at      string // path from the record to this object, such as "address"; empty for the record
	err     *error // first error in reading fields of the record
}

// ParseRow parses the JSON of one record. If it is invalid, Err of the returned Row reports the error.
func ParseRow(text RawRow) Row { return row(text, "", new(error)) }

func row(text RawRow, at string, err *error) Row {
	r := Row{at: at, err: err}
	if json.Unmarshal(text, &r.members) != nil {
		r.refuse("")
	}
	return r
}

// Err returns an error with sources.FaultSchema for the first field that had an unexpected type, or
// nil. The error does not quote the value, which may be personal data.
func (r Row) Err() error { return *r.err }

func (r Row) refuse(path string) {
	if *r.err == nil {
		at := cmp.Or(strings.Trim(r.at+path, "."), "the whole record")
		*r.err = sources.CodedErrorf(sources.FaultSchema, "field %q has another type than the publisher documents", at)
	}
}

// get returns the value of the field at a path as a T, or the zero value.
func get[T any](r Row, path string) (value T) {
	name, inner, nested := strings.Cut(path, ".")
	text, ok := r.members[name]
	switch {
	case !ok:
	case nested:
		return get[T](row(text, r.at+name+".", r.err), inner)
	case json.Unmarshal(text, &value) != nil:
		r.refuse(path)
		return *new(T)
	}
	return value
}

// Text returns the value of a field that is a string, or "".
func (r Row) Text(path string) string { return get[string](r, path) }

// Strings returns the value of a field that is a list of strings, or nil.
func (r Row) Strings(path string) []string { return get[[]string](r, path) }

// Bool returns the value of a field that is a boolean, or false.
func (r Row) Bool(path string) bool { return get[bool](r, path) }

// Number returns the value of a field that is a number, as spelt in the JSON, or "".
func (r Row) Number(path string) json.Number { return get[json.Number](r, path) }

// HasField reports whether a field exists and is not null.
func (r Row) HasField(path string) bool { return get[any](r, path) != nil }

// Scalar returns the value of a field that is a string, number or boolean, as text. Publishers
// change between 12 and "12" without notice.
func (r Row) Scalar(path string) string {
	text := get[RawRow](r, path)
	switch {
	case len(text) == 0 || string(text) == "null":
		return ""
	case text[0] == '{' || text[0] == '[':
		r.refuse(path)
		return ""
	case text[0] == '"':
		return r.Text(path)
	}
	return string(text)
}

// Objects returns the value of a field that is a list of objects. If the field is a single object,
// the list has one element.
func (r Row) Objects(path string) []Row {
	list := []RawRow{get[RawRow](r, path)}
	if len(list[0]) == 0 || list[0][0] != '{' {
		list = get[[]RawRow](r, path)
	}
	rows := make([]Row, len(list))
	for i, text := range list {
		rows[i] = row(text, r.at+path+".", r.err)
	}
	return rows
}
