package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"labour/serve/api"
)

// interfaceVersion is the version of the OpenAPI document. A change that a
// partner can see raises it and is written down in CHANGES.md.
const interfaceVersion = "1.2.0"

// describe is the frame of the OpenAPI document.
func describe() *huma.OpenAPI {
	registry := huma.NewMapRegistry("#/components/schemas/", schemaName)
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Labour Market Data Service", Version: interfaceVersion,
			Description: "Aggregate, non-personal labour market data: skills not met, what people are training for, forecast skills gaps, the published evidence behind each figure, the sources, and UK regions. Nothing about individual vacancies or individual people is returned by the labour endpoints. Beside them: live jobs, careers pathways, resident statistics, section 106 headline counts and events.\n\n" +
				"**Keys.** Send `Authorization: Bearer <API_KEY>` with every call.\n\n" +
				"**Figures.** A count of people from 1 to 4 is the string `\"<5\"`, never a number and never 0. `null` means no figure, never zero.\n\n" +
				"**Limits.** Each key has calls per clock hour and calendar month, in UTC. Every call with a valid key counts, whatever its status, and every answer carries the X-RateLimit headers.\n\n" +
				"**Parameters.** An unknown or repeated parameter is 400; an empty value is 400 too; all faults are reported at once in `error.details`.\n\n" +
				"**Methods.** HEAD works wherever GET does. Answers over 1 KiB are compressed when asked for (zstd, gzip).\n\n" +
				"**New fields** may be added to objects within this version; ignore those that you do not know.",
		},
		Servers: []*huma.Server{{URL: "/", Description: "The host that serves this document"}},
		Tags: []*huma.Tag{
			{Name: "Labour market data", Description: "The figures, each with the statements to show with it."},
			{Name: "Datasets not yet open", Description: "Built, and embargoed until one stated condition is recorded as met; until then every call is 403 dataset_not_open."},
			{Name: platformTag, Description: "From the platform's own records, each endpoint under a scope of its own that the operator grants."},
			{Name: webhooksTag, Description: "Where to be told of what happens, instead of polling."},
			{Name: "Operation", Description: "For supervisors and tools; no key needed."},
		},
		Security: []map[string][]string{{"key": {}}},
		Components: &huma.Components{
			Schemas: registry, Responses: errorResponses(registry), Headers: headers(),
			SecuritySchemes: map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer",
				Description: "An API key: lmk_live_, or lmk_test_ in the sandbox, and 38 characters. Every key has the scope labour:read."}},
		},
	}
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

// headers are the headers that responses share.
func headers() map[string]*huma.Header {
	integer := func(doc string) *huma.Header {
		return &huma.Header{Description: doc, Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64"}}
	}
	optional := func(doc string) *huma.Header {
		return &huma.Header{Description: doc, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	text := func(doc string) *huma.Header {
		h := optional(doc)
		h.Required = true
		return h
	}
	return map[string]*huma.Header{
		"X-Request-Id":          text("Identifier of this request, on every response of any status: req_ and a ULID."),
		"X-RateLimit-Limit":     integer("Calls per hour on this key. This and the next two are on every response to a request with a valid key, whatever its status."),
		"X-RateLimit-Remaining": integer("Calls left this hour; never below 0."),
		"X-RateLimit-Reset":     integer("Unix seconds when the hour resets."),
		"X-Quota-Limit":         integer("Monthly allowance; absent when uncapped."),
		"X-Quota-Remaining":     integer("Calls left this month, never below 0; absent when uncapped."),
		"Retry-After":           integer("Seconds to wait; equals error.retry_after_seconds."),
		"ETag":                  optional("Weak entity tag of the snapshot and the query. Send it as If-None-Match; 304 means that nothing changed, and counts as a call. That of sources changes too when stale does."),
		"Cache-Control":         optional("How the answer may be kept."),
		"Content-Disposition":   optional("A name for the file: endpoint, snapshot and format. On csv and parquet."),
		"Link":                  optional("The same call for the next page, with rel=next. On csv and parquet, when another page follows."),
		"X-Attribution-Notice":  optional("attribution_notice. On csv and parquet."),
		"X-As-Of":               optional("meta.as_of. On csv and parquet."),
		"X-Generated":           optional("meta.generated. On csv and parquet."),
		"X-Snapshot":            optional("meta.snapshot. On csv and parquet."),
		"X-Returned":            integer("meta.returned. On csv and parquet."),
		"X-Truncated":           optional("meta.truncated. On csv and parquet of unpaged endpoints."),
		"X-Note":                optional("meta.note. On csv and parquet, where there is one."),
		"X-Limit":               integer("meta.limit. On csv and parquet."),
		"X-Next-Cursor":         optional("meta.next_cursor. On csv and parquet, when another page follows."),
		"X-People-As-Of":        optional("meta.people_as_of. On csv and parquet."),
		"X-People":              optional("meta.people, as JSON. On csv and parquet."),
		"X-Adverts-Placed":      optional("meta.adverts_placed, as JSON. On csv and parquet."),
		"Allow":                 text("The methods that this path takes."),
		"WWW-Authenticate":      text("Bearer."),
	}
}

// errorResponse is a response that operations share.
type errorResponse struct {
	status  int
	name    string
	words   string
	headers []string
}

// sharedResponses lists them, by status.
func sharedResponses() []errorResponse {
	return []errorResponse{
		{http.StatusNotModified, "NotModified", "Nothing changed since the answer with the entity tag in If-None-Match. No body; counts as a call.", []string{"ETag"}},
		{http.StatusBadRequest, "BadRequest", "invalid_parameter (a parameter, or the body), unknown_place, unknown_region, invalid_cursor (not issued here, or for another endpoint) or cursor_expired (its data is no longer kept: start again without cursor). error.details lists every fault.", nil},
		{http.StatusUnauthorized, "Unauthorized", "unauthorized: no key, or one that cannot be used. Not counted.", []string{"WWW-Authenticate"}},
		{http.StatusForbidden, "Forbidden", "insufficient_scope: the message names the scope that the key lacks. dataset_not_open: the message names the condition that the dataset waits on.", nil},
		{http.StatusNotFound, "NotFound", "not_found: there is nothing at this path, or nothing with this id.", nil},
		{http.StatusMethodNotAllowed, "MethodNotAllowed", "method_not_allowed: Allow lists the methods.", []string{"Allow"}},
		{http.StatusConflict, "Conflict", "conflict: an endpoint with the same URL exists, there are as many as there may be, or the endpoint is disabled. The message says which.", nil},
		{http.StatusRequestEntityTooLarge, "PayloadTooLarge", "payload_too_large: the body has more than 64 KiB.", nil},
		{http.StatusUnsupportedMediaType, "UnsupportedMediaType", "unsupported_media_type: the body is not JSON, or its Content-Type does not say so.", nil},
		{http.StatusTooManyRequests, "TooManyRequests", "rate_limited: the hourly ceiling is reached; Retry-After points to the end of the hour. quota_exceeded: the monthly ceiling is reached; it points to the start of the next calendar month.", []string{"Retry-After"}},
		{http.StatusInternalServerError, "InternalError", "internal: something went wrong inside. Back off exponentially.", nil},
		{http.StatusServiceUnavailable, "Unavailable", "unavailable: no data is loaded, or too many queries are running. Back off exponentially, at least Retry-After.", []string{"Retry-After"}},
		{http.StatusGatewayTimeout, "Timeout", "timeout: the query passed its deadline and was interrupted. Back off exponentially.", nil},
	}
}

// errorResponses are the shared responses, by name.
func errorResponses(registry huma.Registry) map[string]*huma.Response {
	out := map[string]*huma.Response{}
	for _, e := range sharedResponses() {
		r := &huma.Response{Description: e.words, Headers: map[string]*huma.Header{}}
		for _, name := range append(alwaysHeaders(e.status), e.headers...) {
			r.Headers[name] = headerRef(name)
		}
		if e.status != http.StatusNotModified {
			r.Content = map[string]*huma.MediaType{"application/json": {
				Schema: registry.Schema(reflect.TypeFor[api.ErrorBody](), true, ""), Examples: errorExamples(e.status),
			}}
		}
		out[e.name] = r
	}
	return out
}

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
	for _, e := range sharedResponses() {
		for _, s := range statuses {
			if s == e.status {
				out[strconv.Itoa(s)] = &huma.Response{Ref: "#/components/responses/" + e.name}
			}
		}
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
	for path, item := range doc.Paths {
		for _, op := range operations(item) {
			if err := showExample(op); err != nil {
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
