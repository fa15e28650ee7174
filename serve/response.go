package serve

import (
	"cmp"
	"maps"
	"net/http"
	"strconv"
)

// bufferedResponse keeps a response until it is complete, so that a failure half-way
// can still become a clean 500. A long one is sent while it is made: see Stream.
type bufferedResponse struct {
	to     http.ResponseWriter
	header http.Header
	kept   http.Header // outlives reset
	status int
	body   []byte
	sent   int64 // bytes of the body, before compression
	stream bool
}

func newBufferedResponse(to http.ResponseWriter) *bufferedResponse {
	return &bufferedResponse{to: to, header: http.Header{}}
}

// Header returns the response's header.
func (b *bufferedResponse) Header() http.Header { return b.header }

// WriteHeader notes the status; only the first counts.
func (b *bufferedResponse) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
		if b.stream {
			b.writeHeader()
		}
	}
}

// Write keeps a part of the body, or sends it on.
func (b *bufferedResponse) Write(part []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	if b.stream {
		n, err := b.to.Write(part)
		b.sent += int64(n)
		return n, err
	}
	b.body = append(b.body, part...)
	return len(part), nil
}

// Stream makes a response be sent while it is made, for files and long lists. Nothing
// may have been written to it before.
func Stream(w http.ResponseWriter) {
	if b, ok := w.(*bufferedResponse); ok {
		b.stream = true
	}
}

// keepHeader makes what the header holds now outlive reset.
func (b *bufferedResponse) keepHeader() { b.kept = b.header.Clone() }

// reset forgets everything but what was kept.
func (b *bufferedResponse) reset() {
	b.header = http.Header{}
	maps.Copy(b.header, b.kept)
	b.status, b.body = 0, nil
}

// writeHeader sends the header. A 304 has no body and so no type.
func (b *bufferedResponse) writeHeader() {
	header := b.to.Header()
	vary := header["Vary"] // of compression
	for name, values := range b.header {
		header[spelling(name)] = values
	}
	header["Vary"] = append(vary, b.header["Vary"]...)
	if b.status == http.StatusNotModified {
		header.Del("Content-Type")
	}
	b.to.WriteHeader(b.status)
}

func (b *bufferedResponse) send() error {
	if b.stream && b.status != 0 {
		return nil
	}
	b.status = cmp.Or(b.status, http.StatusOK)
	if b.status == http.StatusNotModified {
		b.body = nil
	}
	if len(b.body) > 0 {
		b.header["Content-Length"] = []string{strconv.Itoa(len(b.body))}
	}
	b.writeHeader()
	b.sent = int64(len(b.body))
	_, err := b.to.Write(b.body)
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
