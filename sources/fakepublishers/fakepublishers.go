// Package fakepublishers simulates the publishers on loopback: boards of Greenhouse, the
// national apprenticeship vacancy service, an
// ArcGIS FeatureServer as the Open Geography Portal runs it, the public API of
// Explore Education Statistics, and whole documents such as feeds and tables. They serve given tables in the publishers'
// formats, with the publishers' quirks, so that the real connectors can be tried
// and shown without the network.
package fakepublishers

import (
	"encoding/json"
	"io"
	"net/http"
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
