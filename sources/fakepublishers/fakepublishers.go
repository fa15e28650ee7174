// Package fakepublishers simulates the publishers on loopback: boards of Greenhouse, the national
// apprenticeship vacancy service, an ArcGIS FeatureServer as the Open Geography Portal runs it, the
// public API of Explore Education Statistics, and whole documents such as feeds and tables. They
// serve given tables in the publishers' formats, with the publishers' quirks, so that the real
// connectors can be tried and shown without the network.
package fakepublishers

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// writeJSON answers with v, not HTML-escaped, with its length.
func writeJSON(w http.ResponseWriter, contentType string, status int, v any) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		http.Error(w, "cannot encode: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	io.WriteString(w, b.String()) // the client may be gone
}

// File is one document that a publisher offers for downloading.
type File struct {
	ContentType string
	Body        []byte
}

// Files simulates publishers that offer whole documents at addresses that stay: feeds
// of news, tables as CSV, plans. It is an http.Handler; the address of a document is
// its name under any path.
type Files struct{ files map[string]File }

// NewFiles makes the simulator with its documents by name.
func NewFiles(files map[string]File) *Files { return &Files{files: files} }

// ServeHTTP answers one request.
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	file, ok := f.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	answer(w, file.ContentType, file.Body)
}

// answer sends a body.
func answer(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) // the client may be gone
}
