package sparkconnect

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Address is where a Connect server listens.
type Address struct {
	Host string // with its port
	TLS  bool
}

// ParseAddress reads an address in the form of Spark's own clients:
// sc://host:port/;use_ssl=true. The port is 15002 unless it is given. No other parameter
// is taken: a token in an address would end up in files and logs.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "sc" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" {
		return Address{}, fmt.Errorf("address %q: it must be sc://host:15002, with /;use_ssl=true for TLS", text)
	}
	a := Address{Host: u.Host}
	if u.Port() == "" {
		a.Host = net.JoinHostPort(u.Hostname(), "15002")
	}
	switch strings.Trim(u.Path, "/") {
	case "", ";use_ssl=false":
	case ";use_ssl=true":
		a.TLS = true
	default:
		return Address{}, fmt.Errorf("address %s: the only parameter is ;use_ssl=true; a token comes from the environment", u.Host)
	}
	return a, nil
}

// Loopback reports whether the server is on this machine, so that nobody else hears what
// is said.
func (a Address) Loopback() bool {
	host, _, _ := net.SplitHostPort(a.Host)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
