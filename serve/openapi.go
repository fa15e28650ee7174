package serve

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/goccy/go-yaml"

	"labour/serve/api"
	"labour/snapshots"
)

// interfaceVersion is the version of the OpenAPI document. A change that a
// partner can see raises it and is written down in CHANGES.md.
const interfaceVersion = "1.2.0"

//go:embed openapi.yaml
var openAPIFrame []byte

//go:embed CHANGES.md
var changes string

// Changes is what partners can see of each version of the interface, in Markdown.
func Changes() string { return changes }

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

// sharedResponses names the responses that operations share.
var sharedResponses = map[int]string{http.StatusNotModified: "NotModified", http.StatusBadRequest: "BadRequest", http.StatusUnauthorized: "Unauthorized",
	http.StatusForbidden: "Forbidden", http.StatusNotFound: "NotFound", http.StatusMethodNotAllowed: "MethodNotAllowed", http.StatusConflict: "Conflict",
	http.StatusRequestEntityTooLarge: "PayloadTooLarge", http.StatusUnsupportedMediaType: "UnsupportedMediaType", http.StatusTooManyRequests: "TooManyRequests",
	http.StatusInternalServerError: "InternalError", http.StatusServiceUnavailable: "Unavailable", http.StatusGatewayTimeout: "Timeout"}

// alwaysHeaders are on every response of that status under /v1.
func alwaysHeaders(status int) []string {
	if status == http.StatusUnauthorized {
		return []string{"X-Request-Id"}
	}
	return []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Quota-Limit", "X-Quota-Remaining"}
}

func headerRef(name string) *huma.Header {
	return &huma.Header{Ref: "#/components/headers/" + name}
}

func responses(statuses ...int) map[string]*huma.Response {
	out := map[string]*huma.Response{}
	for _, s := range statuses {
		out[strconv.Itoa(s)] = &huma.Response{Ref: "#/components/responses/" + sharedResponses[s]}
	}
	return out
}

// keyed are the statuses of every operation that needs a key, and those beside them.
func keyed(beside ...int) []int {
	return append(beside, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout)
}

// documentRoute registers the document itself.
func (a *handler) documentRoute() {
	op := &huma.Operation{
		Method: http.MethodGet, Path: openAPIPath, OperationID: "openapi", Tags: []string{"Operation"},
		Summary: "This document", Description: "The machine-readable specification, OpenAPI 3.1. Needs no key; a call with one counts like every other.", Security: []map[string][]string{},
		Responses: map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject}}}}},
	}
	op.Responses["200"].Headers = map[string]*huma.Header{"ETag": headerRef("ETag"), "Cache-Control": headerRef("Cache-Control")}
	maps.Copy(op.Responses, responses(http.StatusNotModified, http.StatusBadRequest, http.StatusTooManyRequests, http.StatusInternalServerError))
	op.Middlewares = huma.Middlewares{a.checkParameters, a.refuseFaults}
	a.huma.OpenAPI().AddOperation(op)
	a.huma.Adapter().Handle(op, op.Middlewares.Handler(func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", a.etag)
		w.Header().Set("Cache-Control", "public, max-age=300")
		if matches(callOf(r.Context()).match, a.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Write(a.document) // the recorder never fails
	}))
}

// publish completes the document once every route is registered, and keeps its
// bytes.
func (a *handler) publish() error {
	doc := a.huma.OpenAPI()
	shown, err := examples()
	if err != nil {
		return err
	}
	shown.describePushed(doc)
	for path, item := range doc.Paths {
		for _, op := range operations(item) {
			if err := shown.example(op); err != nil {
				return err
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
		return fmt.Errorf("write the OpenAPI document: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return fmt.Errorf("write the OpenAPI document: %w", err)
	}
	b.WriteByte('\n')
	a.document = unescapeHTML(b.Bytes())
	sum := sha256.Sum256(a.document)
	a.etag = `W/"` + hex.EncodeToString(sum[:12]) + `"`
	return nil
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

// metaHeader is the header that says what a field of the metadata says.
func metaHeader(field string) string {
	words := strings.Split(field, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "X-" + strings.Join(words, "-")
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
