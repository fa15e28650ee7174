package fetching

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
	"github.com/hashicorp/go-cleanhttp"
)

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
