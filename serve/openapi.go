package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// interfaceVersion is the version of the OpenAPI document. A change that a
// partner can see raises it and is written down in CHANGES.md.
const interfaceVersion = "1.2.0"

// document is what /v1/openapi.json answers. A test makes the file of the operations, of
// their Go types, which decode and encode, and of openapi.yaml: see Document. Run it with
// -update after a change.
//
//go:embed openapi.json
var document []byte

//go:embed CHANGES.md
var changes string

// Changes is what partners can see of each version of the interface, in Markdown.
func Changes() string { return changes }

// sharedResponses names the responses that operations share.
var sharedResponses = map[int]string{http.StatusNotModified: "NotModified", http.StatusBadRequest: "BadRequest", http.StatusUnauthorized: "Unauthorized",
	http.StatusForbidden: "Forbidden", http.StatusNotFound: "NotFound", http.StatusMethodNotAllowed: "MethodNotAllowed", http.StatusConflict: "Conflict",
	http.StatusRequestEntityTooLarge: "PayloadTooLarge", http.StatusUnsupportedMediaType: "UnsupportedMediaType", http.StatusTooManyRequests: "TooManyRequests",
	http.StatusInternalServerError: "InternalError", http.StatusServiceUnavailable: "Unavailable", http.StatusGatewayTimeout: "Timeout"}

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
	sum := sha256.Sum256(document)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	a.huma.OpenAPI().AddOperation(op)
	a.huma.Adapter().Handle(op, op.Middlewares.Handler(func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", tag)
		w.Header().Set("Cache-Control", "public, max-age=300")
		if matches(callOf(r.Context()).match, tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Write(document) // the recorder never fails
	}))
}

// metaHeader is the header that says what a field of the metadata says.
func metaHeader(field string) string {
	words := strings.Split(field, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "X-" + strings.Join(words, "-")
}
