// Package jsonrows reads a publisher's list of JSON records row by row, so that one invalid record
// is one fault and not the loss of the list.
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

// Raw is the JSON of one record.
type Raw = json.RawMessage

// List returns the elements of the list in body, in order. With a key the body must be an object
// that holds the list under that key, and rest has the object's other members; with an empty key
// the body must be the list itself.
//
// The error is sources.FaultNotExpected if the body is not JSON at all (a page of HTML) or has no
// such list, and sources.FaultNotJSON if it is truncated or malformed.
func List(body []byte, key string) (rows []Raw, rest Row, err error) {
	rest.err = new(error)
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return nil, rest, err
	}
	list, err := plaintext.UTF8(body)
	if err != nil {
		return nil, rest, err
	}
	if key != "" {
		if err := decode(list, &rest.members, "an object"); err != nil {
			return nil, rest, err
		}
		found := false
		if list, found = rest.members[key]; !found {
			return nil, rest, sources.Codedf(sources.FaultNotExpected, "the body is a JSON object without %q", key)
		}
		delete(rest.members, key)
	}
	err = decode(list, &rows, "a list")
	return rows, rest, err
}

// decode parses an object or a list. Its error has a sources.FaultCode and repeats no value.
func decode(text []byte, to any, what string) error {
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal(text, to)
	switch {
	case errors.As(err, &wrong), err == nil && string(bytes.TrimSpace(text)) == "null":
		return sources.Codedf(sources.FaultNotExpected, "the JSON is not %s where the publisher documents one", what)
	case err != nil:
		return sources.Codedf(sources.FaultNotJSON, "the JSON breaks off or is malformed: %w", err)
	}
	return nil
}

// Row is a record, or an object within one. A field is named by its path, with a dot after each
// object: "address.town". A field that is absent or null reads as empty, and so does one of another
// type, which Err reports.
type Row struct {
	members map[string]Raw
	at      string // path from the record to this object
	err     *error // first error of the record
}

// Read parses the JSON of one record.
func Read(text Raw) Row { return row(text, "", new(error)) }

func row(text Raw, at string, err *error) Row {
	r := Row{at: at, err: err}
	if json.Unmarshal(text, &r.members) != nil {
		r.refuse("")
	}
	return r
}

// Err returns a sources.FaultSchema error for the first field that had another type than requested.
// It never repeats the value, which may be personal data.
func (r Row) Err() error { return *r.err }

func (r Row) refuse(path string) {
	if *r.err == nil {
		at := cmp.Or(strings.Trim(r.at+path, "."), "the whole record")
		*r.err = sources.Codedf(sources.FaultSchema, "field %q has another type than the publisher documents", at)
	}
}

// get returns a field as a value of type T.
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

// Text returns a field as a string.
func (r Row) Text(path string) string { return get[string](r, path) }

// Texts returns a field as a list of strings.
func (r Row) Texts(path string) []string { return get[[]string](r, path) }

// Flag returns a field as a boolean.
func (r Row) Flag(path string) bool { return get[bool](r, path) }

// Number returns a field as a number, in its original spelling.
func (r Row) Number(path string) json.Number { return get[json.Number](r, path) }

// Has reports whether a field exists and is not null.
func (r Row) Has(path string) bool { return get[any](r, path) != nil }

// Scalar returns a string, number or boolean as text. Publishers change between 12 and "12" without
// notice.
func (r Row) Scalar(path string) string {
	text := get[Raw](r, path)
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

// List returns a field as a list of objects; a single object is a list of one.
func (r Row) List(path string) []Row {
	list := []Raw{get[Raw](r, path)}
	if len(list[0]) == 0 || list[0][0] != '{' {
		list = get[[]Raw](r, path)
	}
	rows := make([]Row, len(list))
	for i, text := range list {
		rows[i] = row(text, r.at+path+".", r.err)
	}
	return rows
}
