// Package jsonrows walks a publisher's list of records in JSON row by row, so
// that one record that breaks the schema is one fault and not the loss of the list.
package jsonrows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"labour/sources"
)

// Walk calls each for every element of the list in body, in order, with its place counted from 0
// and its bytes, which are valid JSON and only good until each returns. With a key the body must be
// an object that holds the list under that key, and the object's other members are returned; with
// an empty key the body must be the list itself.
//
// A body that is no JSON at all (a page of HTML) or has no such list is sources.FaultNotExpected;
// one that breaks off or is malformed is sources.FaultNotJSON, after the rows before that place
// were given to each. An error of each ends the walk and is returned as it is.
func Walk(body []byte, key string, each func(i int, row []byte) error) (map[string]json.RawMessage, error) {
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return nil, err
	}
	// The buffer is read where it lies. What is not UTF-8 is replaced and of two members
	// of one name the last one stands, as wherever JSON is read with encoding/json.
	d := jsontext.NewDecoder(bytes.NewBuffer(bytes.TrimPrefix(body, []byte("\ufeff"))),
		jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	w := walker{d: d, each: each}
	if key == "" {
		if err := w.list("the body"); err != nil {
			return nil, err
		}
		return nil, w.end()
	}
	return w.object(key)
}

type walker struct {
	d    *jsontext.Decoder
	each func(int, []byte) error
	rows int
}

// object walks {"key": [...], ...} and keeps the other members.
func (w *walker) object(key string) (map[string]json.RawMessage, error) {
	if t, err := w.d.ReadToken(); err != nil {
		return nil, notJSON(err)
	} else if t.Kind() != '{' {
		return nil, notExpected("the body is a JSON %s, not an object with %q", kindOf(t), key)
	}
	others, found := map[string]json.RawMessage{}, false
	for w.d.PeekKind() != '}' {
		t, err := w.d.ReadToken()
		if err != nil {
			return nil, notJSON(err)
		}
		name := t.String()
		if name == key {
			found = true
			if err := w.list(fmt.Sprintf("%q", key)); err != nil {
				return others, err
			}
			continue
		}
		v, err := w.d.ReadValue()
		if err != nil {
			return nil, notJSON(err)
		}
		others[name] = json.RawMessage(v.Clone())
	}
	if _, err := w.d.ReadToken(); err != nil {
		return others, notJSON(err)
	}
	if !found {
		return others, notExpected("the body is a JSON object without %q", key)
	}
	return others, w.end()
}

// list walks [...].
func (w *walker) list(what string) error {
	t, err := w.d.ReadToken()
	if err != nil {
		return notJSON(err)
	}
	if t.Kind() != '[' {
		return notExpected("%s is a JSON %s, not a list", what, kindOf(t))
	}
	for w.d.PeekKind() != ']' {
		row, err := w.d.ReadValue()
		if err != nil {
			return notJSON(err)
		}
		if err := w.each(w.rows, row); err != nil {
			return err
		}
		w.rows++
	}
	if _, err := w.d.ReadToken(); err != nil {
		return notJSON(err)
	}
	return nil
}

// end says that nothing follows the document.
func (w *walker) end() error {
	if _, err := w.d.ReadToken(); err != io.EOF {
		return sources.Coded(sources.FaultNotJSON, errors.New("something follows the end of the JSON document"))
	}
	return nil
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON breaks off before its end")
	}
	return sources.Coded(sources.FaultNotJSON, err)
}

func notExpected(format string, args ...any) error {
	return sources.Coded(sources.FaultNotExpected, fmt.Errorf(format, args...))
}

// kindOf names a JSON token.
func kindOf(t jsontext.Token) string {
	switch t.Kind() {
	case '[':
		return "list"
	case '{':
		return "object"
	case '"':
		return "string"
	case '0':
		return "number"
	case 't', 'f':
		return "true or false"
	}
	return "null"
}
