// Package apidocs serves the files of Swagger UI, which shows the OpenAPI document with forms to
// try the calls. A library embeds them. The page that loads them is in package web.
package apidocs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/swaggest/swgui/v5/static"
)

// Path is the address of the page. The files are below it. They need no key.
const Path = "/docs/api"

// Routes returns the handlers by pattern of the standard mux. They are safe for concurrent use. A
// file is read at the first request for it.
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
			sum := sha256.Sum256(content)
			h := w.Header()
			h.Set("Content-Type", file.kind)
			h.Set("Cache-Control", "public, max-age=300")
			h.Set("Etag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
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
