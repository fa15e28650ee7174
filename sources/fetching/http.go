package fetching

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"
	"github.com/hashicorp/go-cleanhttp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"labour/sources"
)

// maxRedirects limits the redirects of one request.
const maxRedirects = 5

// client returns the HTTP client of this run, with a time limit per try and checked redirects.
func (o Options) client() *http.Client {
	plain := o.Transport
	if plain == nil {
		plain = cleanhttp.DefaultPooledTransport()
	}
	public := cleanhttp.DefaultPooledTransport()
	public.DialContext = (&net.Dialer{Control: onlyPublic}).DialContext
	return &http.Client{Transport: guarded{plain, public}, Timeout: o.AttemptTimeout, CheckRedirect: checkRedirect}
}

// checkRedirect limits the redirects, refuses to leave https, and removes headers meant for one
// host from a request to another host.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: more than %d redirects, the last to %s", ErrRedirect, maxRedirects, bare(req.URL))
	case first.URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: from https to %s://%s", ErrRedirect, req.URL.Scheme, req.URL.Host)
	}
	req.Header.Del("Referer") // it could contain the query of the first request, and so a key
	if req.URL.Host != first.URL.Host {
		maps.DeleteFunc(req.Header, func(name string, _ []string) bool {
			return !slices.Contains([]string{"User-Agent", "Accept", "Accept-Encoding"}, name)
		})
	}
	return nil
}

// decoded removes the transfer encoding.
func decoded(resp *http.Response) (io.ReadCloser, error) {
	switch enc := strings.ToLower(resp.Header.Get("Content-Encoding")); enc {
	case "", "identity":
		return resp.Body, nil
	case "gzip", "x-gzip":
		return gzip.NewReader(resp.Body)
	case "zstd":
		r, err := zstd.NewReader(resp.Body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, err
		}
		return r.IOReadCloser(), nil
	default:
		return nil, sources.Codedf(sources.FaultNotExpected, "unknown content encoding %q", enc)
	}
}

// statusError returns the error for a response's status, with advice for the operator.
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

// guarded allows connections only to public addresses, except to the configured host: a publisher
// must not redirect the program into the operator's own network. A publisher may be configured by a
// private address, and so may a proxy, which makes the connection itself.
type guarded struct {
	plain, public http.RoundTripper
}

func (g guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	first := req
	for first.Response != nil { // the request follows a redirect
		first = first.Response.Request
	}
	host, err := netip.ParseAddr(first.URL.Hostname())
	inside := err == nil && !isPublic(host)
	proxy, err := http.ProxyFromEnvironment(req)
	if req.URL.Host == first.URL.Host || inside || err == nil && proxy != nil {
		return g.plain.RoundTrip(req)
	}
	return g.public.RoundTrip(req)
}

// onlyPublic is called after the name was resolved, with the address to connect to.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err != nil || !isPublic(to.Addr()) {
		return fmt.Errorf("%w: to an address that is not public", ErrRedirect)
	}
	return nil
}

func isPublic(a netip.Addr) bool { return ssrf.New(ssrf.WithAnyPort()).SafeAddr(a.Unmap()) == nil }
