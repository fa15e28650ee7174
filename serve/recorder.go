package serve

import (
	"net/http"
	"strconv"
	"sync"
)

// recorder keeps a response until it is complete. Nothing is sent before, so
// that a failure half-way can still become a clean 500.
type recorder struct {
	header http.Header
	status int
	body   []byte
	plain  int // length of a body that is compressed already, before that; 0 = it is not

	scratch [64]byte // for whoever fills in the body
}

// recorders are used again, so that a call does not grow a body of its own.
type recorders struct{ sync.Pool }

// largestRecorded is the largest body whose memory is used again.
const largestRecorded = 256 << 10

func (p *recorders) get() *recorder {
	if r, ok := p.Get().(*recorder); ok {
		return r
	}
	return newRecorder()
}

// put takes a recorder back that nobody uses any more.
func (p *recorders) put(r *recorder) {
	if cap(r.body) <= largestRecorded {
		r.reset()
		p.Put(r)
	}
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
	r.body = append(r.body, b...)
	return len(b), nil
}

// encoded says that the body is in a content coding, and how long it was before.
func (r *recorder) encoded(as string, plain int) {
	r.header["Content-Encoding"] = []string{as}
	r.plain = plain
}

// size is the length of the body before compression.
func (r *recorder) size() int {
	if r.plain > 0 {
		return r.plain
	}
	return len(r.body)
}

// reset forgets everything.
func (r *recorder) reset() {
	clear(r.header)
	r.status, r.body, r.plain = 0, r.body[:0], 0
}

// send sends the response. A 304 has no body and so no type.
func (r *recorder) send(w http.ResponseWriter) error {
	header := w.Header()
	for name, values := range r.header {
		header[spelling(name)] = values
	}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.status == http.StatusNotModified {
		header.Del("Content-Type")
		r.body = r.body[:0]
	}
	if len(r.body) > 0 {
		header["Content-Length"] = []string{strconv.Itoa(len(r.body))}
	}
	w.WriteHeader(r.status)
	_, err := w.Write(r.body)
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
