package fetching

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
	"github.com/hashicorp/go-cleanhttp"
)

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
