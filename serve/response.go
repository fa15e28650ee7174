package serve

import (
	"cmp"
	"maps"
	"net/http"
	"strconv"

	"github.com/klauspost/compress/gzhttp"
)

// bufferedResponse holds a response until it is complete. If the call fails before that, an error
// response can still be sent. StreamResponse makes it send each write at once.
type bufferedResponse struct {
	to     http.ResponseWriter
	header http.Header
	kept   http.Header // headers that reset does not remove
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

// WriteHeader sets the status. Only the first call counts.
func (b *bufferedResponse) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
		if b.stream {
			b.writeHeader()
		}
	}
}

// Write adds to the body, or sends the bytes at once if the response is streamed.
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

// NoCompressionHeader is the name of a header. A response that has it is not compressed; the header is
// not sent.
const NoCompressionHeader = gzhttp.HeaderNoCompression

// StreamResponse makes w send each write at once, for files and long lists. It must be called
// before the first write.
func StreamResponse(w http.ResponseWriter) {
	if b, ok := w.(*bufferedResponse); ok {
		b.stream = true
	}
}

// keepHeader marks the headers set so far. reset does not remove them.
func (b *bufferedResponse) keepHeader() { b.kept = b.header.Clone() }

// reset discards everything except the marked headers.
func (b *bufferedResponse) reset() {
	b.header = http.Header{}
	maps.Copy(b.header, b.kept)
	b.status, b.body = 0, nil
}

// writeHeader sends the status and the headers.
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

// spellings maps header names to the letter case in which they are sent.
var spellings = map[string]string{"X-Ratelimit-Limit": "X-RateLimit-Limit",
	"X-Ratelimit-Remaining": "X-RateLimit-Remaining", "X-Ratelimit-Reset": "X-RateLimit-Reset",
	"Etag": "ETag", "Www-Authenticate": "WWW-Authenticate"}
