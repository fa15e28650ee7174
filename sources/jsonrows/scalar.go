package jsonrows

import (
	"errors"
	"fmt"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/v1" // encoding/json to the letter, and faster

	"labour/sources"
)

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

// atOnce reads as encoding/json does, but for ending at the first field that has another
// type, and for not looking at the whole row before: it is known to be JSON.
var atOnce = json2.JoinOptions(json.DefaultOptionsV1(), json.ReportErrorsWithLegacySemantics(false))

// Row decodes one row, which Walk gave, into v. Its error is a sources.FaultSchema that
// names the field but never repeats its value, which may be a person's data; the other
// fields are read all the same.
func Row[T any](row []byte, v *T) error {
	if json2.Unmarshal(row, v, atOnce) == nil {
		return nil
	}
	var again T
	err := json.Unmarshal(row, &again)
	if *v = again; err == nil {
		return nil
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return sources.Coded(sources.FaultSchema,
			fmt.Errorf("field %q has another type than the publisher documents", wrong.Field))
	}
	return sources.Coded(sources.FaultSchema, errors.New("a field has another form than the publisher documents"))
}
