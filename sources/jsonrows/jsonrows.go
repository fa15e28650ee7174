// Package jsonrows reads a publisher's list of records in JSON row by row, so
// that one record that breaks the schema is one fault and not the loss of the list.
package jsonrows

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/v1" // encoding/json to the letter, and faster

	"labour/sources"
)

// Members are those of a JSON object, by name.
type Members = map[string]json.RawMessage

// Walk calls each for every element of the list in body, in order, with its place counted from 0
// and its bytes, which are valid JSON. With a key the body must be an object that holds the list
// under that key, and the object's other members are returned; with an empty key the body must be
// the list itself.
//
// A body that is no JSON at all (a page of HTML) or has no such list is sources.FaultNotExpected;
// one that breaks off or is malformed is sources.FaultNotJSON. An error of each ends the walk and
// is returned as it is.
func Walk(body []byte, key string, each func(i int, row []byte) error) (Members, error) {
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return nil, err
	}
	list := bytes.TrimPrefix(body, []byte("\ufeff"))
	var others Members
	if key != "" {
		if err := decode(list, &others, "an object"); err != nil {
			return nil, err
		}
		found := false
		if list, found = others[key]; !found {
			return others, sources.Coded(sources.FaultNotExpected, fmt.Errorf("the body is a JSON object without %q", key))
		}
		delete(others, key)
	}
	var rows []json.RawMessage
	if err := decode(list, &rows, "a list"); err != nil {
		return others, err
	}
	for i, row := range rows {
		if err := each(i, row); err != nil {
			return others, err
		}
	}
	return others, nil
}

// decode reads an object or a list; its error has a sources.FaultCode and repeats no value.
func decode(text []byte, to any, what string) error {
	var wrong *json.UnmarshalTypeError
	err := json.Unmarshal(text, to)
	switch {
	case errors.As(err, &wrong), err == nil && string(bytes.TrimSpace(text)) == "null":
		return sources.Coded(sources.FaultNotExpected, fmt.Errorf("the JSON is not %s where the publisher documents one", what))
	case err != nil:
		return sources.Coded(sources.FaultNotJSON, fmt.Errorf("the JSON breaks off or is malformed: %w", err))
	}
	return nil
}

// Number is a JSON number as it is written.
type Number = json.Number

// Scalar is a JSON string, number or truth value, kept as text; null is "".
// Publishers change between 12 and "12" without notice.
type Scalar string

// UnmarshalJSON takes any JSON value but objects and lists.
func (s *Scalar) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		*s = ""
	case b[0] == '"':
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		*s = Scalar(text)
	case b[0] == '{' || b[0] == '[':
		return errors.New("an object or a list in the place of a single value")
	default:
		*s = Scalar(b)
	}
	return nil
}

// Many is a JSON list, or a single value in the place of a list of one; null is an empty list.
type Many[T any] []T

// UnmarshalJSON takes a list or one element.
func (m *Many[T]) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*m = nil
		return nil
	}
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]T)(m))
	}
	var one T
	if err := json.Unmarshal(b, &one); err != nil {
		return err
	}
	*m = Many[T]{one}
	return nil
}

// Row decodes one row into v. Its error is a sources.FaultSchema that names the field but never
// repeats its value, which may be a person's data; the other fields are read all the same.
func Row(row []byte, v any) error {
	err := json.Unmarshal(row, v)
	if err == nil {
		return nil
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return sources.Coded(sources.FaultSchema,
			fmt.Errorf("field %q has another type than the publisher documents", wrong.Field))
	}
	return sources.Coded(sources.FaultSchema, errors.New("a field has another form than the publisher documents"))
}
