package serve

import (
	"cmp"
	"maps"
	"net/http"
	"strconv"

	"github.com/klauspost/compress/gzhttp"
)

// bufferedResponse is an http.ResponseWriter that keeps a response in memory until it is complete.
// An error response can therefore replace it. After StreamResponse, it sends each write at once.
type bufferedResponse struct {
	to              http.ResponseWriter
	header          http.Header
	permanentHeader http.Header // headers that stay when reset discards the response
	status          int
	body            []byte
	bytesSent       int64 // bytes of the body that were sent, before compression
	stream          bool
}

func newBufferedResponse(to http.ResponseWriter) *bufferedResponse {
	return &bufferedResponse{to: to, header: http.Header{}}
}

// Header returns the headers of the response. The caller may change them.
func (b *bufferedResponse) Header() http.Header { return b.header }

// WriteHeader sets the HTTP status of the response. Calls after the first one have no effect.
func (b *bufferedResponse) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
		if b.stream {
			b.writeHeader()
		}
	}
}

// Write appends bytes to the buffered body, or sends them at once if the response is streamed.
func (b *bufferedResponse) Write(part []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	if b.stream {
		n, err := b.to.Write(part)
		b.bytesSent += int64(n)
		return n, err
	}
	b.body = append(b.body, part...)
	return len(part), nil
}

// NoCompressionHeader is a response header that a handler sets to prevent compression. It is not
// sent to the client.
const NoCompressionHeader = gzhttp.HeaderNoCompression

// StreamResponse makes w send each write at once instead of buffering the response. Handlers call
// it before the first write of a file or of a long list.
func StreamResponse(w http.ResponseWriter) {
	if b, ok := w.(*bufferedResponse); ok {
		b.stream = true
	}
}

// keepHeader saves the headers that are set now. A later reset does not remove them.
func (b *bufferedResponse) keepHeader() { b.permanentHeader = b.header.Clone() }

// reset discards the status, the body and all headers that keepHeader has not saved.
func (b *bufferedResponse) reset() {
	b.header = http.Header{}
	maps.Copy(b.header, b.permanentHeader)
	b.status, b.body = 0, nil
}

// writeHeader sends the status and the headers of the response to the client.
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

// isStarted reports whether the client has already received part of the response.
func (b *bufferedResponse) isStarted() bool { return b.stream && b.status != 0 }

func (b *bufferedResponse) send() error {
	if b.isStarted() {
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
	b.bytesSent = int64(len(b.body))
	_, err := b.to.Write(b.body)
	return err
}

// spellings maps header names in the spelling of Go's net/http, such as Etag, to the spelling in
// which the server sends them, such as ETag.
var spellings = map[string]string{"X-Ratelimit-Limit": "X-RateLimit-Limit",
	"X-Ratelimit-Remaining": "X-RateLimit-Remaining", "X-Ratelimit-Reset": "X-RateLimit-Reset",
	"Etag": "ETag", "Www-Authenticate": "WWW-Authenticate"}
