package fakepublishers

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// EducationDataSet is one data set of a simulated Explore Education Statistics server.
type EducationDataSet struct {
	ID        string
	Title     string
	Summary   string
	Version   string    // version of the data set; empty = "1.0"
	Published time.Time // time at which the version was published
	// Filters and Indicators are labels in the description of the data set.
	Filters, Indicators []string
	// CSV is the content of the data file, as the publisher's statisticians uploaded it.
	CSV []byte
	// Uncompressed is true if the server sends the file uncompressed. The real publisher compresses it
	// with gzip.
	Uncompressed bool
}

// NewEducationStatistics returns a handler that imitates
// https://api.education.gov.uk/statistics/v1. It serves the description of a data set at
// /data-sets/{id} and its data file at /data-sets/{id}/csv. Unknown data sets and versions get a
// JSON error.
func NewEducationStatistics(sets ...EducationDataSet) http.Handler {
	byID, files := map[string]EducationDataSet{}, map[string][]byte{}
	for _, s := range sets {
		s.Version = cmp.Or(s.Version, "1.0")
		byID[s.ID], files[s.ID] = s, s.CSV
		if !s.Uncompressed {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(s.CSV) // writes to memory cannot fail
			z.Close()
			files[s.ID] = b.Bytes()
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, rest, ok := strings.Cut(r.URL.Path, "/data-sets/")
		id, part, _ := strings.Cut(rest, "/")
		s, known := byID[id]
		version := r.URL.Query().Get("dataSetVersion")
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			problem(w, http.StatusMethodNotAllowed)
		case !ok, !known, version != "" && version != s.Version, part != "" && part != "csv":
			problem(w, http.StatusNotFound)
		case part == "csv":
			w.Header().Set("ETag", fmt.Sprintf(`"%.8x"`, sha256.Sum256(files[id])))
			w.Header().Set("Content-Type", "text/csv")
			http.ServeContent(w, r, "", s.Published, bytes.NewReader(files[id]))
		default:
			writeJSON(w, typeJSON, http.StatusOK, description(s))
		}
	})
}

func problem(w http.ResponseWriter, status int) {
	writeJSON(w, "application/problem+json; charset=utf-8", status, map[string]any{
		"type": fmt.Sprintf("https://tools.ietf.org/html/rfc9110#status-%d", status), "title": http.StatusText(status),
		"status": status})
}

// description returns the description of a data set, with the JSON fields of the publisher's API.
func description(s EducationDataSet) map[string]any {
	return map[string]any{
		"id": s.ID, "title": s.Title, "summary": s.Summary, "status": "Published",
		"latestVersion": map[string]any{
			"version": s.Version, "published": s.Published.UTC().Format(time.RFC3339),
			"totalResults": max(0, bytes.Count(s.CSV, []byte("\n"))-1),
			"file":         map[string]any{"id": s.ID},
			"filters":      append([]string{}, s.Filters...), "indicators": append([]string{}, s.Indicators...),
		},
	}
}
