package fetching

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"labour/sources"
)

// noting is a transport that notes that it was asked.
type noting struct{ asked int }

func (n *noting) RoundTrip(*http.Request) (*http.Response, error) {
	n.asked++
	return nil, nil
}

// TestRedirectsInsideAreGuarded: a request that was redirected to another host goes by the guarded
// transport, unless it began at an address inside the operator's network. Of several redirects the
// first request counts.
func TestRedirectsInsideAreGuarded(t *testing.T) {
	for name, c := range map[string]struct {
		way     string // addresses, one after the other; the last is requested
		guarded bool
	}{
		"the first request":      {"http://works.example/", false},
		"the same host":          {"http://works.example/ http://works.example/b", false},
		"another host":           {"http://works.example/ http://127.0.0.1/", true},
		"by way of another host": {"http://works.example/ http://other.example/ http://127.0.0.1/", true},
		"and back":               {"http://works.example/ http://other.example/ http://works.example/", false},
		"from a public address":  {"http://8.8.8.8/ http://127.0.0.1/", true},
		"from an address inside": {"http://127.0.0.1:1/ http://127.0.0.1:2/", false},
		"from one of the house":  {"http://10.0.0.1/ http://127.0.0.1/", false},
	} {
		var req *http.Request
		for address := range strings.FieldsSeq(c.way) {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			next := &http.Request{URL: u}
			if req != nil {
				next.Response = &http.Response{Request: req}
			}
			req = next
		}
		var plain, public noting
		if _, err := (guardedTransport{&plain, &public}).RoundTrip(req); err != nil || plain.asked+public.asked != 1 ||
			(public.asked == 1) != c.guarded {
			t.Errorf("%s: guarded %t, want %t; %v", name, public.asked == 1, c.guarded, err)
		}
	}
}

// TestPublicAddresses: of the internet, not of a network of its own, in both versions.
func TestPublicAddresses(t *testing.T) {
	for text, want := range map[string]bool{"8.8.8.8": true, "2606:4700::1111": true, "127.0.0.1": false,
		"10.1.2.3":    false,
		"192.168.0.1": false, "169.254.169.254": false, "::1": false, "fd00::1": false, "::ffff:10.1.2.3": false,
		"::ffff:8.8.8.8": true} {
		a := netip.MustParseAddr(text)
		if got := isPublic(a); got != want {
			t.Errorf("%s is public: %t, want %t", text, got, want)
		}
		if err := onlyPublic("tcp", netip.AddrPortFrom(a, 443).String(), nil); (err == nil) != want ||
			err != nil && !errors.Is(err, ErrRedirectRefused) {
			t.Errorf("%s is dialled: %v", text, err)
		}
	}
	if err := onlyPublic("tcp", "works.example:443", nil); !errors.Is(err, ErrRedirectRefused) {
		t.Errorf("a name is dialled: %v", err)
	}
}

// TestRedirectsAreCounted: five are followed, none from https to http, and headers of another host
// are left out.
func TestRedirectsAreCounted(t *testing.T) {
	at := func(address string) *http.Request {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return &http.Request{URL: u, Header: http.Header{"X-Key": {"k"}, "Accept": {"a"}, "User-Agent": {"u"},
			"Accept-Encoding": {"e"}, "Referer": {"r"}, "If-None-Match": {"t"}}}
	}
	for _, c := range []struct {
		from, to string
		hops     int
		ok       bool
		headers  int
	}{
		{"https://a.example/", "https://a.example/b", 1, true, 5}, {"https://a.example/", "https://a.example/b", 5,
			true, 5},
		{"https://a.example/", "https://a.example/b", 6, false, 0}, {"https://a.example/", "http://a.example/", 1,
			false, 0},
		{"http://a.example/", "https://a.example/", 1, true, 5}, {"http://a.example/", "http://b.example/", 1, true, 3},
		{"http://a.example/", "http://a.example:81/", 1, true, 3},
	} {
		var via []*http.Request
		for range c.hops {
			via = append(via, at(c.from))
		}
		req := at(c.to)
		err := checkRedirect(req, via)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrRedirectRefused) || err == nil &&
			len(req.Header) != c.headers {
			t.Errorf("%s to %s, %d: %v, %v", c.from, c.to, c.hops, err, req.Header)
		}
	}
}

// TestWaitsAreReadFromTheAnswer: in seconds or as a time, and never below zero.
func TestWaitsAreReadFromTheAnswer(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	tr := &objectDownload{f: &Fetcher{o: Options{Now: func() time.Time { return now }}}}
	for text, want := range map[string]time.Duration{"0": 0, "90": 90 * time.Second,
		"Fri, 20 Nov 2026 12:01:00 GMT": time.Minute,
		"Fri, 20 Nov 2026 11:00:00 GMT": 0, "99999999999999999999": 1 << 32 * time.Second,
		"4294967297": 1 << 32 * time.Second,
		"":           -1, "soon": -1, "-5": -1, "1.5": -1} {
		got, ok := tr.retryAfter(&http.Response{Header: http.Header{"Retry-After": {text}}})
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %s, %t; want %s", text, got, ok, want)
		}
	}
}

// TestHostsRestTheLongest of the times that were asked for.
func TestHostsRestTheLongest(t *testing.T) {
	var hosts HostStates
	h := hosts.hostState("a")
	if hosts.hostState("a") != h || hosts.hostState("b") == h {
		t.Error("a host has one state of its own")
	}
	early := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	h.blockUntil(early.Add(time.Hour))
	h.blockUntil(early)
	if got := h.due(); !got.Equal(early.Add(time.Hour)) {
		t.Errorf("due at %s", got)
	}
	gone := errors.New("gone")
	if h.stopReason() != nil {
		t.Error("stopped without a reason")
	}
	h.stop(gone)
	if h.stopReason() != gone || hosts.hostState("b").stopReason() != nil {
		t.Errorf("stopped because of %v", h.stopReason())
	}
}

// TestLastTriesOfAHost: as many as are allowed, and one if its last three objects failed and it
// asks for no rest.
func TestLastTriesOfAHost(t *testing.T) {
	for _, c := range []struct {
		n, failed int
		asked     bool
		want      bool
	}{{0, 0, false, false}, {3, 0, false, false}, {4, 0, false, true}, {0, 2, false, false}, {0, 3, false, true},
		{0, 3, true, false}, {4, 3, true, true}} {
		tr := &objectDownload{f: &Fetcher{o: Options{MaxAttempts: 5}}, host: &host{failureCount: c.failed},
			hasRetryAfter: c.asked}
		if got := tr.isLast(c.n); got != c.want {
			t.Errorf("try %d after %d failed objects, asked to rest %t: last %t", c.n, c.failed, c.asked, got)
		}
	}
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		again, unreached bool
		err              error
		failed           int
		dead             bool
	}{"an answer": {true, false, nil, 0, false}, "a definite no": {false, false, broken, 0, false},
		"a failure": {true, false, broken, 3, false}, "out of reach": {true, true, broken, 2, true}} {
		tr := &objectDownload{host: &host{failureCount: 2}, unreached: c.unreached}
		tr.recordResult(c.again, c.err)
		if tr.host.failureCount != c.failed || (tr.host.dead != nil) != c.dead {
			t.Errorf("%s: %d failed, %v", name, tr.host.failureCount, tr.host.dead)
		}
	}
}

// TestErrorsOfReading: those of the network are kept apart, and an early end is said.
func TestErrorsOfReading(t *testing.T) {
	broken := errors.New("broken")
	r := &reading{r: io.MultiReader(strings.NewReader("a"), failing{broken})}
	if b, err := io.ReadAll(r); string(b) != "a" || err != broken || r.err != broken {
		t.Errorf("%q, %v, %v", b, err, r.err)
	}
	r = &reading{r: strings.NewReader("a")}
	if _, err := io.ReadAll(r); err != nil || r.err != nil {
		t.Errorf("the end is an error: %v, %v", err, r.err)
	}
	if err := errTruncated(io.ErrUnexpectedEOF); !errors.Is(err, ErrTruncated) {
		t.Errorf("%v", err)
	}
	if err := errTruncated(broken); err != broken {
		t.Errorf("%v", err)
	}
	for status, want := range map[int]string{401: "check the key", 403: "check the key", 404: "moved or removed",
		410: "moved or removed",
		429: "asked too often", 500: "try again later"} {
		if err := statusError(&http.Response{StatusCode: status}); !errors.Is(err, ErrUnexpectedStatus) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestDefaultsOfOptions, and what is given stays.
func TestDefaultsOfOptions(t *testing.T) {
	o, _ := Options{}.withDefaults()
	if o.MaxAttempts != 5 || o.AttemptTimeout != 5*time.Minute || o.ObjectTimeout != 30*time.Minute ||
		o.RunTimeout != time.Hour ||
		o.MaxRunBytes != 256<<30 || o.MaxTotalWait != 10*time.Minute || o.HostStates == nil || o.Log == nil ||
		o.Sleep == nil {
		t.Errorf("%+v", o)
	}
	if v, ok := o.FindSecret("KEY"); v != "" || ok {
		t.Errorf("a secret of nothing: %q, %t", v, ok)
	}
	hosts := &HostStates{}
	o, _ = Options{MaxAttempts: 1, AttemptTimeout: 2, ObjectTimeout: 3, RunTimeout: 4, MaxRunBytes: 5, MaxTotalWait: 6,
		HostStates: hosts}.withDefaults()
	if o.MaxAttempts != 1 || o.AttemptTimeout != 2 || o.ObjectTimeout != 3 || o.RunTimeout != 4 || o.MaxRunBytes != 5 ||
		o.MaxTotalWait != 6 ||
		o.HostStates != hosts {
		t.Errorf("%+v", o)
	}
	if err := sleep(t.Context(), 0); err != nil {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := sleep(ended, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestPartsByTheNames of their objects.
func TestPartsByTheNames(t *testing.T) {
	for name, want := range map[string]string{"a": "a", "a/b": "a", "a/b/c": "a/b", "a/b/c/d": "a/b", "": ""} {
		if got := listOf(name); got != want {
			t.Errorf("%q is of %q, want %q", name, got, want)
		}
	}
	for want, faults := range map[string][]sources.Fault{"no part was asked for": nil, "x": {{Detail: "x"}},
		"2 parts failed; the first: x": {{Detail: "x"}, {Detail: "y"}}} {
		if got := summary(faults); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestShortSecretsAreNoSecrets: a text of under four bytes would be found everywhere.
func TestShortSecretsAreNoSecrets(t *testing.T) {
	var r redactor
	r.add("abc", "abcd", "abcdef", "a b/c")
	for in, want := range map[string]string{"abc": "abc", "abcd": "REDACTED", "abcdef": "REDACTED",
		"xabcdex": "xREDACTEDex",
		"a+b%2Fc": "REDACTED", "a%20b%2Fc": "REDACTED"} {
		if got := r.text(in); got != want {
			t.Errorf("%s is shown as %s, want %s", in, got, want)
		}
	}
	const shown = "https://REDACTED@a.example/x?q=1&api_key=REDACTED&z"
	if got := r.url("https://user:pass@a.example/x?q=1&api_key=k&z"); got != shown {
		t.Errorf("the address is shown as %s", got)
	}
	if got := r.url("https://a.example/%zz"); got != "REDACTED" {
		t.Errorf("an address that cannot be parsed is shown as %s", got)
	}
}

// TestSleepTakesItsTime, and ends early with its context.
func TestSleepTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := sleep(t.Context(), time.Hour); err != nil || time.Since(began) != time.Hour {
			t.Errorf("slept for %s, %v", time.Since(began), err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		began = time.Now()
		if err := sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("slept for %s, %v; want a minute", time.Since(began), err)
		}
	})
}
