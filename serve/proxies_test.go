package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestAddressOf(t *testing.T) {
	l := &addressLimits{proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	for _, tt := range []struct{ peer, forwarded, want string }{
		{"198.51.100.1:9", "", "198.51.100.1/32"}, {"198.51.100.1:9", "203.0.113.5", "198.51.100.1/32"},
		{"10.1.2.3:9", "203.0.113.5", "203.0.113.5/32"}, {"127.0.0.1:9", "6.6.6.6, 203.0.113.5", "203.0.113.5/32"},
		{"10.1.2.3:9", "not an address", "10.1.2.3/32"}, {"10.1.2.3:9", "6.6.6.6, 203.0.113.5, 10.5.5.5",
			"203.0.113.5/32"},
		{"10.1.2.3:9", "203.0.113.5:4711", "203.0.113.5/32"}, {"10.1.2.3:9", "[2001:db8:1:2:3::4]:4711,10.5.5.5:80",
			"2001:db8:1:2::/64"},
		{"10.1.2.3:9", "[2001:db8:1:2:3::4]", "2001:db8:1:2::/64"}, {"10.1.2.3:9", "203.0.113.5, junk, 10.5.5.5",
			"10.5.5.5/32"},
		{"10.1.2.3:9", "10.7.7.7, 10.5.5.5", "10.7.7.7/32"}, {"[2001:db8:1:2:3::4]:9", "", "2001:db8:1:2::/64"},
		{"[::ffff:198.51.100.1]:9", "", "198.51.100.1/32"},
	} {
		r := from(tt.peer, http.MethodGet, "/", nil)
		r.Header.Set("X-Forwarded-For", tt.forwarded)
		if got := l.addressOf(r).String(); got != tt.want {
			t.Errorf("%s for %q: %s, want %s", tt.peer, tt.forwarded, got, tt.want)
		}
	}
}

// A page that costs as much as many takes as many calls from its address.
func TestCostlyPagesTakeMoreCalls(t *testing.T) {
	s := newService(t, func(o *Options) {
		o.RequestsPerAddress = 1 // 30 at once
		withPages(func(PageBackend) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if ChargeExtraRequests(w, r, 9) {
					fmt.Fprint(w, "costly")
				}
			}
		})(o)
	})
	for n := range 4 {
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, from("198.51.100.1:9", http.MethodGet, "/", nil))
		want := http.StatusOK
		if n == 3 {
			want = http.StatusTooManyRequests
		}
		if w.Code != want || want != http.StatusOK && w.Header().Get("Retry-After") == "" {
			t.Errorf("call %d: %d %v", n, w.Code, w.Header())
		}
	}
}
