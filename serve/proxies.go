package serve

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are the networks of the proxies whose X-Forwarded headers are believed, in addition
// to this machine.
type proxies []netip.Prefix

func (p proxies) trusted(address netip.Addr) bool {
	return address.IsLoopback() || slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// client returns the address that a request comes from. Each proxy appends the address that it
// was called from to X-Forwarded-For, so the list is read from the right until an address that is
// no trusted proxy; what stands left of it anybody can have written.
func (p proxies) client(r *http.Request) netip.Addr {
	address := peerOf(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !p.trusted(address) {
			break
		}
		before, ok := addressIn(hop)
		if !ok {
			break
		}
		address = before
	}
	return address
}

// peerOf returns the address at the other end of the connection.
func peerOf(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap()
}

// addressIn reads an entry of X-Forwarded-For: an address, or an address and a port.
func addressIn(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr().Unmap(), true
	}
	hop = strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]")
	address, err := netip.ParseAddr(hop)
	return address.Unmap(), err == nil
}

// dropForged removes what only a proxy may say from a request that comes from none.
func (p proxies) dropForged(r *http.Request) {
	if !p.trusted(peerOf(r)) {
		r.Header.Del("X-Forwarded-Proto")
	}
}
