package fakepublishers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

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
