package fakepublishers

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// posts are n rows with the fields that are left out on request.
func posts(n int) []json.RawMessage {
	out := make([]json.RawMessage, n)
	for i := range out {
		out[i] = json.RawMessage(fmt.Sprintf(`{"id":%d,"content":"x","compensation":{},"fullDescription":"x"}`, i+1))
	}
	return out
}

// TestBoards checks the vendor's form: what is left out, unknown boards.
func TestBoards(t *testing.T) {
	green := NewGreenhouse(map[string][]json.RawMessage{"Acme": posts(130), "none": {}})
	for _, c := range []struct {
		name   string
		h      http.Handler
		path   string
		status int
		rows   int
		has    string
	}{
		{"all jobs", green, "/x/v1/boards/acme/jobs?content=true", 200, 130, `"content"`},
		{"without content", green, "/v1/boards/acme/jobs", 200, 130, `"total":130`},
		{"empty board", green, "/v1/boards/none/jobs", 200, 0, `{"jobs":[],"meta":{"total":0}}`},
		{"unknown board", green, "/v1/boards/nobody/jobs", 404, 0, `"status":404`},
		{"no list of jobs", green, "/v1/boards/acme", 404, 0, `"status":404`},
	} {
		status, body := ask(t, c.h, c.path)
		if status != c.status || strings.Count(body, `"id"`) != c.rows || !strings.Contains(body, c.has) {
			t.Errorf("%s: %d, %d rows, %.80s", c.name, status, strings.Count(body, `"id"`), body)
		}
	}
	if _, body := ask(t, green, "/v1/boards/acme/jobs"); strings.Contains(body, `"content"`) {
		t.Error("gives what was not asked for")
	}
}

// TestFAA checks the headers, the paging and the two totals.
func TestFAA(t *testing.T) {
	f := NewFAA("k", posts(230), 7)
	get := func(key, version, query string) (int, string) {
		r := httptest.NewRequest(http.MethodGet, "/vacancies/vacancy?"+query, nil)
		r.Header.Set("Ocp-Apim-Subscription-Key", key)
		r.Header.Set("X-Version", version)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, c := range []struct {
		key, version, query string
		status, rows        int
		has                 string
	}{
		{"", "2", "", 401, 0, "subscription key"}, {"other", "2", "", 401, 0, "subscription key"},
		{"k", "", "", 404, 0, ""}, {"k", "1", "", 404, 0, ""},
		{"k", "2", "", 200, 10, `"total":237,"totalFiltered":230,"totalPages":23`},
		{"k", "2", "PageNumber=3&PageSize=100&IncludeDetails=true", 200, 30, `"fullDescription"`},
		{"k", "2", "PageNumber=9&PageSize=100", 200, 0, `"totalPages":3`}, {"k", "2", "PageSize=101", 400, 0, "PageSize"},
	} {
		status, body := get(c.key, c.version, c.query)
		if status != c.status || strings.Count(body, `"id"`) != c.rows || !strings.Contains(body, c.has) || c.version == "" && body != "" {
			t.Errorf("%+v: %d, %d rows, %.80s", c, status, strings.Count(body, `"id"`), body)
		}
	}
	if _, body := get("k", "2", "PageSize=1"); strings.Contains(body, "fullDescription") {
		t.Error("details were given that were not asked for")
	}
}

// TestFaults checks what each fault does over a real connection.
func TestFaults(t *testing.T) {
	b := NewGreenhouse(map[string][]json.RawMessage{"acme": posts(10), "other": posts(3)})
	server := httptest.NewServer(b)
	defer server.Close()
	get := func(board string) (*http.Response, string, error) {
		r, err := http.Get(server.URL + "/v1/boards/" + board + "/jobs")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		return r, string(body), err
	}
	for fault, want := range map[Fault]struct{ first, second, rows int }{Healthy: {200, 200, 10}, TooMany: {429, 200, 10}, ErrorOnce: {500, 200, 10},
		ErrorAlways: {500, 500, 0}, HTMLPage: {200, 200, 0}, HalfTheRows: {200, 200, 5}, NoRows: {200, 200, 0}, Truncated: {200, 200, -1}} {
		b.Faults.Set("acme", fault)
		first, _, _ := get("acme")
		second, body, err := get("acme")
		if first.StatusCode != want.first || second.StatusCode != want.second {
			t.Errorf("fault %d: %d, then %d", fault, first.StatusCode, second.StatusCode)
		}
		if fault == TooMany && first.Header.Get("Retry-After") != "1" {
			t.Error("429 does not say when to come again")
		}
		if n := strings.Count(body, `"id"`); want.rows >= 0 && n != want.rows || (err != nil) != (fault == Truncated) {
			t.Errorf("fault %d: %d rows, %v", fault, n, err)
		}
		if fault == HalfTheRows && !strings.Contains(body, `"total":10`) {
			t.Errorf("the announced number changed: %.200s", body)
		}
		if _, body, err := get("other"); err != nil || strings.Count(body, `"id"`) != 3 {
			t.Errorf("fault %d: another board has it too", fault)
		}
	}
}
