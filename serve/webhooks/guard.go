package webhooks

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// ErrAddress is returned for an address that messages may not go to.
var ErrAddress = errors.New("not a public address")

// guard decides which addresses may be connected to. Without it a partner could
// make the server connect to hosts inside the operator's network.
type guard struct {
	loopback bool // opened by the operator for trying out
}

// azure is the metadata and DNS service of Azure. It is a public address by the
// registries of IANA.
var azure = netip.MustParsePrefix("168.63.129.16/32")

// check returns an error that wraps ErrAddress for an address that is closed:
// everything in IANA's registries of special purpose addresses, and all of IPv6
// outside the global unicast range.
func (g guard) check(address netip.Addr) error {
	a := address.Unmap() // ::ffff:10.0.0.1 is 10.0.0.1
	if a.IsLoopback() && g.loopback {
		return nil
	}
	if !a.IsValid() || a.Zone() != "" || azure.Contains(a) {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	if err := ssrf.New(ssrf.WithAnyPort()).SafeAddr(a); err != nil {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	return nil
}

// control is called by the dialer with the address that it is about to connect
// to, after the name was resolved, so that the address checked is the address used.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	return g.check(to.Addr())
}
