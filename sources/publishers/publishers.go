// Package publishers simulates the publishers on loopback: boards of Greenhouse,
// Lever and Ashby, the national apprenticeship vacancy service, an
// ArcGIS FeatureServer as the Open Geography Portal runs it, the public API of
// Explore Education Statistics, and whole documents such as feeds and tables. They serve given tables in the publishers'
// formats, with the publishers' quirks, so that the real connectors can be tried
// and shown without the network.
package publishers

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Rows reads a CSV table with a header into rows by column. A byte order mark is
// skipped; every value is a string.
func Rows(r io.Reader) ([]map[string]any, error) {
	c := csv.NewReader(r)
	header, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("read the header of a table: %w", err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	var rows []map[string]any
	for {
		rec, err := c.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read a table: %w", err)
		}
		row := make(map[string]any, len(header))
		for i, h := range header {
			row[h] = rec[i]
		}
		rows = append(rows, row)
	}
}

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
