package serve

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// withPages adds pages that answer with f.
func withPages(f func(PageBackend) http.HandlerFunc) func(*Options) {
	return func(o *Options) { o.Pages = func(in PageBackend) (http.Handler, error) { return f(in), nil } }
}

func from(address, method, target string, body io.Reader) *http.Request {
	r := httptest.NewRequest(method, target, body)
	r.RemoteAddr = address
	return r
}

// Calls without a valid key are limited by address; keys are not, nor are other
// addresses, and few of the refused calls are logged.
func TestAddressesWithoutAKeyAreLimited(t *testing.T) {
	s := newService(t, func(o *Options) { o.RequestsPerAddress = 1 })
	var last *httptest.ResponseRecorder
	call := func(address, target, secret string) int {
		r := from(address, http.MethodGet, target, nil)
		if secret != "" {
			r.Header.Set("Authorization", "Bearer "+secret)
		}
		last = httptest.NewRecorder()
		s.handler.ServeHTTP(last, r)
		return last.Code
	}
	for i := range burstSeconds {
		if got := call("198.51.100.1:1", "/v1/labour/sources", "wrong"); got != http.StatusUnauthorized {
			t.Fatalf("call %d without a key: %d", i, got)
		}
	}
	s.log.Reset()
	for _, target := range []string{"/v1/labour/sources", "/v1/nothing", "/healthz", "/v1/openapi.json"} {
		for _, secret := range []string{"", "wrong"} {
			if got := call("198.51.100.1:2", target, secret); got != http.StatusTooManyRequests ||
				!strings.Contains(last.Body.String(), `"too_many_requests"`) {
				t.Errorf("%s past the limit: %d %s", target, got, last.Body)
			}
		}
	}
	if n := strings.Count(s.log.String(), `"msg":"request"`); n != 1 {
		t.Errorf("%d lines for calls past the limit, want one a second", n)
	}
	for _, target := range []string{"/v1/labour/sources", "/v1/openapi.json"} {
		if got := call("198.51.100.1:3", target, s.secret); got != http.StatusOK ||
			!strings.Contains(fmt.Sprint(last.Header()), "X-RateLimit-Remaining") {
			t.Errorf("%s with a valid key from the same address: %d %v", target, got, last.Header())
		}
	}
	if got := call("198.51.100.2:1", "/v1/labour/sources", ""); got != http.StatusUnauthorized {
		t.Errorf("another address: %d", got)
	}
	s.clock.set(s.clock.now().Add(time.Second))
	if got := call("198.51.100.1:1", "/v1/labour/sources", ""); got != http.StatusUnauthorized {
		t.Errorf("a second later: %d", got)
	}
}

// Pages have their own share of the queries: however many run, a key gets its turn.
func TestPagesKeepNoPartnerWaiting(t *testing.T) {
	running, finish := make(chan struct{}, 10), make(chan struct{})
	s := newService(t, func(o *Options) {
		o.MaxQueries, o.QueueWait = 2, 10*time.Millisecond
		withPages(func(in PageBackend) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				err := in.RunQuery(r.Context(), func(context.Context) error { running <- struct{}{}; <-finish; return nil })
				if errors.Is(err, ErrBusy) {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			}
		})(o)
	})
	codes := make(chan int, 4)
	for range cap(codes) {
		go func() {
			w := httptest.NewRecorder()
			s.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/skills", nil))
			codes <- w.Code
		}()
	}
	<-running
	for range cap(codes) - 1 {
		if got := <-codes; got != http.StatusServiceUnavailable {
			t.Errorf("a page next to another: %d", got)
		}
	}
	if res := s.get(t, "/v1/labour/regions"); res.status != http.StatusOK {
		t.Errorf("a key next to pages: %d %s", res.status, res.body)
	}
	close(finish)
	if got := <-codes; got != http.StatusOK {
		t.Errorf("the page itself: %d", got)
	}
}

// A call of a page for labour data may be kept by shared caches, leads to its own next
// page, and to no other endpoint.
func TestLabourDataForPages(t *testing.T) {
	s := newService(t, withPages(func(in PageBackend) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			in.SendDownload(w, r, Download{Dataset: strings.TrimPrefix(r.URL.Path, "/csv/"), Format: "csv",
				PagePath: r.URL.Path}, r.URL.Query())
		}
	}))
	get := func(target string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		return w
	}
	first := get("/csv/skills-unmet?limit=2&place=camden")
	if h := first.Header(); first.Code != http.StatusOK || h.Get("Cache-Control") != PublicCacheControl ||
		!strings.HasPrefix(h.Get("Link"), "</csv/skills-unmet?cursor=") ||
		strings.Contains(h.Get("Link"), "format=") || !strings.Contains(h.Get("Link"), "place=camden") {
		t.Errorf("%d %v", first.Code, h)
	}
	//lint:ignore SA1008 the header is sent as it is spelt in RFC 9110
	tag := first.Header()["ETag"][0]
	again := get("/csv/skills-unmet?limit=2&place=camden", "If-None-Match", tag)
	if again.Code != http.StatusNotModified || again.Header().Get("Cache-Control") != PublicCacheControl {
		t.Errorf("%d %v", again.Code, again.Header())
	}
	for _, target := range []string{"/csv/..%2fjobs", "/csv/x%2f..%2fsources", "/csv/.", "/csv/"} {
		if got := get(target); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", target, got.Code, got.Header().Get("Location"))
		}
	}
	if got := get("/csv/sources?" + strings.Repeat("a", 5) + manyParameters(4000)); got.Code != http.StatusBadRequest ||
		got.Body.Len() > 20_000 {
		t.Errorf("4000 parameters: %d with %d bytes", got.Code, got.Body.Len())
	}
}

func manyParameters(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "&p%d=1", i)
	}
	return b.String()
}

// A body that a page does not want is not read, and none is kept on the disk.
func TestBodiesLeaveNothingBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var read error
	s := newService(t, withPages(func(PageBackend) http.HandlerFunc {
		return func(_ http.ResponseWriter, r *http.Request) { _, read = io.Copy(io.Discard, r.Body) }
	}))
	body := "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n" + strings.Repeat("a", 40<<20) +
		"\r\n--x--\r\n"
	r := httptest.NewRequest(http.MethodPost, "/docs", strings.NewReader(body))
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	s.handler.ServeHTTP(httptest.NewRecorder(), r)
	var tooLarge *http.MaxBytesError
	if !errors.As(read, &tooLarge) {
		t.Errorf("a body of 40 MB: %v", read)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
}

// A body that breaks off is the caller's fault.
func TestABrokenBodyIsNoFaultOfTheService(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, "webhooks:manage")
	r := httptest.NewRequest(http.MethodPost, endpointsPath, io.MultiReader(strings.NewReader(`{"url":`), broken{}))
	r.Header.Set("Authorization", "Bearer "+s.secret)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest || strings.Contains(s.log.String(), `"level":"ERROR"`) {
		t.Errorf("%d %s\n%s", w.Code, w.Body, s.log)
	}
}

// A client that goes away is no error of the service.
func TestAClientThatWentAwayIsNoError(t *testing.T) {
	s := newService(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	s.live.now().hook = func(ctx context.Context) error { cancel(); return ctx.Err() }
	s.handler.ServeHTTP(httptest.NewRecorder(), newRequest(s, "/v1/labour/regions").WithContext(ctx))
	if log := s.log.String(); strings.Contains(log, `"level":"ERROR"`) || !strings.Contains(log, `"status":499`) {
		t.Errorf("%s", log)
	}
}

// The service's own paths report their methods, with and without pages.
func TestOwnPathsSayTheirMethods(t *testing.T) {
	s := newService(t, withPages(func(PageBackend) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }
	}))
	for _, path := range []string{"/healthz", "/readyz"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
			if res := s.do(t, method, path); res.status != http.StatusMethodNotAllowed ||
				res.header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, res.status, res.header.Get("Allow"))
			}
		}
	}
	for _, target := range []string{"/v1%2fjobs", "/v1%2Flabour/sources"} {
		if res := s.get(t, target); res.status != http.StatusNotFound {
			t.Errorf("%s: %d", target, res.status)
		}
	}
}

func TestStrictTransportSecurity(t *testing.T) {
	s := newService(t, nil)
	r := newRequest(s, "/v1/labour/regions")
	if got := record(s, r).Header().Get("Strict-Transport-Security"); got != "" {
		t.Errorf("without TLS: %q", got)
	}
	r.TLS = &tls.ConnectionState{}
	if got := record(s, r).Header().Get("Strict-Transport-Security"); got == "" {
		t.Error("none with TLS")
	}
}

// A long response that breaks is cut off, so that half a list is not taken for a whole one.
func TestBrokenStreamsAreCutOff(t *testing.T) {
	for name, fault := range map[string]any{"given up": http.ErrAbortHandler,
		"a fault": errors.New("SELECT broke in a.go")} {
		s := newService(t, withPages(func(PageBackend) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/csv; charset=utf-8")
				StreamResponse(w)
				io.WriteString(w, "place,skill\ncamden,sql\n")
				panic(fault)
			}
		}))
		server := httptest.NewServer(s.handler)
		res, err := http.Get(server.URL + "/csv/whole/skills-unmet?each=place")
		if err == nil {
			body, readErr := io.ReadAll(res.Body)
			if err = readErr; err == nil {
				t.Errorf("%s: status %d and a whole body %q", name, res.StatusCode, body)
			}
			res.Body.Close()
		}
		server.Close()
		if !strings.Contains(s.log.String(), `"level":"ERROR"`) {
			t.Errorf("%s: not logged: %s", name, s.log)
		}
	}
}

// How a call came is believed of proxies alone: pages print it, and shared caches keep pages.
func TestOnlyProxiesSayHowACallCame(t *testing.T) {
	s := newService(t, func(o *Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")}
		withPages(func(PageBackend) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("X-Forwarded-Proto")) }
		})(o)
	})
	for address, want := range map[string]string{"198.51.100.1:1": "", "203.0.113.7:1": "https",
		"127.0.0.1:1": "https"} {
		r := from(address, http.MethodGet, "/places/camden", nil)
		r.Header.Set("X-Forwarded-Proto", "https")
		if got := record(s, r).Body.String(); got != want {
			t.Errorf("from %s: %q", address, got)
		}
	}
}

// Files of figures without a key cost no more calls an hour than the smallest plan has, and
// what else an address asks for is not held back by them.
func TestFilesWithoutAKeyAreLimited(t *testing.T) {
	s := newService(t, withPages(func(in PageBackend) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/page" {
				return
			}
			for range 3 { // several lists of one file count once
				in.SendDownload(w, r, Download{Dataset: "regions", Format: "csv", PagePath: r.URL.Path}, url.Values{})
			}
		}
	}))
	for i := range downloadsAnHour {
		if w := record(s, from("198.51.100.1:1", http.MethodGet, "/csv/regions", nil)); w.Code != http.StatusOK {
			t.Fatalf("file %d: %d %s", i, w.Code, w.Body)
		}
	}
	w := record(s, from("198.51.100.1:1", http.MethodGet, "/csv/regions", nil))
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "36" {
		t.Errorf("past the limit: %d, Retry-After %s", w.Code, w.Header().Get("Retry-After"))
	}
	for address, path := range map[string]string{"198.51.100.1:1": "/page", "198.51.100.2:1": "/csv/regions"} {
		if w := record(s, from(address, http.MethodGet, path, nil)); w.Code != http.StatusOK {
			t.Errorf("%s from %s: %d", path, address, w.Code)
		}
	}
}

// A long response is sent while it is made.
func TestStreamedResponses(t *testing.T) {
	more := make(chan struct{})
	s := newService(t, withPages(func(PageBackend) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/csv")
			StreamResponse(w)
			w.Write(bytes.Repeat([]byte("a,b\n"), 1<<16))
			<-more
		}
	}))
	server := httptest.NewServer(s.handler)
	defer server.Close()
	client := http.Client{Transport: &http.Transport{DisableCompression: true}}
	response, err := client.Get(server.URL + "/snapshots/changes.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	part := make([]byte, 1<<10)
	if _, err := io.ReadFull(response.Body, part); err != nil || response.Header.Get("X-Request-Id") == "" {
		t.Errorf("%v %v", err, response.Header)
	}
	close(more)
	if rest, err := io.ReadAll(response.Body); err != nil || len(part)+len(rest) != 4<<16 {
		t.Errorf("%d bytes, %v", len(part)+len(rest), err)
	}
}
