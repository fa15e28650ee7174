package apidocs

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// TestFilesOfThePage are served unpacked, and not again to who has them.
func TestFilesOfThePage(t *testing.T) {
	routes := Routes()
	for path, want := range map[string][2]string{
		"/docs/api/swagger-ui-bundle.js": {"text/javascript; charset=utf-8", "SwaggerUIBundle"},
		"/docs/api/swagger-ui.css":       {"text/css; charset=utf-8", ".swagger-ui"},
	} {
		h := routes["GET "+path]
		if h == nil || len(routes) != 2 {
			t.Fatalf("%s is none of %d routes", path, len(routes))
		}
		ask := func(tag string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Header.Set("If-None-Match", tag)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		w := ask("")
		tag := w.Header().Get("Etag")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != want[0] ||
			w.Header().Get("Cache-Control") != "public, max-age=300" || !strings.Contains(w.Body.String(), want[1]) ||
			len(tag) != len(`W/""`)+24 || !strings.HasPrefix(tag, `W/"`) || !strings.HasSuffix(tag, `"`) {
			t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
		}
		if w := ask(tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
			t.Errorf("%s again: status %d with %d bytes", path, w.Code, w.Body.Len())
		}
	}
}

// TestPackedFilesAreUnpacked by the ending of their names.
func TestPackedFilesAreUnpacked(t *testing.T) {
	from := fstest.MapFS{"a.css": {Data: []byte("plain")}, "b.css.gz": {Data: []byte("no gzip")}}
	if b, err := read(from, "a.css"); string(b) != "plain" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := read(from, "b.css.gz"); len(b) > 0 || err == nil {
		t.Errorf("what is not packed: %q, %v", b, err)
	}
	if _, err := read(from, "c.css.gz"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}
