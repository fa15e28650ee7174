package serve

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/serve/formats"
	"labour/serve/partners/access"
)

// A page offers a page of a list, the whole list, or a table for a workbook of its own.
func TestFilesOfPages(t *testing.T) {
	var table formats.Table
	s := newService(t, withPages(func(in PageBackend) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			d := Download{Dataset: "skills-unmet", Format: "xlsx", PagePath: r.URL.Path, URL: "https://labour.example/x",
				AllRows: r.URL.Path == "/whole"}
			if r.URL.Path == "/table" {
				d.Table = &table
			}
			in.SendDownload(w, r, d, url.Values{"limit": {"2"}})
		}
	}))
	for path, limit := range map[string]int{"/page": 2, "/whole": 100_000, "/table": 2} {
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if q, ok := s.live.now().last().(api.SkillsUnmetQuery); !ok || q.Limit != limit {
			t.Errorf("%s asks for %+v, want a limit of %d", path, q, limit)
		}
		if w.Code != http.StatusOK || w.Header().Get("Content-Disposition") !=
			`attachment; filename="skills-unmet-2026-11-20.1.xlsx"` {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		if path == "/table" {
			var book bytes.Buffer
			err := formats.WriteWorkbookOfSheets(&book, []formats.Sheet{{Title: "Skills", Table: table}}, nil)
			if err != nil || reflect.ValueOf(table).IsZero() || w.Body.Len() > 0 {
				t.Errorf("the table is empty, or %d bytes were sent (%v)", w.Body.Len(), err)
			}
		} else if w.Header().Get("Content-Type") != typeWorkbook || !strings.HasPrefix(w.Body.String(), "PK") {
			t.Errorf("%s is %s", path, w.Header().Get("Content-Type"))
		}
	}
}

// Only a partner whose events are missing gets a note on it.
func TestMissingEventsAreTold(t *testing.T) {
	s := newService(t, nil)
	for partner, told := range map[string]bool{"Example": false, "Elsewhere": true} {
		_, secret, err := s.keys.CreateKey(t.Context(), access.KeyRequest{Partner: partner,
			Scopes: []access.Scope{access.ScopeEventsRead}})
		if err != nil {
			t.Fatal(err)
		}
		s.secret = secret
		body := string(s.get(t, "/v1/events").body)
		if strings.Contains(body, "This server does not have the events of partners: yours are missing here.") != told {
			t.Errorf("%s is told %s", partner, body)
		}
	}
}
