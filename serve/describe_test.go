package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"labour/serve/api"
	"labour/serve/formats"
	"labour/snapshots"
)

// Document is the OpenAPI document that the endpoints, their Go types and openapi.yaml make.
func Document() ([]byte, error) {
	doc, err := describe()
	if err != nil {
		return nil, err
	}
	shown, err := examples()
	if err != nil {
		return nil, err
	}
	shown.describePushed(doc)
	for _, e := range new(handler).endpoints() {
		op := &huma.Operation{Method: e.method, Path: e.path, OperationID: e.id,
			Parameters: queryOf(doc.Components.Schemas, e.input)}
		if err := shown.describe(doc, op, e); err != nil {
			return nil, err
		}
		doc.AddOperation(op)
	}
	return publish(doc)
}

// queryOf describes the parameters of an input by its tags.
func queryOf(schemas huma.Registry, input reflect.Type) (all []*huma.Param) {
	for f := range input.Fields() {
		name, ok := f.Tag.Lookup("query")
		if f.Anonymous {
			all = append(all, queryOf(schemas, f.Type)...)
		}
		if ok {
			s, explode := huma.SchemaFromField(schemas, f, ""), false
			all = append(all, &huma.Param{Name: name, In: "query", Explode: &explode, Description: s.Description,
				Schema: s})
		}
	}
	return all
}

// describe is the frame of the OpenAPI document.
func describe() (*huma.OpenAPI, error) {
	doc := &huma.OpenAPI{}
	shown, err := examples()
	if err := errors.Join(err, readFrame(doc)); err != nil {
		return nil, err
	}
	doc.Info.Version = interfaceVersion
	doc.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	describeFigures(doc.Components.Schemas)
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
				Schema:   doc.Components.Schemas.Schema(reflect.TypeFor[api.ErrorBody](), true, ""),
				Examples: shown.errors(status),
			}}
		}
	}
	// An API tells its registry that the objects of answers may have more fields than are
	// described.
	config := huma.Config{OpenAPI: doc}
	config.AllowAdditionalPropertiesByDefault = true
	humago.New(http.NewServeMux(), config)
	return doc, nil
}

// sharedResponses names the responses that operations share.
var sharedResponses = map[int]string{http.StatusNotModified: "NotModified", http.StatusBadRequest: "BadRequest",
	http.StatusUnauthorized: "Unauthorized",
	http.StatusForbidden:    "Forbidden", http.StatusNotFound: "NotFound",
	http.StatusMethodNotAllowed: "MethodNotAllowed", http.StatusConflict: "Conflict",
	http.StatusRequestEntityTooLarge: "PayloadTooLarge", http.StatusUnsupportedMediaType: "UnsupportedMediaType",
	http.StatusTooManyRequests:     "TooManyRequests",
	http.StatusInternalServerError: "InternalError", http.StatusServiceUnavailable: "Unavailable",
	http.StatusGatewayTimeout: "Timeout"}

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

// schemaName names an answer after its rows or its object: SkillsUnmetResponse.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if rest, ok := strings.CutPrefix(name, "Envelope"); ok {
		return beforeRow(rest)
	}
	if rest, ok := strings.CutPrefix(name, "ListResponse"); ok {
		return beforeRow(rest)
	}
	if rest, ok := strings.CutPrefix(name, "ObjectResponse"); ok {
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
		return []string{"X-Request-Id", "Cache-Control"}
	}
	return []string{"X-Request-Id", "Cache-Control", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
		"X-Quota-Limit", "X-Quota-Remaining"}
}

// publish writes the document.
func publish(doc *huma.OpenAPI) ([]byte, error) {
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
	if underV1(path) {
		code, _ := strconv.Atoi(status)
		names = alwaysHeaders(code)
	}
	if slices.Contains([]string{openAPIPath, "/healthz", "/readyz"}, path) {
		names = append(names, "Access-Control-Allow-Origin")
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

// requestBody is the body of a call. It has no other fields than those documented:
// readBody refuses them.
func requestBody(doc *huma.OpenAPI, t reflect.Type, required bool) *huma.RequestBody {
	content := contentOf(doc, t)
	doc.Components.Schemas.SchemaFromRef(content[typeJSON].Schema.Ref).AdditionalProperties = false
	return &huma.RequestBody{Required: required, Content: content}
}

// contentOf is JSON of a type.
func contentOf(doc *huma.OpenAPI, t reflect.Type) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{typeJSON: {Schema: doc.Components.Schemas.Schema(t, true, "")}}
}

// rowsResponse describes an answer of rows in every format. b is the JSON answer.
func rowsResponse(doc *huma.OpenAPI, b reflect.Type, columns []snapshots.Column) *huma.Response {
	r := &huma.Response{Description: "OK. Content-Disposition and the X- headers other than those of the limits are " +
		"sent with csv and parquet only. They have the values that are next to the rows in the JSON envelope, and are left " +
		"out where the value is null. Link and X-Next-Cursor are sent when another page follows.",
		Headers: map[string]*huma.Header{}, Content: contentOf(doc, b)}
	csv, _, _ := strings.Cut(typeCSV, ";")
	r.Content[csv] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString,
		Description: "With format=csv: RFC 4180 in UTF-8, one line of column names. " + columnWords(columns)}}
	r.Content[typeParquet] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary",
		Description: "With format=parquet: Apache Parquet, with the licence, the statements, the sources, the metadata " +
			"and the meaning of each column in its key-value metadata (labour.*). " + columnWords(columns)}}
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

// bodies are what operations take.
var bodies = map[string]reflect.Type{"create-webhook-endpoint": reflect.TypeFor[api.NewWebhook](),
	"change-webhook-endpoint": reflect.TypeFor[api.WebhookChange](),
	"rotate-webhook-secret":   reflect.TypeFor[api.WebhookRotation](),
	"compliance-export":       reflect.TypeFor[api.ComplianceRequest]()}

// describe adds to an operation what openapi.yaml says of it.
func (s exampleSet) describe(doc *huma.OpenAPI, op *huma.Operation, of endpoint) error {
	id := op.OperationID
	e, ok := s.Operations[id]
	if !ok {
		return fmt.Errorf("operation %s has no words", id)
	}
	op.Tags, op.Summary, op.Description = []string{e.Tag}, e.Summary, e.Description
	if of.scope != "" {
		op.Description += fmt.Sprintf(" Scope: %s.", of.scope)
	}
	op.Description += fmt.Sprintf("\n\nExample: `%s %s`", op.Method, e.Call)
	good, err := answerOf(doc, of)
	if err != nil {
		return err
	}
	faults := append(e.Faults, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout)
	if e.Open {
		op.Security, faults = []map[string][]string{}, e.Faults
	}
	op.Responses = responses(faults...)
	op.Responses[strconv.Itoa(of.status)] = good
	if inJSON := good.Content[typeJSON]; inJSON != nil && s.Answers[id] != nil {
		inJSON.Example = s.Answers[id]
	}
	var inPath []*huma.Param
	for _, name := range []string{"id", "delivery"} {
		if strings.Contains(op.Path, "{"+name+"}") {
			inPath = append(inPath, &huma.Param{Name: name, In: "path", Required: true,
				Schema: &huma.Schema{Type: huma.TypeString}, Description: s.Parameters[name]})
		}
	}
	op.Parameters = append(inPath, op.Parameters...)
	if body := bodies[id]; body != nil {
		op.RequestBody = requestBody(doc, body, id != "rotate-webhook-secret")
		op.RequestBody.Content[typeJSON].Example = json.RawMessage(e.Body)
	}
	describeQuery(op)
	for status, r := range op.Responses {
		if r.Ref == "" {
			addHeaders(r, op.Path, status)
		}
	}
	return nil
}

// answerOf is the good answer of an endpoint.
func answerOf(doc *huma.OpenAPI, e endpoint) (*huma.Response, error) {
	if e.rows != nil {
		columns, err := formats.ColumnsOfRow(e.rows)
		return rowsResponse(doc, e.answer, columns), err
	}
	good := &huma.Response{Description: http.StatusText(e.status), Headers: map[string]*huma.Header{}}
	if e.answer != nil {
		good.Content = contentOf(doc, e.answer)
	}
	switch {
	case e.status == http.StatusCreated:
		good.Headers["Location"] = &huma.Header{Description: "Path of the new endpoint.",
			Schema: &huma.Schema{Type: huma.TypeString}}
	case e.path == openAPIPath:
		good.Content = map[string]*huma.MediaType{typeJSON: {Schema: &huma.Schema{Type: huma.TypeObject}}}
		good.Headers["ETag"], good.Headers["Cache-Control"] = headerRef("ETag"), headerRef("Cache-Control")
	case e.scope == "":
		good.Headers["Cache-Control"] = headerRef("Cache-Control")
	case e.method == http.MethodGet && !strings.HasPrefix(e.path, endpointsPath):
		good.Headers["ETag"] = headerRef("ETag")
	}
	return good, nil
}
