// Package apidocs serves the interactive documentation of the API: one page that shows the OpenAPI
// document with forms to try it out. The page is rendered by Swagger UI, whose files are embedded
// through a library. The page loads nothing from other hosts and runs only its own scripts; its
// content security policy enforces this.
package apidocs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/swaggest/swgui/v5/static"
)

// Path is where the page is. It needs no key.
const Path = "/docs/api"

//go:embed page
var page embed.FS

// policy lets the page load from its own host only, run no inline script or style,
// and appear in no frame. Swagger UI draws its icons from data: addresses.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Routes returns the handlers by pattern of the standard mux. They are safe for
// concurrent use. A file is read at its first request.
func Routes() map[string]http.Handler {
	const script, style = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
	routes := map[string]http.Handler{}
	for _, file := range []struct {
		from             fs.FS
		name, path, kind string // in from; below Path; Content-Type
	}{
		{page, "page/index.html", "", "text/html; charset=utf-8"},
		{page, "page/page.js", "/page.js", script},
		{page, "page/page.css", "/page.css", style},
		{static.FS, "swagger-ui-bundle.js.gz", "/swagger-ui-bundle.js", script},
		{static.FS, "swagger-ui.css.gz", "/swagger-ui.css", style},
		{static.FS, "favicon-32x32.png", "/favicon-32x32.png", "image/png"},
	} {
		load := sync.OnceValues(func() ([]byte, error) { return read(file.from, file.name) })
		routes["GET "+Path+file.path] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			content, err := load()
			if err != nil {
				panic(err) // the files are part of the program, so it was built wrongly
			}
			sum := sha256.Sum256(content)
			h := w.Header()
			h.Set("Content-Type", file.kind)
			h.Set("Cache-Control", "public, max-age=300")
			h.Set("Etag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
			h.Set("Content-Security-Policy", policy)
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Referrer-Policy", "no-referrer")
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		})
	}
	return routes
}

// read reads a file, and decompresses one whose name ends in .gz.
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
