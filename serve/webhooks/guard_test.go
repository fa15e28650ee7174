package webhooks

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"pgregory.net/rapid"

	"labour/serve/state/statetest"
)

func TestGuard(t *testing.T) {
	for address, want := range map[string]bool{
		"1.1.1.1": true, "81.2.69.142": true, "2a00:1450:4009::1": true, "2606:4700::1111": true,
		"::ffff:1.1.1.1": true,
		"172.32.0.1":     true, "100.63.255.255": true, "11.0.0.1": true,
		"127.0.0.1": false, "127.255.255.254": false, "::1": false, "::ffff:127.0.0.1": false,
		"10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "fd12::1": false,
		"::ffff:10.0.0.1": false,
		"169.254.169.254": false, "169.254.0.1": false, "fe80::1": false, "fe80::1%eth0": false,
		"::ffff:169.254.169.254": false,
		"fd00:ec2::254":          false, "168.63.129.16": false, "100.100.100.200": false, "192.0.0.192": false,
		"0.0.0.0": false, "0.1.2.3": false, "::": false, "224.0.0.1": false, "239.255.255.255": false, "ff02::1": false,
		"255.255.255.255": false, "240.0.0.1": false, "192.0.2.1": false, "198.18.0.1": false, "203.0.113.9": false,
		"2001:db8::1": false, "64:ff9b::7f00:1": false, "64:ff9b::101:101": false, "2002:7f00:1::": false,
		"2001::1":  false,
		"::7f00:1": false, "fec0::1": false, "::ffff:0:7f00:1": false, "4000::1": false, "5f00::1": false,
		"100::1": false, "3fff::1": false, "2a00::1%eth0": false,
	} {
		err := guard{}.check(netip.MustParseAddr(address))
		if (err == nil) != want || err != nil && !errors.Is(err, ErrAddressNotPublic) {
			t.Errorf("%s: %v", address, err)
		}
	}
	open := guard{loopback: true}
	for address, want := range map[string]bool{"127.0.0.1": true, "::1": true, "::ffff:127.0.0.1": true,
		"10.0.0.1":        false,
		"169.254.169.254": false, "0.0.0.0": false, "1.1.1.1": true} {
		if err := open.check(netip.MustParseAddr(address)); (err == nil) != want {
			t.Errorf("%s with loopback open: %v", address, err)
		}
	}
	if err := open.check(netip.Addr{}); !errors.Is(err, ErrAddressNotPublic) {
		t.Errorf("no address: %v", err)
	}
	for _, text := range []string{"", "example.com:443", "1.1.1.1", "/run/socket"} {
		if err := open.control("tcp", text, nil); !errors.Is(err, ErrAddressNotPublic) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An IPv4 address is treated the same in every way of writing it, and what is
// accepted is what Go's own classification calls global and not private.
func TestGuardSeesThroughMappedAddresses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "address")))
		loopback := rapid.Bool().Draw(t, "loopback")
		g := guard{loopback: loopback}
		plain, mapped := g.check(a), g.check(netip.AddrFrom16(a.As16()))
		if (plain == nil) != (mapped == nil) {
			t.Fatalf("%v: %v, mapped %v", a, plain, mapped)
		}
		ip := net.IP(a.AsSlice())
		if plain == nil && !(loopback && ip.IsLoopback()) &&
			(!ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback()) {
			t.Fatalf("%v accepted", a)
		}
	})
}

func TestCheckURL(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("a", maxURL)
	for text, want := range map[string]string{
		"https://Example.COM/Hooks?a=B": "https://example.com/Hooks?a=B",
		"https://example.com:443/":      "https://example.com/",
		"https://example.com:8443":      "https://example.com:8443/", "https://example.com": "https://example.com/",
		"https://example.com?a":               "https://example.com/?a",
		"https://example.com/a b?c d=ü&e=%20": "https://example.com/a%20b?c%20d=%C3%BC&e=%20",
		"https://example.com./x":              "https://example.com/x",
		"https://[2A00:1450::1]:443/x":        "https://[2a00:1450::1]/x", "https://1.1.1.1/": "https://1.1.1.1/",
		"https://bücher.example/": "https://xn--bcher-kva.example/",
		"https://BÜCHER.example/": "https://xn--bcher-kva.example/",
		"https://.":               "", "https://example..com": "", "https://a_b.example.com/": "",
		"HTTPS://example.com/": "https://example.com/",
		"http://example.com/":  "", "ftp://example.com": "", "example.com/hooks": "", "https:example.com": "",
		"https://": "", "": "",
		"https:///path": "", "https://user@example.com": "", "https://u:p@example.com": "",
		"https://example.com/#part": "",
		"https://localhost/":        "", "https://api.localhost": "", "https://db.internal": "",
		"https://printer.local:9100": "",
		"https://127.0.0.1/":         "", "https://[::1]/": "", "https://10.1.2.3": "",
		"https://169.254.169.254/latest": "",
		"https://[::ffff:10.0.0.1]/":     "", "https://exa mple.com": "", "https://example.com:99999999/": "",
		"https://example.com:0/": "", "https://example.com:65536/": "",
		"https://example.com:65535/": "https://example.com:65535/",
		"https://127.1/":             "", "https://2130706433/": "", "https://0x7f.1/": "", "https://0/": "",
		"https://017700000001": "", "https://a.1/": "", "https://1.example/": "https://1.example/",
		"https://" + strings.Repeat("a", 64) + ".example/": "",
		long: "",
	} {
		got, err := guard{}.checkURL(text)
		var invalid *InvalidFieldError
		if got != want || (err == nil) != (want != "") || err != nil &&
			(!errors.As(err, &invalid) || invalid.Field != "url") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	if got, err := (guard{loopback: true}).checkURL("https://localhost:1234/"); err != nil ||
		got != "https://localhost:1234/" {
		t.Errorf("loopback is open: %q, %v", got, err)
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{"https://example.com/", "https://[::1]:1/", "https://EXAMPLE.com.:443?#",
		"https://a%20b/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := guard{}.checkURL(text)
		if err != nil {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		if again, err := (guard{}).checkURL(got); err != nil || again != got {
			t.Fatalf("%q became %q and then %q: %v", text, got, again, err)
		}
	})
}

// nameServer answers every question with the next address, the last one again
// and again, and returns a resolver that asks it.
func nameServer(t *testing.T, addresses ...string) (*net.Resolver, *atomic.Int64) {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var asked atomic.Int64
	go func() {
		b := make([]byte, 1500)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			if reply := answer(b[:n], addresses, &asked); reply != nil {
				_, _ = c.WriteTo(reply, from)
			}
		}
	}()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", c.LocalAddr().String())
	}
	return &net.Resolver{PreferGo: true, Dial: dial}, &asked
}

// answer is the reply to a question: an address for IPv4, nothing for IPv6.
func answer(question []byte, addresses []string, asked *atomic.Int64) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		i := min(int(asked.Add(1)), len(addresses)) - 1
		m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type,
			Class: q.Class},
			Body: &dnsmessage.AResource{A: netip.MustParseAddr(addresses[i]).As4()}}}
	}
	reply, err := m.Pack()
	if err != nil {
		return nil
	}
	return reply
}

// A name that pointed to a public address when it was looked at and points to
// this machine when it is used gains nothing: nobody connects.
func TestNameThatChangesItsAnswer(t *testing.T) {
	inside := newReceiver(t)
	port := inside.URL[strings.LastIndex(inside.URL, ":"):]
	for _, tt := range []struct {
		name     string
		loopback bool
		want     string
	}{
		{"guarded", false, "pending 0address_refused"},
		{"opened by the operator", true, "delivered 204"}, // the receiver could have been reached
	} {
		t.Run(tt.name, func(t *testing.T) {
			resolver, asked := nameServer(t, "1.1.1.1", "127.0.0.1")
			f := newFixture(t, statetest.SQLitePath(t), func(o *Options) {
				inside.trust(o)
				o.AllowLoopback, o.resolver, o.timeout = tt.loopback, resolver, 20*time.Second
			})
			e, _ := f.endpoint("https://example.com" + port) // the test certificate's name
			// A check before the connection would have seen this address.
			if got, err := resolver.LookupHost(t.Context(), "example.com"); err != nil || got[0] != "1.1.1.1" {
				t.Fatalf("%v, %v", got, err)
			}
			f.publish(click("ev-1"))
			f.due(f.deliveries(e.ID)[0].ID)
			if got := ended(f.deliveries(e.ID)[0]); got != tt.want || asked.Load() < 2 {
				t.Errorf("%s, want %s; asked %d times", got, tt.want, asked.Load())
			}
			if n := len(inside.messages()); (n > 0) != tt.loopback {
				t.Errorf("%d messages arrived inside", n)
			}
		})
	}
}
