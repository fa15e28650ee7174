// Package apidocs serves the files of Swagger UI, a web page that shows the OpenAPI document and
// lets users try the API. The HTML page that loads these files is in package web.
package apidocs

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/swaggest/swgui/v5/static"

	"labour/serve/etag"
)

// Path is the URL path of the API reference page. The page is shown without an API key. The files
// of Swagger UI, which draws the page, are below this path.
const Path = "/docs/api"

// Routes returns the handlers of the Swagger UI files, by http.ServeMux pattern. Each file is
// decompressed at its first request. The handlers are safe for concurrent use.
func Routes() map[string]http.Handler {
	const script, style = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
	routes := map[string]http.Handler{}
	for _, file := range []struct {
		name, path, kind string // path in the library; path below Path; Content-Type
	}{
		{"swagger-ui-bundle.js.gz", "/swagger-ui-bundle.js", script},
		{"swagger-ui.css.gz", "/swagger-ui.css", style},
	} {
		load := sync.OnceValues(func() ([]byte, error) { return read(static.FS, file.name) })
		routes["GET "+Path+file.path] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			content, err := load()
			if err != nil {
				panic(err) // the files are embedded, so this is a programming error
			}
			h := w.Header()
			h.Set("Content-Type", file.kind)
			h.Set("Cache-Control", "public, max-age=300")
			h.Set("Etag", etag.Of(content))
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		})
	}
	return routes
}

// read returns the content of an embedded file. It decompresses a file whose name ends in .gz.
func read(from fs.FS, name string) ([]byte, error) {
	raw, err := fs.ReadFile(from, name)
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return raw, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}
