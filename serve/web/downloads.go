package web

import (
	"bytes"
	"encoding/csv"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"

	"labour/serve"
	"labour/serve/api"
)

// download returns a handler that sends labour market data as a CSV or Excel file, without an API
// key. format is csv or xlsx. For a path that contains whole/, it sends the whole list and refuses
// a cursor.
func (s *Site) download(format string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.sendDownload(w, r, format, r.URL.Query()) }
}

func (s *Site) sendDownload(w http.ResponseWriter, r *http.Request, format string, q url.Values) {
	d := serve.Download{Dataset: path.Base(r.URL.Path), Format: format, AllRows: r.PathValue("dataset") == "",
		PagePath: r.URL.Path, URL: s.baseOf(r) + r.URL.RequestURI()}
	if d.AllRows && q.Has("cursor") {
		http.Error(w, "The whole list has no pages. Leave out cursor.", http.StatusBadRequest)
		return
	}
	if d.AllRows {
		q.Del("limit")
	}
	s.Backend.SendDownload(w, r, d, q)
}

type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *response) Header() http.Header         { return r.header }
func (r *response) WriteHeader(status int)      { r.status = status }
func (r *response) Write(b []byte) (int, error) { return r.body.Write(b) }

// wholeList sends the whole list of unmet skills as CSV. If the parameter each is "place", it sends
// the lists of all places.
func (s *Site) wholeList(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	each, ofEach := q["each"]
	q.Del("each")
	switch {
	case !ofEach:
		s.sendDownload(w, r, "csv", q)
	case !slices.Equal(each, []string{"place"}):
		http.Error(w, "each can only be place: each=place sends the lists of every place.", http.StatusBadRequest)
	case q.Has("place"):
		http.Error(w, "each=place sends the lists of every place. Leave out place, or leave out each.",
			http.StatusBadRequest)
	default:
		s.listOfEachPlace(w, r, q)
	}
}

// listOfEachPlace sends the lists of all places in one CSV file. q has the filters and the
// snapshot. Each line begins with the slug and the official code of its place.
func (s *Site) listOfEachPlace(w http.ResponseWriter, r *http.Request, q url.Values) {
	snapshot, release, err := s.Snapshots.Acquire()
	if err != nil {
		http.Error(w, "The service has no data loaded yet.", http.StatusServiceUnavailable)
		return
	}
	defer release()
	if id := q.Get("snapshot"); q.Has("snapshot") && id != snapshot.ID() {
		past, done, err := s.Snapshots.AcquireByID(r.Context(), id, false)
		if err != nil {
			http.Error(w, "There are no figures of this snapshot: it was never published, was removed or withdrawn, or "+
				"is not loaded. Leave out snapshot for today's figures.", http.StatusBadRequest)
			return
		}
		defer done()
		snapshot = past
	}
	places := snapshot.NamedValues(api.Places)
	if !serve.ChargeExtraRequests(w, r, len(places)) { // each place costs about as much as a page
		return
	}
	r = r.Clone(r.Context())
	r.Header.Del("If-None-Match")    // each place has an entity tag, but all of them together have none
	q.Set("snapshot", snapshot.ID()) // the same snapshot for all, even if a newer one is published meanwhile
	out := csv.NewWriter(w)
	for i, place := range places {
		q.Set("place", place.Value)
		answer := &response{header: http.Header{}, status: http.StatusOK}
		s.sendDownload(answer, r, "csv", maps.Clone(q))
		if answer.status != http.StatusOK && i == 0 {
			maps.Copy(w.Header(), answer.header)
			w.WriteHeader(answer.status)
			w.Write(answer.body.Bytes()) // the client may have disconnected
			return
		}
		if answer.status != http.StatusOK || appendPlace(w, out, answer, place, i == 0) != nil {
			panic(http.ErrAbortHandler) // a partial list must not look complete
		}
	}
	out.Flush()
}

// appendPlace writes the CSV lines of one place to out. answer is the API's response with the
// figures of this place. Before the lines of the first place, appendPlace writes the HTTP headers
// to w and the column names to out.
func appendPlace(w http.ResponseWriter, out *csv.Writer, answer *response, place api.Named, isFirst bool) error {
	lines, err := csv.NewReader(&answer.body).ReadAll()
	if err == nil && isFirst {
		for _, name := range []string{"Content-Type", "Content-Disposition", "Cache-Control", "X-Snapshot", "X-As-Of",
			"X-People-As-Of", "X-People", "X-Attribution-Notice"} {
			if value := answer.header.Get(name); value != "" {
				w.Header().Set(name, value)
			}
		}
		serve.StreamResponse(w)
		err = out.Write(append([]string{"place", "place_code"}, lines[0]...))
	}
	for i := 1; i < len(lines) && err == nil; i++ {
		err = out.Write(append([]string{place.Value, place.Code}, lines[i]...))
	}
	return err
}
