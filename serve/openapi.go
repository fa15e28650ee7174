package serve

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
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

// documentRoute registers the document itself.
func (a *handler) documentRoute() {
	op := &huma.Operation{Method: http.MethodGet, Path: openAPIPath, OperationID: "openapi", Middlewares: huma.Middlewares{a.checkParameters, a.refuseFaults}}
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
