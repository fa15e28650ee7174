package web

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"net/url"
	"strconv"

	"labour/serve"
	"labour/serve/api"
)

// response is a response of the API that is kept in memory.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *response) Header() http.Header         { return r.header }
func (r *response) WriteHeader(status int)      { r.status = status }
func (r *response) Write(b []byte) (int, error) { return r.body.Write(b) }

// inside returns what the interface answers to a call.
func (s *Site) inside(r *http.Request, dataset string, q url.Values) *response {
	answer := &response{header: http.Header{}, status: http.StatusOK}
	asked := r.Clone(r.Context())
	asked.Header.Del("If-None-Match")
	s.Inside.Labour(answer, asked, dataset, q)
	return answer
}

// wholeList gives all pages of the list of unmet skills as one CSV: those of a filter, or
// with each=place those of every place, whose slug and official code stand in front.
func (s *Site) wholeList(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	every := q.Get("each") == "place"
	q.Del("each")
	places := []api.Named{{}}
	if every {
		snapshot, release, err := s.Live.Acquire()
		if err != nil {
			http.Error(w, "The service has no data loaded yet.", http.StatusServiceUnavailable)
			return
		}
		places = snapshot.Named(api.Places)
		release()
	}
	out := csv.NewWriter(w)
	begun := false
	for _, place := range places {
		front := []string{}
		if every {
			q.Set("place", place.Value)
			front = []string{place.Value, place.Code}
		}
		failed := s.eachPage(r, q, func(answer *response) error { return appendCSV(w, out, answer, front, &begun) })
		if failed != nil && !begun {
			pass(w, failed)
			return
		}
		if failed != nil {
			panic(http.ErrAbortHandler) // half a list must not look like a whole one
		}
	}
	out.Flush()
}

// eachPage gives every page of the list as CSV; it returns the response that is none.
func (s *Site) eachPage(r *http.Request, q url.Values, page func(*response) error) (failed *response) {
	q.Set("format", "csv")
	q.Set("limit", strconv.Itoa(mostCalled))
	for cursor := ""; ; {
		q.Del("cursor")
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		answer := s.inside(r, "skills-unmet", q)
		if answer.status != http.StatusOK || page(answer) != nil {
			return answer
		}
		if cursor = answer.header.Get("X-Next-Cursor"); cursor == "" {
			return nil
		}
	}
}

// appendCSV writes the rows of a page, and the line of names before the first one.
func appendCSV(w http.ResponseWriter, out *csv.Writer, answer *response, front []string, begun *bool) error {
	lines, err := csv.NewReader(&answer.body).ReadAll()
	if err != nil || len(lines) == 0 {
		return err
	}
	if !*begun {
		*begun = true
		for _, name := range []string{"Content-Type", "X-Snapshot", "X-As-Of", "X-People-As-Of", "X-Attribution-Notice"} {
			if value := answer.header.Get(name); value != "" {
				w.Header().Set(name, value)
			}
		}
		w.Header().Set("Cache-Control", serve.PublicCache)
		w.Header().Set("Content-Disposition", `attachment; filename="skills-unmet-`+answer.header.Get("X-Snapshot")+`.csv"`)
		serve.Stream(w)
		names := []string{}
		if len(front) > 0 {
			names = []string{"place", "place_code"}
		}
		if err := out.Write(append(names, lines[0]...)); err != nil {
			return err
		}
	}
	for _, line := range lines[1:] {
		if err := out.Write(append(front[:len(front):len(front)], line...)); err != nil {
			return err
		}
	}
	return nil
}

func pass(w http.ResponseWriter, answer *response) {
	for name, values := range answer.header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.status)
	w.Write(answer.body.Bytes()) // whoever asked may be gone
}
