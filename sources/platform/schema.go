package platform

import (
	"embed"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"labour/sources"
)

// schemaFiles has a JSON schema for each type of record in the feed.
//
//go:embed schema
var schemaFiles embed.FS

// schema is a JSON schema for a record or a property of the feed. It supports only the features
// that the files in schema/ use. The function bind connects it to a Go type.
type schema struct {
	Type       string             `json:"type"` // JSON type of the value; "" = string (for an enum)
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Items      *schema            `json:"items"`
	MaxItems   int                `json:"maxItems"`
	Minimum    int64              `json:"minimum"`
	Maximum    int64              `json:"maximum"`
	MinLength  int                `json:"minLength"`
	MaxLength  int                `json:"maxLength"`
	Enum       []string           `json:"enum"`
	Pattern    string             `json:"pattern"`
	Format     string             `json:"format"`
	// ErrorMessage describes the permitted values in words. If a schema file has none, the function
	// bind derives it from the schema's other rules.
	ErrorMessage string `json:"errorMessage"`

	name    string         // name of the property that the schema describes; that of the list for an element
	bit     uint64         // bit that stands for the property in a set of an object's properties
	field   int            // index of the Go field that receives the value; -1 = element of a list
	id      int            // index of the Go field that has the record's id
	pattern *regexp.Regexp // compiled Pattern; nil = any text
}

// records has an empty record for each type of record in the feed.
var records = map[RecordKind]sources.Record{KindBoroughs: sources.Borough{}, KindAdverts: sources.Advert{},
	KindResidents:    sources.Resident{},
	KindApplications: sources.Application{}, KindEvents: sources.Event{}, KindPathways: sources.Pathway{},
	KindS106: sources.S106Development{}}

// fields has the properties of the feed whose Go fields have other names. A key is the name of the
// Go type, a dot and the property. The value is the name of the Go field.
var fields = map[string]string{
	"Advert.imported_from": "Origin", "Advert.unlisted": "Listed", "Advert.posted_on": "Posted",
	"Advert.closes_on": "Closes",
	"Advert.sector":    "Route", "Advert.skills": "Wanted", "Advert.boroughs": "Locations", "Location.boroughs": "Slug",
	"Location.locations": "Text", "Application.outcome_recorded_at": "RecordedAt", "Pathway.updated_on": "Updated",
	"Pathway.apprenticeship_standards": "Standards",
}

// schemas returns the JSON schema for each type of record. It parses them only once.
var schemas = sync.OnceValue(func() map[RecordKind]*schema {
	all := map[RecordKind]*schema{}
	for _, k := range RecordKinds() {
		text, err := schemaFiles.ReadFile("schema/" + string(k) + ".json")
		s := &schema{}
		if err == nil {
			err = json.Unmarshal(text, s)
		}
		if err != nil {
			panic(err) // the files are embedded, so this is a programming error
		}
		record := reflect.TypeOf(records[k])
		s.bind("", record)
		s.id = fieldOf(record, s.Required[0])
		all[k] = s
	}
	return all
})

// bind connects a schema to the Go type t: it finds the Go field for each property. It also
// compiles the pattern and sets a missing ErrorMessage. name is the property's name, or "" for a
// whole record.
func (s *schema) bind(name string, t reflect.Type) {
	var bit uint64 = 1
	for name, p := range s.Properties {
		p.name = name
		p.bit = bit
		p.field = fieldOf(t, name)
		bit <<= 1
		p.bind(name, t.Field(p.field).Type)
	}
	if s.Items != nil {
		s.Items.field = -1
		s.Items.name = name
		if element := t.Elem(); s.Items.Type == "string" && element.Kind() == reflect.Struct {
			s.Items.field = fieldOf(element, name)
		}
		s.Items.bind(name, t.Elem())
	}
	if s.Pattern != "" {
		s.pattern = regexp.MustCompile(s.Pattern)
	}
	switch {
	case s.ErrorMessage != "":
	case s.Enum != nil:
		s.ErrorMessage = "must be one of " + strings.Join(s.Enum, ", ")
	case s.Type == "string":
		s.ErrorMessage = fmt.Sprintf("must have %d to %d characters", s.MinLength, s.MaxLength)
	case s.Type == "integer":
		s.ErrorMessage = fmt.Sprintf("must be a whole number from %d to %d", s.Minimum, s.Maximum)
	}
}

// fieldOf returns the index of the Go field for a property, such as JobsCreated for jobs_created.
func fieldOf(record reflect.Type, property string) int {
	name, ok := fields[record.Name()+"."+property]
	if !ok {
		name = strings.ReplaceAll(property, "_", "")
	}
	f, ok := record.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	if !ok {
		panic(record.Name() + " has no field for the property " + property)
	}
	return f.Index[0]
}

// read parses one JSON value into the Go value v. It returns syntax errors, and records violations
// of the schema with p.problem.
func (s *schema) read(p *parser, v reflect.Value) error {
	switch s.Type {
	case "object":
		return s.object(p, v)
	case "array":
		return s.array(p, v)
	case "integer":
		return s.integer(p, v)
	case "boolean":
		kind := p.json.PeekKind()
		if kind != 't' && kind != 'f' {
			_, err := p.hasType('t', "true or false")
			return err
		}
		v.SetBool(kind == 't')
		return p.json.SkipValue()
	}
	return s.text(p, v)
}

func (s *schema) object(p *parser, v reflect.Value) error {
	if ok, err := p.begins('{', "an object"); !ok {
		return err
	}
	var seen uint64
	var unknown []string
	for p.json.PeekKind() != '}' {
		name, err := p.text()
		if err != nil {
			return err
		}
		x := s.Properties[string(name)]
		if x == nil {
			unknown = append(unknown, string(name))
			if err := p.json.SkipValue(); err != nil {
				return err
			}
			continue
		}
		noted := len(p.problems)
		if seen&x.bit != 0 {
			p.problem("is given twice")
		}
		seen |= x.bit
		if err := x.read(p, v.Field(x.field)); err != nil {
			return err
		}
		p.prefixPaths(x.name, noted)
	}
	for _, name := range s.Required {
		if seen&s.Properties[name].bit == 0 {
			p.problem("lacks the property %q", name)
		}
	}
	slices.Sort(unknown)
	for _, name := range slices.Compact(unknown) {
		p.unknown(name)
	}
	return p.ends()
}

func (s *schema) array(p *parser, v reflect.Value) error {
	if ok, err := p.begins('[', "a list"); !ok {
		return err
	}
	n := 0
	for ; p.json.PeekKind() != ']'; n++ {
		before := len(p.problems)
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		element := v.Index(v.Len() - 1)
		if s.Items.field >= 0 {
			element = element.Field(s.Items.field)
		}
		if err := s.Items.read(p, element); err != nil {
			return err
		}
		if len(p.problems) > before {
			p.prefixPaths(fmt.Sprintf("[%d]", n), before)
		}
	}
	if n > s.MaxItems {
		p.problem("must have at most %d elements", s.MaxItems)
	}
	return p.ends()
}

// text reads a JSON string into v. The string may be a date or a time.
func (s *schema) text(p *parser, v reflect.Value) error {
	if ok, err := p.hasType('"', "a string"); !ok {
		return err
	}
	text, err := p.text()
	if err != nil {
		return err
	}
	if s.put(p, text, v) {
		return nil
	}
	p.problem("%s", s.ErrorMessage)
	return nil
}

// put sets the Go value v from text. It returns false if the schema does not permit the text.
func (s *schema) put(p *parser, text []byte, v reflect.Value) bool {
	if s.Enum != nil {
		i := slices.IndexFunc(s.Enum, func(word string) bool { return word == string(text) })
		if i >= 0 {
			v.SetString(s.Enum[i])
		}
		return i >= 0
	}
	switch to := v.Addr().Interface().(type) {
	case *sources.Date:
		t, err := time.Parse(time.DateOnly, string(text))
		*to = sources.DateOf(t)
		return err == nil && s.fits(text)
	case *time.Time:
		t, err := time.Parse(time.RFC3339, string(text))
		*to = t // keeps the time zone; complete converts some times to UTC
		return err == nil && s.fits(text)
	}
	word, good := p.words[s][string(text)]
	if !good {
		word, good = string(text), s.fits(text)
	}
	switch {
	case good && s.pattern != nil:
		p.cacheText(s, word)
	case good:
		p.noteRemoval(s, word)
		word = p.withoutContacts(s, word)
	}
	v.SetString(word)
	return good
}

// fits reports whether text has a permitted length and matches the schema's pattern.
func (s *schema) fits(text []byte) bool {
	n := utf8.RuneCount(text)
	hasLength := n >= s.MinLength && (s.MaxLength == 0 || n <= s.MaxLength)
	return hasLength && (s.pattern == nil || s.pattern.Match(text))
}

// integer reads a whole number into v. As in JSON Schema, 3.0 is a whole number.
func (s *schema) integer(p *parser, v reflect.Value) error {
	if is, err := p.hasType('0', "a number"); !is {
		return err
	}
	raw, err := p.json.ReadValue()
	if err != nil {
		return err
	}
	n, ok := whole(string(raw))
	if !ok || n < s.Minimum || n > s.Maximum {
		p.problem("%s", s.ErrorMessage)
		return nil
	}
	v.SetInt(n)
	return nil
}

// whole returns the value of a JSON number such as 3, 3.0 or 30e-1. The second result is false if
// the number is not whole or is out of range.
func whole(raw string) (int64, bool) {
	if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
		return n, true
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	if strings.Trim(mantissa, "-0.") == "" {
		return 0, true
	}
	e, err := strconv.Atoi(exponent)
	isExtreme := err != nil || e > 1000 || e < -1000
	if len(raw) > 1000 || exponent != "" && isExtreme {
		return 0, false // too large, or not whole
	}
	r, ok := new(big.Rat).SetString(raw)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}
