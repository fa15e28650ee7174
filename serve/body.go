package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxBody is the size limit of a JSON request body, in bytes.
const maxBody = 64 << 10

// readBody parses a request body, which must be a JSON object. It returns the fields as raw JSON.
// known are the permitted field names. readBody records an error in c for any other field, and for
// a field that is given twice.
func readBody(c *call, known ...string) (map[string]json.RawMessage, error) {
	kind, parameters, err := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	charset := parameters["charset"]
	isJSON := err == nil && kind == "application/json"
	isUTF8 := charset == "" || strings.EqualFold(charset, "utf-8")
	if !isJSON || !isUTF8 || c.request.Header.Get("Content-Encoding") != "" {
		return nil, &apiError{code: unsupportedMediaType,
			message: "Send the body as JSON in UTF-8, not compressed, with Content-Type: application/json."}
	}
	raw, err := io.ReadAll(io.LimitReader(c.request.Body, maxBody+1))
	if err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, fmt.Errorf("read the body: %w", context.DeadlineExceeded)
		}
		return nil, &apiError{code: invalidParameter, message: "The body could not be read whole. Send it again."}
	}
	if len(raw) > maxBody {
		return nil, &apiError{code: payloadTooLarge, message: fmt.Sprintf("The body has more than %d bytes. Send less.",
			maxBody)}
	}
	fields, err := ParseJSONFields(raw)
	if err != nil {
		c.add(invalidParameter, "", "The body must be one JSON object in UTF-8: "+err.Error()+".")
		return nil, c.inputError()
	}
	values := map[string]json.RawMessage{}
	for _, f := range fields {
		_, twice := values[f.Name]
		switch {
		case !slices.Contains(known, f.Name):
			message, near := fmt.Sprintf("There is no field %s here. The body takes %s.", TruncateText(f.Name),
				strings.Join(known, ", ")), nearest(f.Name, known, 1)
			if len(near) > 0 {
				message = fmt.Sprintf("There is no field %s here. The nearest one is %s.", TruncateText(f.Name), near[0])
			}
			c.add(invalidParameter, TruncateText(f.Name), message, near...)
		case twice:
			c.add(invalidParameter, f.Name, f.Name+" is given twice. Give it once.")
		}
		values[f.Name] = f.Value
	}
	return values, nil
}

// bodyValue returns the value of a field of a JSON request body, or nil if the field is missing. If
// the value does not have the type T, bodyValue records an error in c and returns nil. words
// describes the type in the error message, such as "true or false".
func bodyValue[T any](c *call, fields map[string]json.RawMessage, name, words string) *T {
	raw, given := fields[name]
	if !given {
		return nil
	}
	var value *T
	if err := json.Unmarshal(raw, &value); err != nil || value == nil {
		c.add(invalidParameter, name, fmt.Sprintf("%s must be %s.", name, words))
		return nil
	}
	return value
}

// JSONField is one field of a JSON object: its name and its value as raw JSON.
type JSONField struct {
	Name  string
	Value json.RawMessage
}

// ParseJSONFields parses a JSON object and returns its fields in order. Text after the object is an
// error. A client of the API may see the error messages.
func ParseJSONFields(raw []byte) ([]JSONField, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("it is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it does not begin with {")
	}
	var fields []JSONField
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, malformedError(d)
		}
		f := JSONField{Name: name.(string)} // the decoder accepts only strings as names
		if err := d.Decode(&f.Value); err != nil {
			return nil, malformedError(d)
		}
		fields = append(fields, f)
	}
	if _, err := d.Token(); err != nil {
		return nil, malformedError(d)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows after the object")
	}
	return fields, nil
}

func malformedError(d *json.Decoder) error {
	return fmt.Errorf("it cannot be read from byte %d on", d.InputOffset())
}
