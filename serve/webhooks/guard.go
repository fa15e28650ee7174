package webhooks

import (
	"errors"
	"fmt"
	"net/netip"
	"syscall"
)

// ErrAddress is returned for an address that messages may not go to.
var ErrAddress = errors.New("not a public address")

// guard decides which addresses may be connected to. Without it a partner could
// make the server knock at doors inside the operator's network.
type guard struct {
	loopback bool // opened by the operator for trying out
}

// closed are the ranges that are not public, beside those that netip.Addr knows
// by itself: private, loopback, link-local (with the metadata service of clouds,
// 169.254.169.254), multicast and unspecified. From the registries of special
// purpose addresses of IANA (RFC 6890 and its updates). The ranges that embed an
// IPv4 address are closed as a whole.
func closed() []netip.Prefix {
	var ranges []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "168.63.129.16/32",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
		"3fff::/20", "5f00::/16", "fec0::/10",
	} {
		ranges = append(ranges, netip.MustParsePrefix(text))
	}
	return ranges
}

// check returns an error that wraps ErrAddress for an address that is closed.
func (g guard) check(address netip.Addr) error {
	a := address.WithZone("").Unmap() // ::ffff:10.0.0.1 is 10.0.0.1
	if a.IsLoopback() && g.loopback {
		return nil
	}
	refused := !a.IsValid() || !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() ||
		address.Zone() != ""
	for _, r := range closed() {
		refused = refused || r.Contains(a)
	}
	if refused {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	return nil
}

// control is asked by the dialer with the address that it is about to connect
// to, after any name was looked up, so that what was checked is what is used.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	return g.check(to.Addr())
}
