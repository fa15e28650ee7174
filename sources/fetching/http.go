package fetching

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-cleanhttp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"labour/sources"
	"labour/sources/archive"
)

// headBytes is how much of a body Request.Accept sees.
const headBytes = 1024

// client is the HTTP client of this run: time bound per try, redirects checked.
func (f *Fetcher) client() *http.Client {
	transport := f.o.Transport
	if transport == nil {
		transport = cleanhttp.DefaultPooledTransport()
	}
	return &http.Client{Transport: newGuarded(transport), Timeout: f.o.AttemptTimeout, CheckRedirect: f.checkRedirect}
}

// checkRedirect bounds the redirects, refuses to leave https, and takes what was
// meant for one host out of a request to another.
func (f *Fetcher) checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > f.o.MaxRedirects:
		return fmt.Errorf("%w: more than %d redirects", ErrRedirect, f.o.MaxRedirects)
	case first.URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: from https to %s", ErrRedirect, req.URL.Scheme)
	}
	req.Header.Del("Referer") // it would pass on the query, and a key in it
	if req.URL.Host == first.URL.Host {
		return nil
	}
	for name := range req.Header {
		switch name {
		case "User-Agent", "Accept", "Accept-Encoding":
		default:
			req.Header.Del(name)
		}
	}
	return nil
}

// request builds the request of one object, conditional when its last bytes are
// still whole in the archive.
func (t *try) request(ctx context.Context) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.r.URL, nil)
	if err != nil {
		return nil, errors.New("the address cannot be parsed")
	}
	for name, value := range t.r.Header {
		req.Header.Set(name, value)
	}
	req.Header.Set("User-Agent", t.f.o.UserAgent)
	req.Header.Set("Accept-Encoding", "gzip, zstd")
	old, ok, err := t.f.o.Archive.LastFetch(t.f.o.Source, t.r.Name)
	if err != nil {
		return nil, err
	}
	if !ok || old.URL != t.f.red.url(t.r.URL) || old.ETag == "" && old.LastModified == "" {
		return req, nil
	}
	if t.f.o.Archive.Verify(sources.Object{Name: old.Name, SHA256: old.SHA256}) != nil {
		return req, nil // damaged: fetch it again, which mends it
	}
	if old.ETag != "" {
		req.Header.Set("If-None-Match", old.ETag)
	}
	if old.LastModified != "" {
		req.Header.Set("If-Modified-Since", old.LastModified)
	}
	t.old = &old
	return req, nil
}

// take handles an answer that is not tried again because of its status.
func (t *try) take(resp *http.Response) error {
	defer resp.Body.Close()
	t.rec.Status = resp.StatusCode
	switch {
	case resp.StatusCode == http.StatusNotModified && t.old != nil:
		t.rec = *t.old
		t.rec.Status, t.rec.Outcome, t.rec.Detail = resp.StatusCode, archive.Unchanged, ""
		return nil
	case resp.StatusCode != http.StatusOK:
		return statusError(resp)
	}
	t.rec.ETag = resp.Header.Get("ETag")
	t.rec.LastModified = resp.Header.Get("Last-Modified")
	t.rec.ContentType = resp.Header.Get("Content-Type")
	if max := t.max(); resp.ContentLength > max {
		return fmt.Errorf("%w: %d bytes announced, more than the bound of %d bytes", archive.ErrTooLarge, resp.ContentLength, max)
	}
	body, err := decoded(resp)
	if err != nil {
		return err
	}
	defer body.Close()
	return t.file(body)
}

// file checks the head of a body and files it away.
func (t *try) file(body io.Reader) error {
	from := &reading{r: body}
	r := bufio.NewReaderSize(from, 1<<16)
	head, err := r.Peek(headBytes)
	if err != nil && err != io.EOF {
		return cut(err)
	}
	if t.r.Accept != nil {
		if err := t.r.Accept(t.rec.ContentType, head); err != nil {
			return err
		}
	}
	t.rec.SHA256, t.rec.Bytes, err = t.f.o.Archive.Put(t.f.o.Source, r, t.max())
	switch {
	case err == nil, errors.Is(err, archive.ErrTooLarge):
		return err
	case from.err != nil:
		return cut(from.err)
	}
	return &permanent{err}
}

// reading remembers an error of the network, to tell it from one of the archive.
type reading struct {
	r   io.Reader
	err error
}

func (s *reading) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// cut names a body that ended early.
func cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the connection ended before the body did", ErrTruncated)
	}
	return err
}

// decoded takes the transfer encoding off.
func decoded(resp *http.Response) (io.ReadCloser, error) {
	switch enc := strings.ToLower(resp.Header.Get("Content-Encoding")); enc {
	case "", "identity":
		return resp.Body, nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(resp.Body)
		if err != nil {
			return nil, fmt.Errorf("decode gzip: %w", err)
		}
		return r, nil
	case "zstd":
		r, err := zstd.NewReader(resp.Body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, fmt.Errorf("decode zstd: %w", err)
		}
		return r.IOReadCloser(), nil
	default:
		return nil, sources.Coded(sources.FaultNotExpected, fmt.Errorf("unknown content encoding %q", enc))
	}
}

// statusError says what an answer's status means for the operator.
func statusError(resp *http.Response) error {
	hint := "try again later"
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = "check the key, and whether the publisher still permits it"
	case http.StatusNotFound, http.StatusGone:
		hint = "it was moved or removed; check its address in the configuration"
	case http.StatusTooManyRequests:
		hint = "asked too often"
	}
	return fmt.Errorf("%w %d; %s", ErrStatus, resp.StatusCode, hint)
}

// failure takes the address off an error of net/http, and marks one of connecting to the
// host that was asked, as against one that it redirects to.
func (t *try) failure(err error) error {
	var u *url.Error
	if !errors.As(err, &u) {
		return err
	}
	var dial *net.OpError
	if at, parseErr := url.Parse(u.URL); parseErr == nil && at.Host == t.host && errors.As(err, &dial) && dial.Op == "dial" {
		return &unreached{u.Err}
	}
	return u.Err
}
