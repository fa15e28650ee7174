package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"labour/serve/api"
	"labour/serve/apidocs"
	"labour/serve/partners/access"
	"labour/serve/state"
	"labour/serve/stores"
	"labour/serve/webhooks"
)

// service is the whole interface on a real state database and a fake snapshot.
type service struct {
	handler http.Handler
	live    *fakeLive
	keys    *access.Store
	key     access.Key
	secret  string // of key; sent with every call
	hooks   *webhooks.Service
	clock   *clock
	log     *bytes.Buffer
	options Options
}

type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func newService(t testing.TB, change func(*Options)) *service {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := &service{
		live:  newFakeLive("2026-11-20.1"),
		clock: &clock{at: time.Date(2026, 11, 20, 6, 30, 0, 250_000_000, time.UTC)}, log: &bytes.Buffer{},
	}
	log := slog.New(slog.NewJSONHandler(s.log, nil))
	stores, err := stores.Open(ctx, filepath.Join(t.TempDir(), state.DatabaseFileName), s.clock.now, rand.Reader, log)
	if err != nil {
		t.Fatal(err)
	}
	s.keys = stores.Keys
	if s.key, s.secret, err = s.keys.CreateKey(ctx, access.KeyRequest{Partner: "Example"}); err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { stores.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait(); stores.Close() })
	if s.hooks, err = stores.OpenWebhooks(ctx, nil, true, nil); err != nil {
		t.Fatal(err)
	}
	o := Options{
		Webhooks:  s.hooks,
		Snapshots: s.live, Authenticator: stores.Keys, RequestCounter: stores.RequestCounter, Cursors: stores.Cursors,
		Now:          s.clock.now,
		RandomSource: rand.Reader, Log: log,
	}
	if change != nil {
		change(&o)
	}
	s.options = o
	if s.handler, err = New(o); err != nil {
		t.Fatal(err)
	}
	return s
}

// grant makes a key of the same partner with those scopes the service's own.
func (s *service) grant(t testing.TB, scopes ...access.Scope) {
	t.Helper()
	var err error
	if s.key, s.secret, err = s.keys.CreateKey(context.Background(),
		access.KeyRequest{Partner: "Example", Scopes: scopes}); err != nil {
		t.Fatal(err)
	}
}

// result is a response, already compared with the OpenAPI document.
type result struct {
	status int
	header http.Header
	body   []byte
}

// get calls a path with the service's key.
func (s *service) get(t testing.TB, target string, headers ...string) result {
	t.Helper()
	return s.do(t, http.MethodGet, target, append([]string{"Authorization", "Bearer " + s.secret}, headers...)...)
}

// do makes any call; headers are names and values in turn, the last one of a
// name counts, an empty value leaves it out.
func (s *service) do(t testing.TB, method, target string, headers ...string) result {
	t.Helper()
	return s.send(t, method, target, "", headers...)
}

// send is do with a body.
func (s *service) send(t testing.TB, method, target, body string, headers ...string) result {
	t.Helper()
	return s.sendFrom(t, method, target, strings.NewReader(body), headers...)
}

// sendFrom is send with a body that is read.
func (s *service) sendFrom(t testing.TB, method, target string, body io.Reader, headers ...string) result {
	t.Helper()
	r := httptest.NewRequest(method, target, body)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	out := result{w.Code, http.Header{}, w.Body.Bytes()}
	for name, values := range w.Header() { // a client takes names in any letter case
		out.header[http.CanonicalHeaderKey(name)] = values
	}
	checkEvery(t, r, out)
	if open := s.live.stillOpen(); open != 0 {
		t.Errorf("%s: %d snapshots not released", target, open)
	}
	return out
}

var requestID = regexp.MustCompile(`^req_[0-9A-HJKMNP-TV-Z]{26}$`)

// checkEvery checks what holds of every response.
func checkEvery(t testing.TB, r *http.Request, res result) {
	t.Helper()
	id := res.header.Get("X-Request-Id")
	if !requestID.MatchString(id) {
		t.Errorf("%s: X-Request-Id %q", r.URL, id)
	}
	if bytes.Contains(res.body, []byte(`\u003c`)) {
		t.Errorf("%s: body is escaped for HTML", r.URL)
	}
	if res.status >= 400 {
		checkError(t, r, res, id)
	}
	if !strings.HasPrefix(r.URL.Path, apidocs.Path) && res.header.Get("Content-Encoding") == "" &&
		r.Method != http.MethodHead && r.Method != http.MethodOptions &&
		(res.status != http.StatusNotFound || strings.HasPrefix(r.URL.Path, endpointsPath)) &&
		res.status != http.StatusMethodNotAllowed {
		if res.status == http.StatusUnauthorized {
			// Unknown paths answer the same as known ones do.
			r = httptest.NewRequest(http.MethodGet, "/v1/labour/sources", nil)
		}
		validate(t, r, res)
	}
}

func checkError(t testing.TB, r *http.Request, res result, id string) {
	t.Helper()
	var e api.ErrorBody
	d := json.NewDecoder(bytes.NewReader(res.body))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		t.Errorf("%s: error body %s: %v", r.URL, res.body, err)
		return
	}
	if e.Error.RequestID != id {
		t.Errorf("%s: error.request_id %q, X-Request-Id %q", r.URL, e.Error.RequestID, id)
	}
	if got := code(e.Error.Code).status(); got != res.status {
		t.Errorf("%s: code %s with status %d", r.URL, e.Error.Code, res.status)
	}
	if e.Error.Message == "" {
		t.Errorf("%s: no message", r.URL)
	}
	for _, inside := range []string{"SELECT", ".go", "goroutine", "labourdata", "sql:", "panic", "context "} {
		if strings.Contains(string(res.body), inside) {
			t.Errorf("%s: the error shows the inside: %s", r.URL, res.body)
		}
	}
}

// documented is a validator for the OpenAPI document, made strict: a field that
// is not in it is an error.
var documented = sync.OnceValues(func() (validator.Validator, error) {
	raw, err := Document()
	if err != nil {
		return nil, err
	}
	strict := bytes.ReplaceAll(raw, []byte(`"additionalProperties": true`), []byte(`"additionalProperties": false`))
	doc, err := libopenapi.NewDocument(strict)
	if err != nil {
		return nil, err
	}
	v, errs := validator.NewValidator(doc)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return v, nil
})

// schemaOf compiles a schema of the document.
func schemaOf(t testing.TB, doc []byte, ref string) *jsonschema.Schema {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(
		bytes.NewReader(bytes.ReplaceAll(doc, []byte(`"additionalProperties":true`),
			[]byte(`"additionalProperties":false`))))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("openapi.json" + ref)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t testing.TB, r *http.Request, res result) {
	t.Helper()
	v, err := documented()
	if err != nil {
		t.Fatal(err)
	}
	ok, faults := v.ValidateHttpResponse(r, &http.Response{
		StatusCode: res.status, Header: res.header, Body: io.NopCloser(bytes.NewReader(res.body)), Request: r,
	})
	if ok {
		return
	}
	for _, f := range faults {
		t.Errorf("%s: not as documented: %s: %s", r.URL, f.Message, f.Reason)
		for _, s := range f.SchemaValidationErrors {
			t.Errorf("  %s at %s", s.Reason, s.Location)
		}
	}
}

// errorOf is the error of a response.
func errorOf(t testing.TB, res result) api.Error {
	t.Helper()
	var e api.ErrorBody
	if err := json.Unmarshal(res.body, &e); err != nil {
		t.Fatalf("error body %s: %v", res.body, err)
	}
	return e.Error
}

// envelope is what tests read of a labour response.
type envelope struct {
	Data    []map[string]any `json:"data"`
	Sources []struct {
		Key string `json:"key"`
	} `json:"sources"`
	AttributionNotice string `json:"attribution_notice"`
	Meta              struct {
		Snapshot   string  `json:"snapshot"`
		Returned   int     `json:"returned"`
		Limit      int     `json:"limit"`
		NextCursor *string `json:"next_cursor"`
	} `json:"meta"`
}

// envelopeOf is the envelope of a response that must be a 200.
func envelopeOf(t testing.TB, res result) envelope {
	t.Helper()
	if res.status != http.StatusOK {
		t.Fatalf("status %d: %s", res.status, res.body)
	}
	var e envelope
	if err := json.Unmarshal(res.body, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// The check against the document can fail.
func TestTheDocumentIsStrict(t *testing.T) {
	s := newService(t, nil)
	good := string(s.get(t, "/v1/labour/skills-unmet").body)
	v, err := documented()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"as it is":         {"", ""},
		"unknown field":    {`"rank":1,`, `"rank":1,"adverts":7,`},
		"small number":     {`"people_turned_down":12`, `"people_turned_down":3`},
		"other text":       {`"people_turned_down":12`, `"people_turned_down":"<6"`},
		"no metadata":      {`"meta":`, `"mata":`},
		"null list":        {`"sources":[`, `"sources":null,"x":[`},
		"missing field":    {`"level_name":"Working",`, ``},
		"number as text":   {`"rank":1`, `"rank":"1"`},
		"date out of form": {`"as_of":"2026-11-20"`, `"as_of":20261120`},
	} {
		body := strings.Replace(good, change[0], change[1], 1)
		r := httptest.NewRequest(http.MethodGet, "/v1/labour/skills-unmet", nil)
		header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"req_1"}}
		ok, _ := v.ValidateHttpResponse(r, &http.Response{StatusCode: 200, Header: header,
			Body: io.NopCloser(strings.NewReader(body)), Request: r})
		if ok != (body == good) {
			t.Errorf("%s: accepted %v", name, ok)
		}
	}
}
