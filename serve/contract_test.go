package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"labour/serve/partners/access"
	"labour/snapshots"
)

// operation is one operation of the document.
type operation struct {
	method, path, id string
	doc              any
	keyed            bool // needs a key
}

// operationsOf lists the operations that the document describes, in order.
func operationsOf(t testing.TB, doc any) []operation {
	t.Helper()
	var out []operation
	for _, path := range keys(at(doc, "paths")) {
		for _, method := range keys(at(doc, "paths", path)) {
			op := at(doc, "paths", path, method)
			open, _ := at(op, "security").([]any)
			out = append(out, operation{method: strings.ToUpper(method), path: path, id: at(op, "operationId").(string),
				doc: op, keyed: open == nil})
		}
	}
	return out
}

// world is a service with something behind every path of the document. Interfaces
// that differ in one thing stand before the same state.
type world struct {
	*service
	sound              http.Handler
	variants           map[string]http.Handler
	endpoint, delivery string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{service: newService(t,
		func(o *Options) { o.RequestCounter, o.RequestsPerAddress, o.QueryTimeout = free{}, 1000, time.Minute }),
		variants: map[string]http.Handler{}}
	w.grant(t, access.Scopes()...)
	w.sound = w.handler
	return w
}

// reset makes everything sound again, with one endpoint and one delivery.
func (w *world) reset(t *testing.T) {
	t.Helper()
	w.handler, w.live.current, w.live.now().hook = w.sound, "2026-11-20.1", nil
	w.live.now().open = map[string]bool{}
	for _, d := range snapshots.EmbargoedDatasets() {
		w.live.now().open[d.Name] = true
	}
	list, err := w.hooks.ListEndpoints(t.Context(), w.key.PartnerID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if err := w.hooks.DeleteEndpoint(t.Context(), w.key.PartnerID, e.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.endpoint = w.manage(t, http.StatusCreated, http.MethodPost, "", `{"url":"https://example.org/hooks"}`).Data.ID
	w.delivery = w.manage(t, http.StatusAccepted, http.MethodPost, "/"+w.endpoint+"/test", "").Data.ID
}

// vary puts another interface before the state until the next reset.
func (w *world) vary(t *testing.T, name string, change func(*Options)) {
	t.Helper()
	if w.variants[name] == nil {
		o := w.options
		change(&o)
		var err error
		if w.variants[name], err = New(o); err != nil {
			t.Fatal(err)
		}
	}
	w.handler = w.variants[name]
}

// calls are the examples of the operations.
func calls(t *testing.T) map[string]example {
	t.Helper()
	shown, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	return shown.Operations
}

// call makes the example of an operation, with changes to it.
func (w *world) call(t *testing.T, op operation, change func(*request)) result {
	t.Helper()
	e, ok := calls(t)[op.id]
	if !ok {
		t.Fatalf("%s has no example", op.id)
	}
	r := request{target: strings.NewReplacer("{id}", w.endpoint, "{delivery}", w.delivery).Replace(e.Call),
		body:    e.Body,
		headers: map[string]string{"Authorization": "Bearer " + w.secret}}
	if r.body != "" {
		r.headers["Content-Type"] = typeJSON
	}
	if change != nil {
		change(&r)
	}
	var headers []string
	for name, value := range r.headers {
		headers = append(headers, name, value)
	}
	return w.send(t, op.method, r.target, r.body, headers...)
}

type request struct {
	target, body string
	headers      map[string]string
}

// Every operation gives every status that the document lists for it, and each
// response is as documented: status, headers and body. (That no test sees another
// status is checked wherever a call is made.)
func TestEveryDocumentedStatusIsProvoked(t *testing.T) {
	doc := documentOf(t)
	codes := map[string]bool{}
	w := newWorld(t)
	for _, op := range operationsOf(t, doc) {
		t.Run(op.id, func(t *testing.T) {
			known := provokers(op)
			for _, text := range keys(at(op.doc, "responses")) {
				status, err := strconv.Atoi(text)
				if err != nil || len(known[status]) == 0 {
					t.Errorf("%s: nothing here provokes %s", op.id, text)
					continue
				}
				for i, provoke := range known[status] {
					w.reset(t)
					res := provoke(t, w)
					if res.status != status {
						t.Errorf("%s: provocation %d of %d gave %d %s", op.id, i, status, res.status, res.body)
						continue
					}
					checkHeaders(t, doc, op, res)
					if status >= 400 {
						codes[errorOf(t, res).Code] = true
					}
				}
			}
		})
	}
	// These need more than one wrong call, and are provoked elsewhere.
	for _, c := range []code{unknownPlace, unknownRegion, invalidCursor, cursorExpired, methodNotAllowed} {
		codes[string(c)] = true
	}
	for _, c := range at(doc, "components", "schemas", "Error", "properties", "code", "enum").([]any) {
		if !codes[c.(string)] {
			t.Errorf("no operation gave the code %s", c)
		}
	}
}

// checkHeaders: a header of ours that was sent is described, and one that is
// required was sent.
func checkHeaders(t *testing.T, doc any, op operation, res result) {
	t.Helper()
	described := at(resolved(doc, at(op.doc, "responses", strconv.Itoa(res.status))), "headers")
	known := map[string]bool{}
	for _, name := range keys(described) {
		known[http.CanonicalHeaderKey(name)] = true
		if required, _ := at(resolved(doc, at(described, name)), "required").(bool); required &&
			res.header.Get(name) == "" {
			t.Errorf("%s %d: the required header %s is missing", op.id, res.status, name)
		}
	}
	for name := range res.header {
		ours := strings.HasPrefix(name, "X-") && name != "X-Content-Type-Options" ||
			slices.Contains([]string{"Etag", "Link", "Location", "Allow", "Retry-After", "Www-Authenticate",
				"Content-Disposition"}, name)
		if ours && !known[name] {
			t.Errorf("%s %d: the header %s is not described", op.id, res.status, name)
		}
	}
	unknown := res.status == http.StatusUnauthorized || strings.Contains(string(res.body), string(tooManyRequests))
	if limits := strings.HasPrefix(op.path, "/v1/") && op.keyed && !unknown; limits && res.status < 500 &&
		res.header.Get("X-RateLimit-Limit") == "" && res.header.Get("X-Ratelimit-Limit") == "" {
		t.Errorf("%s %d: no limit headers", op.id, res.status)
	}
}

// resolved follows a $ref.
func resolved(doc, v any) any {
	ref, ok := at(v, "$ref").(string)
	if !ok {
		return v
	}
	return resolved(doc, at(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...))
}

// The examples of the document work as they stand there, each value that a
// parameter shows works too, and each example is of its documented shape.
func TestExamplesWork(t *testing.T) {
	doc, w := documentOf(t), newWorld(t)
	for _, op := range operationsOf(t, doc) {
		w.reset(t)
		e := calls(t)[op.id]
		if line := fmt.Sprintf("\n\nExample: `%s %s`", op.method, e.Call); !strings.HasSuffix(
			at(op.doc, "description").(string), line) {
			t.Errorf("%s: the description does not end in %q", op.id, line)
		}
		res := w.call(t, op, nil)
		if res.status >= 300 {
			t.Errorf("%s: %d %s", op.id, res.status, res.body)
		}
		list, _ := at(op.doc, "parameters").([]any)
		for _, p := range list {
			shown, _ := at(p, "schema", "examples").([]any)
			for _, value := range shown {
				res := w.get(t, fmt.Sprintf("%s?%v=%s", op.path, at(p, "name"), url.QueryEscape(fmt.Sprint(value))))
				if res.status != http.StatusOK {
					t.Errorf("%s with the example %v of %v: %d %s", op.id, value, at(p, "name"), res.status, res.body)
				}
			}
		}
	}
	if len(calls(t)) != len(operationsOf(t, doc)) {
		t.Errorf("%d examples for %d operations", len(calls(t)), len(operationsOf(t, doc)))
	}
	checkShapes(t, doc)
}

// checkShapes validates every example of a body against its schema.
func checkShapes(t *testing.T, doc any) {
	t.Helper()
	checked := 0
	var walk func(where string, v any)
	walk = func(where string, v any) {
		object, ok := v.(map[string]any)
		if list, isList := v.([]any); isList {
			for i := range list {
				walk(fmt.Sprintf("%s/%d", where, i), list[i])
			}
		}
		if !ok {
			return
		}
		ref, _ := at(object, "schema", "$ref").(string)
		if value, shown := object["example"]; shown && ref != "" {
			checked++
			checkShape(t, doc, where, ref, value)
		}
		if examples, shown := object["examples"].(map[string]any); shown && ref != "" {
			for name, e := range examples {
				checked++
				checkShape(t, doc, where+"/"+name, ref, at(e, "value"))
				if status := code(name).status(); strings.HasPrefix(where, "/components/responses") &&
					at(e, "value", "error", "code") != name || status < 400 {
					t.Errorf("%s: the example %s has another code or status %d", where, name, status)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			walk(where+"/"+name, object[name])
		}
	}
	walk("", doc)
	if checked < 15 {
		t.Errorf("only %d examples of bodies", checked)
	}
}

func checkShape(t *testing.T, doc any, where, ref string, value any) {
	t.Helper()
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if err := schemaOf(t, raw, ref).Validate(value); err != nil {
		t.Errorf("%s: %v", where, err)
	}
}
