// Package fakepublishers simulates the publishers on loopback: boards of Greenhouse, the national
// apprenticeship vacancy service, an ArcGIS FeatureServer as the Open Geography Portal runs it, the
// public API of Explore Education Statistics, and whole documents such as feeds and tables. They
// serve given tables in the publishers' formats, with the publishers' quirks, so that the real
// connectors can be tried and shown without the network.
package fakepublishers

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// Boards simulates https://boards-api.greenhouse.io, the public lists of any number of
// employers: /v1/boards/{token}/jobs, one list without pages. It is an http.Handler.
type Boards struct {
	rows map[string][]json.RawMessage // by token in lower case: the vendor does not tell apart Acme and acme
}

// NewGreenhouse makes the simulator. The rows are jobs as with content=true; without it
// their content, departments and offices are left out, as the publisher does.
func NewGreenhouse(boards map[string][]json.RawMessage) *Boards {
	b := &Boards{rows: make(map[string][]json.RawMessage, len(boards))}
	for token, rows := range boards {
		b.rows[strings.ToLower(token)] = rows
	}
	return b
}

// token takes the board's token out of a path; anything may stand before it.
func token(path string) (string, bool) {
	_, rest, ok := strings.Cut(path, "/v1/boards/")
	if !ok {
		return "", false
	}
	t, ok := strings.CutSuffix(rest, "/jobs")
	return strings.ToLower(t), ok && t != "" && !strings.Contains(t, "/")
}

// ServeHTTP answers one request. An unknown board is 404 in the vendor's form.
func (b *Boards) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	board, ok := token(r.URL.Path)
	rows, known := b.rows[board]
	if !ok || !known || r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		w.Write([]byte(`{"status":404,"error":"Job board not found"}`)) // the client may be gone
		return
	}
	kept, err := without(r.URL.Query().Get("content") != "true", rows, "content", "departments", "offices")
	if err != nil {
		http.Error(w, "cannot encode: "+err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, "application/json; charset=utf-8", joined(`{"jobs":[`, kept, fmt.Sprintf(`],"meta":{"total":%d}}`, len(rows))))
}

// without leaves fields out of the rows, when that is asked.
func without(strip bool, rows []json.RawMessage, fields ...string) ([]json.RawMessage, error) {
	if !strip {
		return rows, nil
	}
	out := make([]json.RawMessage, len(rows))
	for i, raw := range rows {
		var row map[string]json.RawMessage
		err := json.Unmarshal(raw, &row)
		for _, f := range fields {
			delete(row, f)
		}
		if err == nil {
			out[i], err = json.Marshal(row)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// joined writes rows with commas between them.
func joined(before string, rows []json.RawMessage, after string) []byte {
	var b bytes.Buffer
	b.WriteString(before)
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(r)
	}
	b.WriteString(after)
	return b.Bytes()
}

// The paging of the apprenticeship service.
const (
	faaDefaultPage = 10
	faaLargestPage = 100
)

// FAA simulates the national apprenticeship vacancy service's Display Advert API, version 2,
// https://api.apprenticeships.education.gov.uk/vacancies: /vacancy with PageNumber, PageSize and
// IncludeDetails. It is an http.Handler. Like the real gateway it answers 401 without the
// subscription key, and 404 with an empty body without "X-Version: 2".
type FAA struct {
	key    string
	rows   []json.RawMessage
	others int
}

// NewFAA makes the simulator. rows are vacancies with all their details, newest
// first; others is how many adverts of other boards the service lists beside them,
// which "total" counts and "totalFiltered" does not.
func NewFAA(key string, rows []json.RawMessage, others int) *FAA {
	return &FAA{key: key, rows: rows, others: others}
}

// faaDetails are the fields that a row has with IncludeDetails=true only.
var faaDetails = []string{"employerDescription", "trainingDescription", "additionalTrainingDescription",
	"outcomeDescription", "fullDescription", "skills", "qualifications", "thingsToConsider", "companyBenefitsInformation"}

// ServeHTTP answers one request.
func (f *FAA) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case f.key == "" || r.Header.Get("Ocp-Apim-Subscription-Key") != f.key:
		w.Header().Set("WWW-Authenticate", `AzureApiManagementKey realm="https://api.apprenticeships.education.gov.uk/vacancies",name="Ocp-Apim-Subscription-Key",type="header"`)
		writeJSON(w, "application/json", http.StatusUnauthorized, map[string]any{"statusCode": 401,
			"message": "Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API."})
	case r.Header.Get("X-Version") != "2", !strings.HasSuffix(r.URL.Path, "/vacancy"):
		w.WriteHeader(http.StatusNotFound)
	default:
		f.page(w, r)
	}
}

func (f *FAA) page(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	size, page := number(q.Get("PageSize")), max(number(q.Get("PageNumber")), 1)
	if q.Get("PageSize") == "" {
		size = faaDefaultPage
	}
	if size < 1 || size > faaLargestPage {
		http.Error(w, "PageSize must be 1 to 100", http.StatusBadRequest)
		return
	}
	total := len(f.rows)
	from := min((page-1)*size, total)
	rows, err := without(q.Get("IncludeDetails") != "true", f.rows[from:min(from+size, total)], faaDetails...)
	if err != nil {
		http.Error(w, "cannot encode: "+err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, "application/json; charset=utf-8", joined(`{"vacancies":[`, rows,
		fmt.Sprintf(`],"total":%d,"totalFiltered":%d,"totalPages":%d}`, total+f.others, total, (total+size-1)/size)))
}
