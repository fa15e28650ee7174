// Package jsonlist walks a publisher's list of records in JSON row by row, so
// that one record that breaks the schema is one fault and not the loss of the list.
package jsonlist

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"labour/sources"
)

// Walk calls each for every element of the list in body, in order, with its
// place counted from 0 and its bytes, which are valid JSON and only good until
// each returns. With a key the body must be an object that holds the list under
// that key, and the object's other members are returned; with an empty key the
// body must be the list itself.
//
// A body that is no JSON at all (a page of HTML) or has no such list is
// sources.FaultNotExpected; one that breaks off or is malformed is
// sources.FaultNotJSON, after the rows before that place were given to each. An
// error of each ends the walk and is returned as it is.
func Walk(body []byte, key string, each func(i int, row []byte) error) (map[string]json.RawMessage, error) {
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return nil, err
	}
	w := walker{body: bytes.TrimPrefix(body, []byte("\ufeff")), each: each}
	if key == "" {
		if err := w.list("the body"); err != nil {
			return nil, err
		}
		return nil, w.end()
	}
	return w.object(key)
}

// walker stands at a place of the body.
type walker struct {
	body  []byte
	at    int
	depth int // how many lists and objects it stands in
	each  func(int, []byte) error
	rows  int
}

// next passes white space over and gives the byte behind it; 0 at the end.
func (w *walker) next() byte {
	if w.at = space(w.body, w.at); w.at < len(w.body) {
		return w.body[w.at]
	}
	return 0
}

// value passes over one value and gives its bytes.
func (w *walker) value() ([]byte, error) {
	w.next()
	from, to := w.at, skip(w.body, w.at, w.depth)
	if to < 0 {
		return nil, w.malformed()
	}
	w.at = to
	return w.body[from:to:to], nil
}

// open passes over the bracket that begins a list or an object, and says whether
// something is in it.
func (w *walker) open(end byte) bool {
	w.at, w.depth = w.at+1, w.depth+1
	return w.next() != end || w.close()
}

// more says, behind an element, whether another follows, and passes over what says so.
func (w *walker) more(end byte) (bool, error) {
	switch w.next() {
	case ',':
		w.at++
		return true, nil
	case end:
		return w.close(), nil
	}
	return false, w.malformed()
}

// close passes over the bracket that ends a list or an object; nothing is left of it.
func (w *walker) close() bool {
	w.at, w.depth = w.at+1, w.depth-1
	return false
}

// object walks {"key": [...], ...} and keeps the other members.
func (w *walker) object(key string) (map[string]json.RawMessage, error) {
	if kind, err := w.kind(); err != nil {
		return nil, err
	} else if kind != "object" {
		return nil, notExpected("the body is a JSON %s, not an object with %q", kind, key)
	}
	others, found := map[string]json.RawMessage{}, false
	for more := w.open('}'); more; {
		name, err := w.name()
		if err != nil {
			return nil, err
		}
		if name == key {
			found = true
			if err := w.list(fmt.Sprintf("%q", key)); err != nil {
				return others, err
			}
		} else {
			v, err := w.value()
			if err != nil {
				return nil, err
			}
			others[name] = bytes.Clone(v)
		}
		if more, err = w.more('}'); err != nil {
			return others, err
		}
	}
	if !found {
		return others, notExpected("the body is a JSON object without %q", key)
	}
	return others, w.end()
}

// name reads the name of a member and the colon behind it.
func (w *walker) name() (string, error) {
	w.next()
	to := name(w.body, w.at)
	if to < 0 {
		return "", w.malformed()
	}
	text, _ := jsontext.AppendUnquote(nil, w.body[w.at:skipString(w.body, w.at)]) // what is not UTF-8 is replaced
	w.at = to
	return string(text), nil
}

// list walks [...].
func (w *walker) list(what string) error {
	if kind, err := w.kind(); err != nil {
		return err
	} else if kind != "list" {
		return notExpected("%s is a JSON %s, not a list", what, kind)
	}
	for more := w.open(']'); more; {
		row, err := w.value()
		if err != nil {
			return err
		}
		if err := w.each(w.rows, row); err != nil {
			return err
		}
		w.rows++
		if more, err = w.more(']'); err != nil {
			return err
		}
	}
	return nil
}

// end says that nothing follows the document.
func (w *walker) end() error {
	if w.next(); w.at < len(w.body) {
		return sources.Coded(sources.FaultNotJSON, errors.New("something follows the end of the JSON document"))
	}
	return nil
}

// kind names the JSON value that comes next.
func (w *walker) kind() (string, error) {
	c := w.next()
	switch {
	case c == '[':
		return "list", nil
	case c == '{':
		return "object", nil
	case skip(w.body, w.at, w.depth) < 0:
		return "", w.malformed()
	case c == '"':
		return "string", nil
	case c == 't' || c == 'f':
		return "true or false", nil
	case c == 'n':
		return "null", nil
	}
	return "number", nil
}

// malformed says what is wrong with a body that is not JSON. What is not UTF-8 is
// replaced and of two members of one name the last one stands, as wherever JSON is read
// with encoding/json.
func (w *walker) malformed() error {
	d := jsontext.NewDecoder(bytes.NewBuffer(w.body), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := d.ReadToken(); err != nil {
			return notJSON(err)
		}
	}
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
