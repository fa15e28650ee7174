package serve

import (
	"cmp"
	"maps"
	"net/http"
	"strconv"

	"github.com/klauspost/compress/gzhttp"
)

// bufferedResponse buffers a response until it is complete, so that a late failure can still become
// a 500 without a partial body. A long response is sent while it is written; see Stream.
type bufferedResponse struct {
	to     http.ResponseWriter
	header http.Header
	kept   http.Header // not removed by reset
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

// WriteHeader records the status; only the first counts.
func (b *bufferedResponse) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
		if b.stream {
			b.writeHeader()
		}
	}
}

// Write buffers a part of the body, or sends it.
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

// NoCompression is a header of a response that must be sent uncompressed. The header itself is not
// sent.
const NoCompression = gzhttp.HeaderNoCompression

// Stream sends a response while it is written, for files and long lists. It must be called before
// the first write.
func Stream(w http.ResponseWriter) {
	if b, ok := w.(*bufferedResponse); ok {
		b.stream = true
	}
}

// keepHeader marks the current headers, so that reset does not remove them.
func (b *bufferedResponse) keepHeader() { b.kept = b.header.Clone() }

// reset discards everything except the marked headers.
func (b *bufferedResponse) reset() {
	b.header = http.Header{}
	maps.Copy(b.header, b.kept)
	b.status, b.body = 0, nil
}

// writeHeader sends the headers. A 304 has no body and so no type.
func (b *bufferedResponse) writeHeader() {
	header := b.to.Header()
	vary := header["Vary"] // set by the compression
	for name, values := range b.header {
		header[cmp.Or(spellings[name], name)] = values
	}
	header["Vary"] = append(vary, b.header["Vary"]...)
	if b.status == http.StatusNotModified {
		header.Del("Content-Type")
	}
	b.to.WriteHeader(b.status)
}

// begun reports whether a part of the response was already sent.
func (b *bufferedResponse) begun() bool { return b.stream && b.status != 0 }

func (b *bufferedResponse) send() error {
	if b.begun() {
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

// spellings lists header names in the letter case that the specification uses.
var spellings = map[string]string{"X-Ratelimit-Limit": "X-RateLimit-Limit",
	"X-Ratelimit-Remaining": "X-RateLimit-Remaining", "X-Ratelimit-Reset": "X-RateLimit-Reset",
	"Etag": "ETag", "Www-Authenticate": "WWW-Authenticate"}
