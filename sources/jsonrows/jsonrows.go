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

// RawRow is the JSON text of one record. It is not parsed yet.
type RawRow = json.RawMessage

// ParseList returns the elements of a JSON list. If key is "", body is the list. For any other key,
// body is an object with the list under that key, and rest holds the object's other members.
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

// decode parses a JSON object or list into to. typeName names the expected type in the error
// message. The error has a sources.FaultCode and does not quote the JSON.
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

// Row is a JSON object. Its methods read fields by path, such as "address.town". A field that is
// missing or has an unexpected type gives the zero value. Err reports unexpected types.
type Row struct {
	members map[string]RawRow
	at      string // path from the record to this object, such as "address"; empty for the record
	err     *error // first error in reading fields of the record
}

// ParseRow parses the JSON of one record. If it is invalid, the Row's method Err returns an error.
func ParseRow(text RawRow) Row { return row(text, "", new(error)) }

func row(text RawRow, at string, err *error) Row {
	r := Row{at: at, err: err}
	if json.Unmarshal(text, &r.members) != nil {
		r.refuse("")
	}
	return r
}

// Err returns an error for the first field that had an unexpected type, or nil. The error does not
// quote the value, because it may be personal data.
func (r Row) Err() error { return *r.err }

func (r Row) refuse(path string) {
	if *r.err == nil {
		at := cmp.Or(strings.Trim(r.at+path, "."), "the whole record")
		*r.err = sources.CodedErrorf(sources.FaultSchema, "field %q has another type than the publisher documents", at)
	}
}

// get returns the value at a path as a T. It returns the zero value if the field is missing or has
// another type.
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

// Text returns the string at a path, or "" if there is none.
func (r Row) Text(path string) string { return get[string](r, path) }

// Strings returns the list of strings at a path, or nil if there is none.
func (r Row) Strings(path string) []string { return get[[]string](r, path) }

// Bool returns the boolean at a path, or false if there is none.
func (r Row) Bool(path string) bool { return get[bool](r, path) }

// Number returns the number at a path, as it is written in the JSON. It returns "" if there is
// none.
func (r Row) Number(path string) json.Number { return get[json.Number](r, path) }

// HasField reports whether the field at a path exists and is not null.
func (r Row) HasField(path string) bool { return get[any](r, path) != nil }

// Scalar returns the string, number or boolean at a path as text. Use it for fields that publishers
// write sometimes as 12 and sometimes as "12".
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

// Objects returns the list of objects at a path. A single object counts as a list of one.
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
