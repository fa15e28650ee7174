package fakepublishers

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// EESDataSet is one data set of a simulated Explore Education Statistics.
type EESDataSet struct {
	ID        string
	Title     string
	Summary   string
	Version   string    // "" is 1.0
	Published time.Time // of the version
	// Filters and Indicators are the labels that the description lists.
	Filters, Indicators []string
	// CSV is the file as the publisher's statisticians uploaded it.
	CSV []byte
	// Plain serves the file uncompressed; the publisher compresses.
	Plain bool
}

// EES simulates https://api.education.gov.uk/statistics/v1: the description of a data set at
// /data-sets/{id} and its file, as gzip, at /data-sets/{id}/csv. A path before these is allowed.
// Unknown data sets and versions are answered with the publisher's problem JSON.
type EES struct {
	sets  map[string]EESDataSet
	files map[string][]byte
}

// NewEES makes the simulator; it is an http.Handler.
func NewEES(sets ...EESDataSet) (*EES, error) {
	e := &EES{sets: map[string]EESDataSet{}, files: map[string][]byte{}}
	for _, s := range sets {
		s.Version = cmp.Or(s.Version, "1.0")
		file := s.CSV
		if !s.Plain {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			if _, err := z.Write(s.CSV); err != nil {
				return nil, fmt.Errorf("compress data set %s: %w", s.ID, err)
			}
			if err := z.Close(); err != nil {
				return nil, fmt.Errorf("compress data set %s: %w", s.ID, err)
			}
			file = b.Bytes()
		}
		e.sets[s.ID], e.files[s.ID] = s, file
	}
	return e, nil
}

// ServeHTTP answers one request.
func (e *EES) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, rest, ok := strings.Cut(r.URL.Path, "/data-sets/")
	id, part, _ := strings.Cut(rest, "/")
	s, known := e.sets[id]
	version := r.URL.Query().Get("dataSetVersion")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		e.problem(w, http.StatusMethodNotAllowed, "Method Not Allowed")
	case !ok, !known, version != "" && version != s.Version, part != "" && part != "csv":
		e.problem(w, http.StatusNotFound, "Not Found")
	case part == "csv":
		e.csv(w, r, s)
	default:
		writeJSON(w, "application/json; charset=utf-8", http.StatusOK, description(s))
	}
}

func (e *EES) csv(w http.ResponseWriter, r *http.Request, s EESDataSet) {
	sum := sha256.Sum256(e.files[s.ID])
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	w.Header().Set("Content-Type", "text/csv")
	http.ServeContent(w, r, "", s.Published, bytes.NewReader(e.files[s.ID]))
}

func (e *EES) problem(w http.ResponseWriter, status int, title string) {
	writeJSON(w, "application/problem+json; charset=utf-8", status, map[string]any{
		"type": fmt.Sprintf("https://tools.ietf.org/html/rfc9110#status-%d", status), "title": title, "status": status})
}

// description is the answer for one data set, shaped like the publisher's.
func description(s EESDataSet) map[string]any {
	labels := func(l []string) []string { return append([]string{}, l...) }
	return map[string]any{
		"id": s.ID, "title": s.Title, "summary": s.Summary, "status": "Published",
		"latestVersion": map[string]any{
			"version": s.Version, "published": s.Published.UTC().Format(time.RFC3339),
			"totalResults": max(0, bytes.Count(s.CSV, []byte("\n"))-1),
			"file":         map[string]any{"id": s.ID},
			"filters":      labels(s.Filters), "indicators": labels(s.Indicators),
		},
	}
}
