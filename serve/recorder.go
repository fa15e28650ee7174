package serve

import (
	"bytes"
	"net/http"
)

// recorder keeps a response until it is complete. Nothing is sent before, so
// that a failure half-way can still become a clean 500.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *recorder { return &recorder{header: http.Header{}} }

// Header is the response's header.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader notes the status; only the first counts.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write keeps a part of the body.
func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}

// reset forgets everything.
func (r *recorder) reset() {
	r.header, r.status = http.Header{}, 0
	r.body.Reset()
}

// send sends the response. A 304 has no body and so no type.
func (r *recorder) send(w http.ResponseWriter) error {
	for name, values := range r.header {
		w.Header()[spelling(name)] = values
	}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.status == http.StatusNotModified {
		w.Header().Del("Content-Type")
		r.body.Reset()
	}
	w.WriteHeader(r.status)
	_, err := w.Write(r.body.Bytes())
	return err
}

// spelling is a header's name as the specification writes it. Names are the same
// in any letter case; this is for people who compare the two.
func spelling(name string) string {
	switch name {
	case "X-Ratelimit-Limit":
		return "X-RateLimit-Limit"
	case "X-Ratelimit-Remaining":
		return "X-RateLimit-Remaining"
	case "X-Ratelimit-Reset":
		return "X-RateLimit-Reset"
	case "Etag":
		return "ETag"
	case "Www-Authenticate":
		return "WWW-Authenticate"
	}
	return name
}
