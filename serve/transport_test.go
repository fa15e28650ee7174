package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"labour/serve/metrics"
	"labour/serve/partners/access"
	"labour/serve/partners/usage"
)

func TestHeadIsGetWithoutBody(t *testing.T) {
	s := newService(t, nil)
	server := httptest.NewServer(s.handler)
	defer server.Close()
	for _, path := range []string{"/v1/labour/skills-unmet", "/v1/labour/sources?x=1", "/v1/nothing",
		"/v1/openapi.json", "/healthz"} {
		var got [2]http.Header
		for i, method := range []string{http.MethodGet, http.MethodHead} {
			r, err := http.NewRequest(method, server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+s.secret)
			r.Header.Set("Accept-Encoding", "identity")
			res, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			if err != nil || (method == http.MethodHead) != (len(body) == 0) {
				t.Errorf("%s %s: %d bytes, %v", method, path, len(body), err)
			}
			res.Body.Close()
			got[i] = res.Header
			got[i].Set("Status", res.Status)
			for _, varies := range []string{"X-Request-Id", "X-Ratelimit-Remaining", "X-Quota-Remaining", "Date",
				"Content-Length", "Transfer-Encoding"} {
				got[i].Del(varies)
			}
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func TestCompression(t *testing.T) {
	s := newService(t, nil)
	plain := record(s, newRequest(s, "/v1/labour/regions?kind=lsip"))
	long := record(s, newRequest(s, "/v1/labour/skills-unmet"))
	if plain.Body.Len() > compressFrom || long.Body.Len() <= compressFrom {
		t.Fatalf("bodies of %d and %d bytes do not test the bound", plain.Body.Len(), long.Body.Len())
	}
	for _, tt := range []struct{ target, accept, want string }{
		{"/v1/labour/skills-unmet", "", ""},
		{"/v1/labour/skills-unmet", "br", ""},
		{"/v1/labour/skills-unmet", "gzip", "gzip"},
		{"/v1/labour/skills-unmet", "gzip, zstd", "zstd"},
		{"/v1/labour/skills-unmet", "gzip, zstd;q=0", "gzip"},
		{"/v1/labour/regions?kind=lsip", "gzip, zstd", ""},
	} {
		r := newRequest(s, tt.target)
		r.Header.Set("Accept-Encoding", tt.accept)
		w := record(s, r)
		if got := w.Header().Get("Content-Encoding"); got != tt.want {
			t.Errorf("%s for %q: encoding %q, want %q", tt.target, tt.accept, got, tt.want)
		}
		if !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s for %q: Vary %q", tt.target, tt.accept, w.Header().Values("Vary"))
		}
		body := decompress(t, tt.want, w.Body)
		if !bytes.HasPrefix(body, []byte(`{"data":[`)) {
			t.Errorf("%s for %q: %.60q", tt.target, tt.accept, body)
		}
	}
}

func decompress(t *testing.T, encoding string, body io.Reader) []byte {
	t.Helper()
	var err error
	switch encoding {
	case "gzip":
		body, err = gzip.NewReader(body)
	case "zstd":
		body, err = zstd.NewReader(body)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestQueriesAreInterrupted(t *testing.T) {
	s := newService(t, func(o *Options) { o.QueryTimeout = time.Millisecond })
	s.live.now().hook = func(ctx context.Context) error {
		<-ctx.Done()
		return errors.New("interrupted") // as a database says it
	}
	res := s.get(t, "/v1/labour/skills-unmet")
	if e := errorOf(t, res); res.status != http.StatusGatewayTimeout || e.Code != "timeout" {
		t.Errorf("%d %+v", res.status, e)
	}
}

// A query that passes its deadline is counted as interrupted; one that succeeds, or fails in time,
// is not.
func TestMetricsCountInterruptedQueries(t *testing.T) {
	var measured *metrics.Metrics
	s := newService(t, func(o *Options) {
		measured = metrics.New(metrics.MeasuredState{Snapshots: o.Snapshots, Now: o.Now}, slog.New(slog.DiscardHandler))
		o.QueryTimeout, o.Metrics = 50*time.Millisecond, measured
	})
	for _, tt := range []struct {
		name        string
		hook        func(context.Context) error
		interrupted string
	}{
		{"answered", nil, "0"},
		{"failed", func(context.Context) error { return errors.New("no such table") }, "0"},
		{"too slow", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, "1"},
	} {
		s.live.now().hook = tt.hook
		s.get(t, "/v1/labour/skills-unmet")
		w := httptest.NewRecorder()
		measured.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		want := "\nlabour_queries_interrupted_total " + tt.interrupted + "\n"
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("after a query that was %s the metrics lack %q", tt.name, want)
		}
	}
}

func TestQueriesInFlightAreBounded(t *testing.T) {
	s := newService(t, func(o *Options) { o.MaxQueries, o.QueueWait = 1, time.Millisecond })
	running, finish := make(chan struct{}), make(chan struct{})
	s.live.now().hook = func(context.Context) error { close(running); <-finish; return nil }
	first := make(chan int)
	go func() { first <- record(s, newRequest(s, "/v1/labour/skills-unmet")).Code }()
	<-running
	w := record(s, newRequest(s, "/v1/labour/skills-unmet"))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" {
		t.Errorf("second: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	close(finish)
	if code := <-first; code != http.StatusOK {
		t.Errorf("first: %d", code)
	}
	s.live.now().hook = nil
	if res := s.get(t, "/v1/labour/skills-unmet"); res.status != http.StatusOK {
		t.Errorf("after: %d", res.status)
	}
}

func TestWithoutASnapshot(t *testing.T) {
	s := newService(t, nil)
	delete(s.live.kept, "2026-11-20.1")
	for _, path := range []string{"/v1/labour/skills-unmet", "/v1/labour/skills-gaps", "/v1/labour/course-demand",
		"/v1/labour/evidence", "/v1/labour/sources", "/v1/labour/regions", "/readyz"} {
		res := s.get(t, path)
		if e := errorOf(t, res); e.Code != "unavailable" || res.header.Get("Retry-After") != "30" ||
			e.RetryAfterSeconds == nil || *e.RetryAfterSeconds != 30 {
			t.Errorf("%s: %d %+v", path, res.status, e)
		}
	}
	if res := s.do(t, http.MethodGet, "/healthz"); res.status != http.StatusOK {
		t.Errorf("healthz: %d", res.status)
	}
}

// A caller that went away and a service that stops are no faults of the inside.
func TestGivenUpCallsAreUnavailable(t *testing.T) {
	s := newService(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	s.live.now().hook = func(context.Context) error { cancel(); return ctx.Err() }
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, newRequest(s, "/v1/labour/regions").WithContext(ctx))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("caller went away: %d %s", w.Code, w.Body)
	}
}

// stuck is a state database that does not answer.
type stuck struct{}

func (stuck) Count(ctx context.Context, _ string, _ time.Time) (usage.Counts, error) {
	<-ctx.Done()
	return usage.Counts{}, ctx.Err()
}

func (stuck) Authenticate(ctx context.Context, _ string, _ time.Time) (access.Key, error) {
	<-ctx.Done()
	return access.Key{}, ctx.Err()
}

// Calls do not wait for ever for a state database that stalls, and readiness says so.
func TestAStalledStateIsUnavailable(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"counting":   func(o *Options) { o.RequestCounter = stuck{} },
		"looking up": func(o *Options) { o.Authenticator = stuck{} },
	} {
		s := newService(t, func(o *Options) {
			change(o)
			o.StateTimeout = time.Second // the other of the two answers in time, however busy the machine is
			o.CheckStateDatabase = func(context.Context) error { return errors.New("read only") }
		})
		if res := s.get(t, "/v1/labour/regions"); res.status != http.StatusServiceUnavailable ||
			res.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", name, res.status, res.body)
		} else if limit := res.header.Get("X-RateLimit-Limit"); name == "counting" &&
			(limit == "" || res.header.Get("X-RateLimit-Reset") == "") {
			t.Errorf("%s: a call with a valid key has the limit %q", name, limit)
		}
		if res := s.do(t, http.MethodGet, "/readyz"); res.status != http.StatusServiceUnavailable {
			t.Errorf("%s: readiness is %d", name, res.status)
		}
	}
}

// full is a state database whose disk is full.
type full struct{}

func (full) Count(context.Context, string, time.Time) (usage.Counts, error) {
	return usage.Counts{}, errors.New("disk full")
}

// A call that cannot be counted is 503 with Retry-After, so that clients try again.
func TestACallThatCannotBeCountedIsUnavailable(t *testing.T) {
	s := newService(t, func(o *Options) { o.RequestCounter = full{} })
	if res := s.get(t, "/v1/labour/regions"); res.status != http.StatusServiceUnavailable ||
		res.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", res.status, res.body)
	}
}

func TestReadinessReadsTheData(t *testing.T) {
	s := newService(t, nil)
	if res := s.do(t, http.MethodGet, "/readyz"); string(
		res.body) != `{"status":"ready","snapshot":"2026-11-20.1","as_of":"2026-11-20"}`+"\n" {
		t.Errorf("%s", res.body)
	}
	s.live.now().hook = func(context.Context) error { return errors.New("file gone") }
	if res := s.do(t, http.MethodGet, "/readyz"); res.status != http.StatusInternalServerError {
		t.Errorf("snapshot that does not answer: %d", res.status)
	}
}
