package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/goccy/go-yaml"

	"labour/serve/api"
	"labour/snapshots"
)

// Document is the OpenAPI document that the operations, their Go types and openapi.yaml make.
func Document() ([]byte, error) {
	doc, err := describe()
	if err != nil {
		return nil, err
	}
	a, err := newAPI(Options{}, doc)
	if err != nil {
		return nil, err
	}
	return a.publish()
}

//go:embed openapi.yaml
var openAPIFrame []byte

// describe is the frame of the OpenAPI document.
func describe() (*huma.OpenAPI, error) {
	doc := &huma.OpenAPI{}
	shown, err := examples()
	if err := errors.Join(err, readFrame(doc)); err != nil {
		return nil, err
	}
	doc.Info.Version = interfaceVersion
	doc.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	for status, name := range sharedResponses {
		r := doc.Components.Responses[name]
		if r.Headers == nil {
			r.Headers = map[string]*huma.Header{}
		}
		for _, name := range alwaysHeaders(status) {
			r.Headers[name] = headerRef(name)
		}
		if status != http.StatusNotModified {
			r.Content = map[string]*huma.MediaType{"application/json": {
				Schema: doc.Components.Schemas.Schema(reflect.TypeFor[api.ErrorBody](), true, ""), Examples: shown.errors(status),
			}}
		}
	}
	return doc, nil
}

// schemaName names an answer after its rows or its object: SkillsUnmetResponse.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if rest, ok := strings.CutPrefix(name, "Envelope"); ok {
		return beforeRow(rest)
	}
	if rest, ok := strings.CutPrefix(name, "List"); ok {
		return beforeRow(rest)
	}
	if rest, ok := strings.CutPrefix(name, "One"); ok {
		return strings.TrimSuffix(rest, "ResidentsMeta") + "Response"
	}
	return name
}

func beforeRow(name string) string {
	row, _, _ := strings.Cut(name, "Row")
	return row + "Response"
}

// alwaysHeaders are on every response of that status under /v1.
func alwaysHeaders(status int) []string {
	if status == http.StatusUnauthorized {
		return []string{"X-Request-Id"}
	}
	return []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Quota-Limit", "X-Quota-Remaining"}
}

// publish completes the document once every route is registered.
func (a *handler) publish() ([]byte, error) {
	doc := a.huma.OpenAPI()
	shown, err := examples()
	if err != nil {
		return nil, err
	}
	shown.describePushed(doc)
	for id, of := range a.lists {
		for _, item := range doc.Paths {
			if item.Get != nil && item.Get.OperationID == id {
				item.Get.Responses["200"] = a.rowsResponse(of.body, of.columns)
			}
		}
	}
	for path, item := range doc.Paths {
		for _, op := range operations(item) {
			if err := shown.example(op); err != nil {
				return nil, err
			}
			describeQuery(op)
			for status, r := range op.Responses {
				if r.Ref == "" {
					addHeaders(r, path, status)
				}
			}
		}
	}
	// huma always registers its own error model, which no answer here has.
	delete(doc.Components.Schemas.Map(), "ErrorModel")
	delete(doc.Components.Schemas.Map(), "ErrorDetail")
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	b.WriteByte('\n')
	return unescapeHTML(b.Bytes()), nil
}

// describeQuery says of the parameters of a query what is checked of all of them: a
// text is not empty, and a whole number has any number of digits.
func describeQuery(op *huma.Operation) {
	least := 1
	for _, p := range op.Parameters {
		switch {
		case p.In != "query":
		case p.Schema.Type == huma.TypeInteger:
			p.Schema.Format = ""
		case p.Schema.Type == huma.TypeString && p.Schema.Enum == nil:
			p.Schema.MinLength = &least
		}
	}
}

func addHeaders(r *huma.Response, path, status string) {
	names := []string{"X-Request-Id"}
	if needsKey(path) || path == openAPIPath { // which answers without a key too
		code, _ := strconv.Atoi(status)
		names = alwaysHeaders(code)
	}
	if r.Headers == nil {
		r.Headers = map[string]*huma.Header{}
	}
	for _, name := range names {
		r.Headers[name] = headerRef(name)
	}
}

// unescapeHTML writes <, > and & as themselves, for people who read the document.
func unescapeHTML(b []byte) []byte {
	for escaped, plain := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		b = bytes.ReplaceAll(b, []byte(escaped), []byte(plain))
	}
	return b
}

// rowsResponse describes an answer of rows in every format. b is the JSON answer.
func (a *handler) rowsResponse(b reflect.Type, columns []snapshots.Column) *huma.Response {
	r := &huma.Response{Description: "OK. Content-Disposition and the X- headers but those of the limits are on csv and parquet only, where they say what the envelope says beside the rows; a value that is null there is left out here. Link and X-Next-Cursor are there when another page follows.",
		Headers: map[string]*huma.Header{}, Content: a.content(b)}
	csv, _, _ := strings.Cut(typeCSV, ";")
	r.Content[csv] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: "With format=csv: RFC 4180 in UTF-8, one line of column names. " + columnWords(columns)}}
	r.Content[typeParquet] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Description: "With format=parquet: Apache Parquet, with the licence, the statements, the sources, the metadata and the meaning of each column in its key-value metadata (labour.*). " + columnWords(columns)}}
	names := []string{"ETag", "Cache-Control", "Content-Disposition", "Link", "X-Attribution-Notice"}
	meta, _ := b.FieldByName("Meta") // every answer of rows has one
	for _, f := range reflect.VisibleFields(meta.Type) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, metaHeader(name))
		}
	}
	for _, name := range names {
		r.Headers[name] = headerRef(name)
	}
	return r
}

func columnWords(columns []snapshots.Column) string {
	words := make([]string, len(columns))
	for i, c := range columns {
		words[i] = fmt.Sprintf("%s (%s", c.Name, c.Type)
		if c.Nullable {
			words[i] += " or null"
		}
		words[i] += ")"
	}
	return "Columns: " + strings.Join(words, ", ") + "."
}

// example is a call that the document shows, and a test makes.
type example struct {
	Call string // path and query; {id} and {delivery} stand for themselves
	Body string // JSON; empty = none
}

// exampleSet is the examples of openapi.yaml: calls by operation id, one for each, errors
// by status, and messages that are pushed by type.
type exampleSet struct {
	Calls  map[string]example
	Errors map[int][]api.Error
	Pushed struct {
		Operation huma.Operation
		Messages  map[string]struct {
			Summary string
			Data    api.EventData
		}
	}
}

// readFrame reads openapi.yaml into huma's document, the examples, or what else has its form.
func readFrame(into any) error {
	frame, err := yaml.YAMLToJSON(openAPIFrame) // of YAML, huma's types would take every member for an extension too
	if err == nil {
		err = json.Unmarshal(frame, into)
	}
	if err != nil {
		return fmt.Errorf("read openapi.yaml: %w", err)
	}
	return nil
}

func examples() (s exampleSet, err error) {
	err = readFrame(&s)
	for _, d := range snapshots.HeldDatasets() {
		s.Calls[d.Name] = example{Call: "/v1/labour/" + d.Name}
	}
	return s, err
}

func (s exampleSet) example(op *huma.Operation) error {
	e, ok := s.Calls[op.OperationID]
	if !ok {
		return fmt.Errorf("operation %s has no example", op.OperationID)
	}
	op.Description += fmt.Sprintf("\n\nExample: `%s %s`", op.Method, e.Call)
	if e.Body == "" {
		return nil
	}
	if op.RequestBody == nil {
		return fmt.Errorf("the example of operation %s has a body, and the operation takes none", op.OperationID)
	}
	op.RequestBody.Content[typeJSON].Example = json.RawMessage(e.Body)
	return nil
}

// describePushed describes what the service sends to an endpoint.
func (s exampleSet) describePushed(doc *huma.OpenAPI) {
	doc.Webhooks = map[string]*huma.PathItem{}
	for name, m := range s.Pushed.Messages {
		op := s.Pushed.Operation
		op.OperationID, op.Summary = "on-"+name, m.Summary
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{typeJSON: {
			Schema:  doc.Components.Schemas.Schema(reflect.TypeFor[api.WebhookMessage](), true, ""),
			Example: api.WebhookMessage{ID: "ev-1", Type: name, Timestamp: api.TimestampOf(time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)), Data: m.Data}}}}
		doc.Webhooks[name] = &huma.PathItem{Post: &op}
	}
}

func (s exampleSet) errors(status int) map[string]*huma.Example {
	out := map[string]*huma.Example{}
	for _, e := range s.Errors[status] {
		e.RequestID = "req_01JD3V5Q2ZK8M6T0X4YB7NRCWE"
		out[e.Code] = &huma.Example{Value: api.ErrorBody{Error: e}}
	}
	return out
}
