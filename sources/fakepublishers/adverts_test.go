package fakepublishers

import (
	"encoding/json"
	"fmt"
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
	f := NewApprenticeshipService("k", posts(230), 7)
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
		{"k", "2", "PageNumber=9&PageSize=100", 200, 0, `"totalPages":3`},
		{"k", "2", "PageSize=101", 400, 0, "PageSize"},
	} {
		status, body := get(c.key, c.version, c.query)
		if status != c.status || strings.Count(body, `"id"`) != c.rows || !strings.Contains(body, c.has) ||
			c.version == "" && body != "" {
			t.Errorf("%+v: %d, %d rows, %.80s", c, status, strings.Count(body, `"id"`), body)
		}
	}
	if _, body := get("k", "2", "PageSize=1"); strings.Contains(body, "fullDescription") {
		t.Error("details were given that were not asked for")
	}
}
