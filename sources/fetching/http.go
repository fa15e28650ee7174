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

// maxRedirects is the maximum number of redirects that one request follows.
const maxRedirects = 5

// client returns an HTTP client. It limits the time of one attempt and checks redirects.
func (o Options) client() *http.Client {
	plain := o.Transport
	if plain == nil {
		plain = cleanhttp.DefaultPooledTransport()
	}
	public := cleanhttp.DefaultPooledTransport()
	public.DialContext = (&net.Dialer{Control: onlyPublic}).DialContext
	return &http.Client{Transport: guardedTransport{plain, public}, Timeout: o.AttemptTimeout,
		CheckRedirect: checkRedirect}
}

// checkRedirect checks a redirect before it is followed. Too many redirects and a redirect from
// https to http are errors. For a redirect to another host, it removes all headers that could hold
// a secret.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: more than %d redirects, the last to %s", ErrRedirectRefused, maxRedirects,
			withoutQuery(req.URL))
	case first.URL.Scheme == "https" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: from https to %s://%s", ErrRedirectRefused, req.URL.Scheme, req.URL.Host)
	}
	req.Header.Del("Referer") // it could contain the query of the first request, and so a key
	if req.URL.Host != first.URL.Host {
		maps.DeleteFunc(req.Header, func(name string, _ []string) bool {
			return !slices.Contains([]string{"User-Agent", "Accept", "Accept-Encoding"}, name)
		})
	}
	return nil
}

// decodeBody returns the body of a response and decompresses gzip and zstd. Any other content
// encoding is an error.
func decodeBody(resp *http.Response) (io.ReadCloser, error) {
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
		return nil, sources.CodedErrorf(sources.FaultWrongFormat, "unknown content encoding %q", enc)
	}
}

// statusError returns an error for the HTTP status of a response. Its message advises the operator.
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
	return fmt.Errorf("%w %d; %s", ErrUnexpectedStatus, resp.StatusCode, hint)
}

// guardedTransport refuses redirects to private addresses. Without this check, a publisher could
// redirect the program into the operator's own network.
//
// It does not check redirects behind a proxy, or if the requested host is itself a private IP
// address.
type guardedTransport struct {
	plain, public http.RoundTripper
}

func (g guardedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	first := req
	for first.Response != nil { // the request follows a redirect
		first = first.Response.Request
	}
	host, err := netip.ParseAddr(first.URL.Hostname())
	inside := err == nil && !isPublic(host)
	proxy, err := http.ProxyFromEnvironment(req)
	isProxied := err == nil && proxy != nil
	if req.URL.Host == first.URL.Host || inside || isProxied {
		return g.plain.RoundTrip(req)
	}
	return g.public.RoundTrip(req)
}

// onlyPublic returns ErrRedirectRefused if address is not public. It is a net.Dialer.Control
// function.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err != nil || !isPublic(to.Addr()) {
		return fmt.Errorf("%w: to an address that is not public", ErrRedirectRefused)
	}
	return nil
}

func isPublic(a netip.Addr) bool { return ssrf.New(ssrf.WithAnyPort()).SafeAddr(a.Unmap()) == nil }
