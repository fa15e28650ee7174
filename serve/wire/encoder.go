package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Encoder writes answers as JSON, the same bytes as encoding/json without
// escaping for HTML: "<5", never "\u003c5". It works out the fields of a type
// once and then appends them; answers are long lists of the same rows, and this
// takes a fraction of the time. The zero value is ready, and safe for concurrent
// use.
type Encoder struct {
	plans   sync.Map  // reflect.Type -> appender, nil = leave it to encoding/json
	buffers sync.Pool // *[]byte
}

// largestKept is the largest buffer that is used again, so that one long answer
// does not hold memory for good.
const largestKept = 1 << 20

// appender appends the JSON of an addressable value.
type appender func(b []byte, v reflect.Value) []byte

// jsonAppender is a figure that writes itself.
type jsonAppender interface{ AppendJSON(b []byte) []byte }

// Encode writes v and a line break.
func (e *Encoder) Encode(w io.Writer, v any) error {
	t := reflect.TypeOf(v)
	if t == nil {
		return encodeSlowly(w, v)
	}
	known, ok := e.plans.Load(t)
	if !ok {
		known, _ = e.plans.LoadOrStore(t, plan(t))
	}
	a := known.(appender)
	if a == nil {
		return encodeSlowly(w, v)
	}
	value := reflect.New(t).Elem()
	value.Set(reflect.ValueOf(v))
	buffer, ok := e.buffers.Get().(*[]byte)
	if !ok {
		buffer = new([]byte)
	}
	*buffer = append(a((*buffer)[:0], value), '\n')
	_, err := w.Write(*buffer)
	if cap(*buffer) <= largestKept {
		e.buffers.Put(buffer)
	}
	return err
}

func encodeSlowly(w io.Writer, v any) error {
	j := json.NewEncoder(w)
	j.SetEscapeHTML(false)
	return j.Encode(v)
}

// plan is how values of a type are appended; nil when encoding/json must do it.
func plan(t reflect.Type) appender {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[jsonAppender]()) {
		return func(b []byte, v reflect.Value) []byte { return v.Addr().Interface().(jsonAppender).AppendJSON(b) }
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) []byte { return appendString(b, v.String()) }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendBool(b, v.Bool()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendInt(b, v.Int(), 10) }
	case reflect.Pointer:
		return planPointer(t)
	case reflect.Slice:
		return planSlice(t)
	case reflect.Struct:
		return planStruct(t)
	}
	return nil
}

func planPointer(t reflect.Type) appender {
	element := plan(t.Elem())
	if element == nil {
		return nil
	}
	return func(b []byte, v reflect.Value) []byte {
		if v.IsNil() {
			return append(b, "null"...)
		}
		return element(b, v.Elem())
	}
}

func planSlice(t reflect.Type) appender {
	element := plan(t.Elem())
	if element == nil || t.Elem().Kind() == reflect.Uint8 {
		return nil
	}
	return func(b []byte, v reflect.Value) []byte {
		if v.IsNil() {
			return append(b, "null"...)
		}
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = element(b, v.Index(i))
		}
		return append(b, ']')
	}
}

// field is one key of an object.
type field struct {
	index     []int
	key       string // `"name":`
	omitEmpty bool   // leave out nil and empty lists
	append    appender
}

func planStruct(t reflect.Type) appender {
	fields, ok := fieldsOf(t, nil)
	if !ok {
		return nil
	}
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '{')
		start := len(b)
		for i := range fields {
			f := &fields[i]
			value := v
			for _, i := range f.index {
				value = value.Field(i)
			}
			if f.omitEmpty && (value.Kind() == reflect.Pointer && value.IsNil() || value.Kind() == reflect.Slice && value.Len() == 0) {
				continue
			}
			if len(b) > start {
				b = append(b, ',')
			}
			b = f.append(append(b, f.key...), value)
		}
		return append(b, '}')
	}
}

// fieldsOf lists the fields of a struct and of the structs embedded in it. ok is
// false for anything that the tags of this package do not use.
func fieldsOf(t reflect.Type, above []int) (fields []field, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, above...), i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			inner, ok := fieldsOf(f.Type, index)
			if !ok {
				return nil, false
			}
			fields = append(fields, inner...)
			continue
		}
		omit := option == "omitempty"
		kind := f.Type.Kind()
		a := plan(f.Type)
		if !f.IsExported() || name == "" || name == "-" || a == nil || option != "" && !omit || omit && kind != reflect.Pointer && kind != reflect.Slice {
			return nil, false
		}
		fields = append(fields, field{index, `"` + name + `":`, omit, a})
	}
	return fields, true
}

// appendString appends a string. Text that needs no escape is copied; the rest,
// which is rare, is left to encoding/json.
func appendString(b []byte, s string) []byte {
	if !plain(s) {
		var escaped bytes.Buffer
		if err := encodeSlowly(&escaped, s); err != nil {
			panic(err) // a string can always be encoded
		}
		return append(b, bytes.TrimSuffix(escaped.Bytes(), []byte("\n"))...)
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// plain reports whether JSON holds a text as it is. The line and paragraph
// separators are legal but escaped by encoding/json, for readers that take JSON
// for a script.
func plain(s string) bool {
	ascii := true
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c == '"' || c == '\\' {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.ValidString(s) && !strings.ContainsAny(s, "\u2028\u2029")
}
