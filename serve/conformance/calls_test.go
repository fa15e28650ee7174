package conformance

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// row is one object of an answer. Numbers keep their digits.
type row map[string]any

// envelope is what every labour response has.
type envelope struct {
	Data              []row  `json:"data"`
	Sources           []row  `json:"sources"`
	AttributionNotice string `json:"attribution_notice"`
	Meta              row    `json:"meta"`
	header            http.Header
}

// send makes any call; headers are names and values in turn.
func (s *server) send(t *testing.T, method, path, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, b}
}

// getWith calls a path with a key.
func (s *server) getWith(t *testing.T, key, path string) answer {
	t.Helper()
	return s.send(t, http.MethodGet, path, "", "Authorization", "Bearer "+key)
}

// get calls a path with the key of every scope. Where the hour of the key is used up,
// or the key lacks the scope, the test says so.
func (s *server) get(t *testing.T, path string) answer {
	t.Helper()
	a := s.getWith(t, s.key, path)
	if a.status == http.StatusTooManyRequests {
		t.Fatalf("%s: the key's calls are used up; give one with a larger plan", path)
	}
	if a.status == http.StatusForbidden && a.code() == "insufficient_scope" {
		t.Skipf("%s: the key lacks a scope", path)
	}
	return a
}

// ok is an answer that must be a 200, decoded into v.
func (s *server) ok(t *testing.T, path string, v any) http.Header {
	t.Helper()
	a := s.get(t, path)
	if a.status != http.StatusOK {
		t.Fatalf("%s: status %d: %s", path, a.status, a.body)
	}
	decode(t, a.body, v)
	return a.header
}

// labour calls a labour endpoint, such as "sources" or "skills-unmet?limit=5".
func (s *server) labour(t *testing.T, path string) envelope {
	t.Helper()
	return s.rows(t, "/v1/labour/"+path)
}

// rows calls an endpoint that gives rows.
func (s *server) rows(t *testing.T, path string) envelope {
	t.Helper()
	var e envelope
	e.header = s.ok(t, path, &e)
	return e
}

// some is labour with at least one row.
func (s *server) some(t *testing.T, path string) envelope {
	t.Helper()
	e := s.labour(t, path)
	if len(e.Data) == 0 {
		t.Fatalf("%s has no rows", path)
	}
	return e
}

// object calls an endpoint that gives one object.
func (s *server) object(t *testing.T, path string) row {
	t.Helper()
	var o struct{ Data row }
	s.ok(t, path, &o)
	return o.Data
}

// refused makes a call that must end in this error, and returns the error.
func (s *server) refused(t *testing.T, path string, status int, code string) row {
	t.Helper()
	a := s.get(t, path)
	if a.status != status || a.code() != code {
		t.Errorf("%s: status %d %s, want %d %s", path, a.status, a.body, status, code)
	}
	return a.err()
}

// err is the error of a response; empty when there is none.
func (a answer) err() row {
	var e struct{ Error row }
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	if d.Decode(&e) != nil || e.Error == nil {
		return row{}
	}
	return e.Error
}

func (a answer) code() string { return a.err().text("code") }

func decode(t *testing.T, b []byte, v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
}

// rowsOf decodes a list of objects.
func rowsOf(t *testing.T, text string) []row {
	t.Helper()
	var rows []row
	decode(t, []byte(text), &rows)
	return rows
}

// text is a field that is text; empty when it is something else.
func (r row) text(name string) string {
	s, _ := r[name].(string)
	return s
}

// number is a field that is a number, exactly; nil when it is something else.
func (r row) number(name string) *big.Rat {
	n, isNumber := r[name].(json.Number)
	if !isNumber {
		return nil
	}
	exact, _ := new(big.Rat).SetString(n.String())
	return exact
}

// whole is a field that is a whole number.
func (r row) whole(t *testing.T, name string) int64 {
	t.Helper()
	n := r.number(name)
	if n == nil || !n.IsInt() {
		t.Fatalf("%s is %v, not a whole number, in %v", name, r[name], r)
	}
	return n.Num().Int64()
}

// list is a field that is a list of objects.
func (r row) list(name string) []row {
	items, _ := r[name].([]any)
	var rows []row
	for _, i := range items {
		if object, isObject := i.(map[string]any); isObject {
			rows = append(rows, object)
		}
	}
	return rows
}

// object is a field that is an object.
func (r row) object(name string) row {
	o, _ := r[name].(map[string]any)
	return o
}

// date is a field that is a date.
func (r row) date(t *testing.T, name string) time.Time {
	t.Helper()
	on, err := time.Parse(time.DateOnly, r.text(name))
	if err != nil {
		t.Errorf("%s is %v, not a date: %v", name, r[name], r)
	}
	return on
}

// time is a field that is a time in UTC.
func (r row) time(t *testing.T, name string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, r.text(name))
	if err != nil || !strings.HasSuffix(r.text(name), "Z") {
		t.Errorf("%s is %v, not a time in UTC: %v", name, r[name], r)
	}
	return at
}

// has checks that a row has fields, null or not.
func (r row) has(t *testing.T, names ...string) {
	t.Helper()
	for _, n := range names {
		if _, there := r[n]; !there {
			t.Errorf("no %s in %v", n, r)
		}
	}
}

// filled checks that fields are text and not empty.
func (r row) filled(t *testing.T, names ...string) {
	t.Helper()
	for _, n := range names {
		if r.text(n) == "" {
			t.Errorf("%s is %v in %v", n, r[n], r)
		}
	}
}

// query writes a path with parameters.
func query(path string, pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return path + "?" + values.Encode()
}

// keys are the values of a field, each once.
func keys(rows []row, field string) map[string]bool {
	out := map[string]bool{}
	for _, r := range rows {
		out[r.text(field)] = true
	}
	return out
}
