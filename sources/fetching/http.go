package fetching

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
	"github.com/hashicorp/go-cleanhttp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"labour/sources"
	"labour/sources/archive"
)

// maxRedirects bounds the redirects of one request.
const maxRedirects = 5

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
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: more than %d redirects", ErrRedirect, maxRedirects)
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

// gate keeps requests to a host back for as long as the host asked for, and for good from
// one that cannot be reached.
type gate struct {
	mu    sync.Mutex
	next  map[string]time.Time // earliest time of the next request
	dead  map[string]error     // why a host is not asked any more in this run
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

// pass waits until the host may be asked.
func (g *gate) pass(ctx context.Context, host string) error {
	g.mu.Lock()
	wait := g.next[host].Sub(g.now())
	g.mu.Unlock()
	if wait > 0 {
		return g.sleep(ctx, wait)
	}
	return ctx.Err()
}

// giveUp ends the requests to a host that could not be reached in all tries of an object:
// its other objects would each take as long to fail.
func (g *gate) giveUp(host string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dead[host] = fmt.Errorf("its host could not be reached before and is not asked again in this run: %w", err)
}

// reachable returns why a host is not asked any more; nil while it is.
func (g *gate) reachable(host string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.dead[host]
}

// hold keeps every request to the host back for d, because the host asked for it.
func (g *gate) hold(host string, d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := g.now().Add(d); at.After(g.next[host]) {
		g.next[host] = at
	}
}

// guarded sends a request to another host than the configured one only to public
// addresses: a publisher must not lead the program into the operator's own network. A
// publisher that is configured by an address of that network may.
type guarded struct {
	plain, public http.RoundTripper
}

func newGuarded(plain http.RoundTripper) *guarded {
	public := cleanhttp.DefaultPooledTransport()
	public.DialContext = (&net.Dialer{Control: onlyPublic}).DialContext
	return &guarded{plain: plain, public: public}
}

func (g *guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	first := req
	for first.Response != nil { // of a redirect
		first = first.Response.Request
	}
	if req.URL.Host == first.URL.Host || inside(first.URL.Hostname()) || proxied(req) {
		return g.plain.RoundTrip(req)
	}
	return g.public.RoundTrip(req)
}

// inside reports whether a host is named by an address that is not public.
func inside(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && public(a) != nil
}

// proxied reports whether another program makes the connection.
func proxied(req *http.Request) bool {
	u, err := http.ProxyFromEnvironment(req)
	return err == nil && u != nil
}

// onlyPublic is called with the address that is about to be connected to, after the name
// was resolved.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err == nil {
		err = public(to.Addr())
	}
	if err != nil {
		return fmt.Errorf("%w: to an address that is not public", ErrRedirect)
	}
	return nil
}

func public(a netip.Addr) error { return ssrf.New(ssrf.WithAnyPort()).SafeAddr(a.Unmap()) }
