package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// drawnCall is one call to make.
type drawnCall struct {
	Operation, Method, Target, Body, ContentType string
}

// drawer draws calls from an OpenAPI document: sound ones, ones with a fault, and
// nonsense. It knows nothing of the interface but its document, so that what it draws
// follows every change of it.
type drawer struct {
	// Known are values that exist, by parameter name (in the path too); without
	// them hardly a drawn call would find anything.
	Known map[string][]string

	operations []drawnOperation
}

type drawnOperation struct {
	id, method, path string
	parameters       []drawnParameter
	fields           map[string]drawnSchema // of the body
	body             bool
}

type drawnParameter struct {
	Name   string
	In     string
	Schema drawnSchema
}

type drawnSchema struct {
	Ref        string `json:"$ref"`
	Type       any
	Enum       []any
	Minimum    *int64
	Maximum    *int64
	Pattern    string
	Examples   []any
	Properties map[string]drawnSchema
	Items      *drawnSchema
}

type drawnDocument struct {
	Paths map[string]map[string]struct {
		OperationID string
		Parameters  []drawnParameter
		RequestBody *struct {
			Content map[string]struct{ Schema drawnSchema }
		}
	}
	Components struct{ Schemas map[string]drawnSchema }
}

// newDrawer reads a document.
func newDrawer(raw []byte) (*drawer, error) {
	var doc drawnDocument
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	d := &drawer{Known: map[string][]string{}}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
			described := doc.Paths[path][method]
			op := drawnOperation{id: described.OperationID, method: strings.ToUpper(method), path: path,
				parameters: described.Parameters}
			if described.RequestBody != nil {
				op.body = true
				s := described.RequestBody.Content["application/json"].Schema
				op.fields = doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")].Properties
			}
			d.operations = append(d.operations, op)
		}
	}
	return d, nil
}

// calls draws a call of any operation.
func (d *drawer) calls() *rapid.Generator[drawnCall] {
	return rapid.Custom(func(t *rapid.T) drawnCall {
		op := rapid.SampledFrom(d.operations).Draw(t, "operation")
		target, query := op.path, url.Values{}
		d := drawing{d, rapid.Bool().Draw(t, "sound")}
		for _, p := range op.parameters {
			if p.In == "path" {
				target = strings.Replace(target, "{"+p.Name+"}", url.PathEscape(d.value(t, p.Name, p.Schema)), 1)
			} else if p.In == "query" && rapid.IntRange(0, 2).Draw(t, "given") == 0 {
				query.Add(p.Name, d.value(t, p.Name, p.Schema))
			}
		}
		if !d.sound {
			spoil(t, query)
		}
		if len(query) > 0 {
			target += "?" + query.Encode()
		}
		c := drawnCall{Operation: op.id, Method: op.method, Target: target}
		if op.body {
			c.Body, c.ContentType = d.bodyOf(t, op), "application/json"
		}
		return c
	})
}

// drawing is how one call is drawn: a sound one has only values that its schemas
// allow, though not always ones that fit together.
type drawing struct {
	*drawer
	sound bool
}

// spoil adds, now and then, what no operation takes: an unknown name or a repeat.
func spoil(t *rapid.T, query url.Values) {
	switch rapid.IntRange(0, 15).Draw(t, "spoil") {
	case 0:
		query.Add(rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "name"), "1")
	case 1:
		for _, name := range slices.Sorted(maps.Keys(query)) {
			query.Add(name, query.Get(name))
			return
		}
	}
}

// value draws a value: mostly one that the schema allows or that exists.
func (d drawing) value(t *rapid.T, name string, s drawnSchema) string {
	if known := d.Known[name]; len(known) > 0 && (d.sound || rapid.IntRange(0, 3).Draw(t, "known") > 0) {
		return rapid.SampledFrom(known).Draw(t, name)
	}
	if !d.sound && rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
		return odd().Draw(t, name)
	}
	beyond := int64(1)
	if d.sound {
		beyond = 0
	}
	switch {
	case len(s.Enum) > 0:
		return fmt.Sprint(rapid.SampledFrom(s.Enum).Draw(t, name))
	case s.Type == "integer":
		return fmt.Sprint(rapid.Int64Range(bound(s.Minimum, 0)-beyond, bound(s.Maximum, 6000)+beyond).Draw(t, name))
	case s.Pattern != "":
		return rapid.StringMatching(s.Pattern).Draw(t, name)
	case len(s.Examples) > 0:
		return fmt.Sprint(rapid.SampledFrom(s.Examples).Draw(t, name))
	case d.sound:
		return rapid.StringMatching(`[a-z]{0,8}`).Draw(t, name)
	}
	return odd().Draw(t, name)
}

func bound(b *int64, otherwise int64) int64 {
	if b == nil {
		return otherwise
	}
	return *b
}

// odd is any text, and what often breaks programs.
func odd() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.StringMatching(`[0-9a-zA-Z%+ é-]{0,8}`),
		rapid.SampledFrom([]string{"", "0", "-1", "1e3", "9223372036854775808", "null", "' OR 1=1 --", "%", "*", "\\",
			"\x00", "\xff", "..", "/", "é", "＝", "2026-02-30"}),
		rapid.Map(rapid.IntRange(90, 3000), func(n int) string { return strings.Repeat("a", n) }))
}

// bodyOf draws a body: an object of some of the fields, or anything.
func (d drawing) bodyOf(t *rapid.T, op drawnOperation) string {
	if !d.sound && rapid.IntRange(0, 9).Draw(t, "any body") == 0 {
		return odd().Draw(t, "body")
	}
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(op.fields)) {
		if rapid.IntRange(0, 3).Draw(t, "given") > 0 {
			object[name] = d.field(t, name, op.fields[name])
		}
	}
	if !d.sound && rapid.IntRange(0, 9).Draw(t, "unknown field") == 0 {
		object[rapid.StringMatching(`[a-z_]{0,12}`).Draw(t, "name")] = odd().Draw(t, "value")
	}
	raw, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err) // maps of texts, numbers and lists can always be encoded
	}
	return string(raw)
}

func (d drawing) field(t *rapid.T, name string, s drawnSchema) any {
	switch {
	case !d.sound && rapid.IntRange(0, 9).Draw(t, "other type") == 0:
		return rapid.SampledFrom([]any{nil, 1.5, true, "", []any{}, map[string]any{}}).Draw(t, name)
	case s.Type == "boolean":
		return rapid.Bool().Draw(t, name)
	case s.Type == "integer":
		return rapid.Int64Range(bound(s.Minimum, -5), bound(s.Maximum, 1<<40)).Draw(t, name)
	case s.Items != nil:
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return d.value(t, name, *s.Items) }), 0, 3).Draw(t,
			name)
	}
	return d.value(t, name, s)
}
