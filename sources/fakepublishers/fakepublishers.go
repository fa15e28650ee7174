// Package fakepublishers provides HTTP handlers that imitate the publishers' servers, so that the
// sources can be tested without the network. They serve given tables in the publishers' formats and
// with the publishers' quirks. They imitate Greenhouse boards, the national apprenticeship vacancy
// service, an ArcGIS FeatureServer (the Open Geography Portal), the API of Explore Education
// Statistics, and servers of plain files.
package fakepublishers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// writeJSON sends v as JSON. It does not escape HTML characters.
func writeJSON(w http.ResponseWriter, contentType string, status int, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		http.Error(w, "cannot encode: "+err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, contentType, status, b.Bytes())
}

const typeJSON = "application/json; charset=utf-8"

// answer sends a response with a content type, a status and a body.
func answer(w http.ResponseWriter, contentType string, status int, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body) // the client may have disconnected
}

// answerRows sends a JSON list of rows. It writes head before the rows and tail after them. It
// removes the fields named in leftOut from each row.
func answerRows(w http.ResponseWriter, head string, rows []json.RawMessage, tail string, leftOut []string) {
	var b bytes.Buffer
	b.WriteString(head)
	for i, row := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		if len(leftOut) > 0 {
			var fields map[string]json.RawMessage
			err := json.Unmarshal(row, &fields)
			for _, f := range leftOut {
				delete(fields, f)
			}
			if err == nil {
				row, err = json.Marshal(fields)
			}
			if err != nil {
				http.Error(w, "cannot encode: "+err.Error(), http.StatusInternalServerError)
				return
			}
		}
		b.Write(row)
	}
	b.WriteString(tail)
	answer(w, typeJSON, http.StatusOK, b.Bytes())
}

// ServedFile is one file of a simulated file server.
type ServedFile struct {
	ContentType string
	Body        []byte
}

// NewFileServer returns a handler that serves files by name, for example news feeds. It ignores the
// path before the name.
func NewFileServer(files map[string]ServedFile) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := files[path.Base(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		answer(w, file.ContentType, http.StatusOK, file.Body)
	})
}

// NewGreenhouse returns a handler that imitates https://boards-api.greenhouse.io. The keys of
// boards are the employers' tokens, and the values are their jobs with all fields.
//
// A board is served at /v1/boards/{token}/jobs, on one page. Like the real server, the handler
// leaves out some fields unless the request has content=true. An unknown token gives status 404.
func NewGreenhouse(boards map[string][]json.RawMessage) http.Handler {
	byToken := make(map[string][]json.RawMessage, len(boards))
	for token, rows := range boards { // the vendor treats Acme and acme as the same
		byToken[strings.ToLower(token)] = rows
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, rest, _ := strings.Cut(r.URL.Path, "/v1/boards/")
		token, ok := strings.CutSuffix(rest, "/jobs")
		rows, known := byToken[strings.ToLower(token)]
		isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
		if !ok || !known || !isRead {
			answer(w, typeJSON, http.StatusNotFound, []byte(`{"status":404,"error":"Job board not found"}`))
			return
		}
		var leftOut []string
		if r.URL.Query().Get("content") != "true" {
			leftOut = []string{"content", "departments", "offices"}
		}
		answerRows(w, `{"jobs":[`, rows, fmt.Sprintf(`],"meta":{"total":%d}}`, len(rows)), leftOut)
	})
}

const (
	// faaDefaultPage is the default page size of the apprenticeship vacancy service, in vacancies.
	faaDefaultPage = 10
	// faaLargestPage is the maximum page size of the apprenticeship vacancy service, in vacancies.
	faaLargestPage = 100
)

// faaDetails are the fields of a vacancy that are sent only if IncludeDetails=true.
var faaDetails = []string{"employerDescription", "trainingDescription", "additionalTrainingDescription",
	"outcomeDescription", "fullDescription", "skills", "qualifications", "thingsToConsider",
	"companyBenefitsInformation"}

// NewApprenticeshipService returns a handler that imitates the national apprenticeship vacancy
// service. It serves version 2 of the Display Advert API: /vacancy with the parameters PageNumber,
// PageSize and IncludeDetails. It returns 401 without the key, 404 without the header "X-Version:
// 2", and 400 for an invalid PageSize.
//
// rows are the vacancies with all details, newest first. otherAdverts is the number of adverts from
// other job boards. They are in the response's field "total" but are not served.
func NewApprenticeshipService(key string, rows []json.RawMessage, otherAdverts int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case key == "" || r.Header.Get("Ocp-Apim-Subscription-Key") != key:
			w.Header().Set("WWW-Authenticate",
				`AzureApiManagementKey realm="https://api.apprenticeships.education.gov.uk/vacancies",`+
					`name="Ocp-Apim-Subscription-Key",type="header"`)
			writeJSON(w, "application/json", http.StatusUnauthorized, map[string]any{"statusCode": 401,
				"message": "Access denied due to missing subscription key. Make sure to include subscription key when making " +
					"requests to an API."})
		case r.Header.Get("X-Version") != "2", !strings.HasSuffix(r.URL.Path, "/vacancy"):
			w.WriteHeader(http.StatusNotFound)
		default:
			faaPage(w, r, rows, otherAdverts)
		}
	})
}

func faaPage(w http.ResponseWriter, r *http.Request, rows []json.RawMessage, others int) {
	q := r.URL.Query()
	size, page := number(q.Get("PageSize")), max(number(q.Get("PageNumber")), 1)
	if q.Get("PageSize") == "" {
		size = faaDefaultPage
	}
	if size < 1 || size > faaLargestPage {
		http.Error(w, "PageSize must be 1 to 100", http.StatusBadRequest)
		return
	}
	leftOut := faaDetails
	if q.Get("IncludeDetails") == "true" {
		leftOut = nil
	}
	total := len(rows)
	from := min((page-1)*size, total)
	answerRows(w, `{"vacancies":[`, rows[from:min(from+size, total)],
		fmt.Sprintf(`],"total":%d,"totalFiltered":%d,"totalPages":%d}`, total+others, total, (total+size-1)/size),
		leftOut)
}
