package sourcetest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"labour/sources"
)

type breakage = func(http.Handler) http.Handler

// always returns a breakage, which makes a test server fail. The handler answer responds to every
// request.
func always(answer http.HandlerFunc) breakage {
	return func(http.Handler) http.Handler { return answer }
}

// status returns a breakage, which makes a test server fail. It responds to every request with a
// status and no body.
func status(code int) breakage {
	return always(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
}

var (
	// html makes a server respond to every request with a web page and status 200.
	html = always(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write([]byte("<!DOCTYPE html>\n<html><body>We are down for maintenance.</body></html>"))
	})
	// loop makes a server redirect every request to the same URL, for ever.
	loop = always(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.RequestURI(), http.StatusFound)
	})
	// slow makes a server send headers and one byte, but never the rest of the response.
	slow = always(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100000")
		w.Write([]byte("{"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	// oversized makes a server announce a body that exceeds all size limits.
	oversized = always(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.FormatInt(1<<60, 10))
		w.Write([]byte("{"))
	})
	tooMany = always(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	})
)

// truncated makes a server end each response after half of its body.
func truncated(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-None-Match")
		r.Header.Del("If-Modified-Since")
		whole := httptest.NewRecorder()
		h.ServeHTTP(whole, r)
		body := whole.Body.Bytes()
		w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
		w.Write(body[:len(body)/2])
	})
}

// when returns a breakage for some requests only. A request fails if isBroken returns true for its
// URI. failure is the way in which it fails.
func when(isBroken func(uri string) bool, failure breakage) breakage {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isBroken(r.URL.RequestURI()) {
				failure(h).ServeHTTP(w, r)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
}

// first returns a breakage for the first n requests to each URI. Later requests succeed. failure is
// the way in which the first ones fail.
func first(n int, failure breakage) breakage {
	var mu sync.Mutex
	count := map[string]int{}
	return when(func(uri string) bool {
		mu.Lock()
		defer mu.Unlock()
		count[uri]++
		return count[uri] <= n
	}, failure)
}

// passingFaults tests that temporary server failures do not change the records.
func (c Case) passingFaults(t *testing.T) {
	healthy := c.bench(t)
	want, _ := healthy.mustRead(healthy.mustFetch())
	for name, how := range map[string]breakage{
		"429 with Retry-After": first(1, tooMany),
		"500 twice":            first(2, status(http.StatusInternalServerError)),
		"cut once":             first(1, truncated),
	} {
		t.Run(name, func(t *testing.T) {
			b := c.bench(t)
			b.breakAll(how)
			begun := b.clock.Now()
			got, _ := b.mustRead(b.mustFetch())
			mustEqual(t, "the records", got, want)
			if name == "429 with Retry-After" && b.clock.Now().Sub(begun) < 7*time.Second {
				t.Errorf("did not wait the 7 s that Retry-After asked for, only %s", b.clock.Now().Sub(begun))
			}
		})
	}
}

// lastingFaults tests permanent failures of a publisher's server. Each failure must be reported
// under a code, and the source's last good data must still give the same records.
func (c Case) lastingFaults(t *testing.T) {
	for name, how := range map[string]breakage{
		"500": status(http.StatusInternalServerError), "404": status(http.StatusNotFound), "slow": slow,
		"truncated": truncated, "html": html, "oversized": oversized, "redirect loop": loop,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := c.bench(t)
			good := b.mustFetch()
			want, _ := b.mustRead(good)
			b.breakAll(how)
			b.clock.advance(24 * time.Hour)
			b.checkLastGood(good, want)
		})
	}
}

// maxParts is the maximum number of requests per source that onePartFails breaks.
const maxParts = 20

// onePartFails breaks each request of the source in turn, up to maxParts, with status 404 or a web
// page. The fetch must then report a fault, and reading must give the same records as before.
func (c Case) onePartFails(t *testing.T) {
	b := c.bench(t)
	good := b.mustFetch()
	want, _ := b.mustRead(good)
	uris := slices.Sorted(maps.Keys(b.requests()))
	for _, uri := range uris[:min(len(uris), maxParts)] {
		for name, how := range map[string]breakage{"404": status(http.StatusNotFound), "html": html} {
			t.Run(name+" for "+uri, func(t *testing.T) {
				b.t = t
				b.breakAll(when(func(asked string) bool { return asked == uri }, how))
				b.clock.advance(24 * time.Hour)
				b.checkLastGood(good, want)
			})
		}
	}
}

// checkLastGood fetches from a broken server. It checks that every fault has a code, and that reading
// still gives the records of the last good fetch.
func (b *bench) checkLastGood(good sources.Extract, want []sources.Record) {
	b.t.Helper()
	x, faults, err := b.fetch()
	if len(faults) == 0 {
		b.t.Fatalf("the fault has no named outcome (error %v)", err)
	}
	for _, f := range faults {
		if f.Code == "" || f.Detail == "" || f.Source != good.Source {
			b.t.Errorf("fault %+v needs a source, a code and a detail", f)
		}
	}
	if err != nil && len(x.Objects) != 0 {
		b.t.Error("an extract came with an error")
	}
	last, ok, err := b.archive.LastExtract(good.Source)
	if !ok || err != nil {
		b.t.Fatal("the last good extract is gone", err)
	}
	got, _ := b.mustRead(last)
	mustEqual(b.t, "what stands after the fault", got, want)
}
