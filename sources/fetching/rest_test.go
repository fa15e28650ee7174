package fetching_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/fetching"
)

// A host that asks for a longer rest than an object may wait has it from every object, and from
// every source of the run.
func TestLongWaitRestsTheHost(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		r, asked := newRun(t), 0
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Retry-After", "7200")
			w.WriteHeader(status)
		})
		hosts := &fetching.HostStates{}
		share := func(o *fetching.Options) { o.HostStates = hosts }
		other := func(o *fetching.Options) { o.HostStates, o.SourceKey = hosts, "others" }
		first, second := r.fetcher(share), r.fetcher(other)
		for i, f := range []*fetching.Fetcher{first, first, second} {
			_, err := f.Get(context.Background(), sources.Request{Name: string(rune('a' + i)),
				URL: url + "/" + string(rune('a'+i))})
			if !errors.Is(err, fetching.ErrRetryAfterTooLong) || !strings.Contains(err.Error(), "2h0m0s") {
				t.Errorf("object %d: %v", i, err)
			}
		}
		if asked != 1 || len(r.slept) != 0 {
			t.Errorf("status %d: the host was asked %d times and waited for %v", status, asked, r.slept)
		}
		if _, err := r.fetcher().Get(context.Background(), sources.Request{Name: "a", URL: url}); asked != 2 {
			t.Errorf("the next run asked %d times: %v", asked-1, err)
		}
	}
}

// An error names the address at which a redirect ended, without its query; another host's rate
// limit is not waited for.
func TestErrorSaysWhereARedirectEnded(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		asked  int
	}{
		"429": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "4"); w.WriteHeader(429) },
			1},
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, defaultAttempts},
		"501": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(501) }, 1},
		"404": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, 1},
		"503": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "9999")
			w.WriteHeader(503)
		}, defaultAttempts},
		"page": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<!doctype html><p>Welcome") }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r, asked := newRun(t), 0
			other := serve(t, func(w http.ResponseWriter, q *http.Request) { asked++; c.answer(w, q) })
			url := serve(t, func(w http.ResponseWriter, q *http.Request) {
				http.Redirect(w, q, other+"/welcome?visitor=someone", http.StatusTemporaryRedirect)
			})
			_, err := r.fetcher().Get(context.Background(),
				sources.Request{Name: "n", URL: url, Accept: sources.AcceptXML})
			if err == nil || !strings.Contains(err.Error(), "redirect led to "+other+"/welcome") ||
				strings.Contains(err.Error(), "someone") {
				t.Errorf("the error is %v", err)
			}
			moved := "the address was moved: correct it in the configuration"
			if strings.Contains(err.Error(), moved) != (name == "429") {
				t.Errorf("the advice that the address was moved belongs to a limit elsewhere: %v", err)
			}
			if asked != c.asked || errors.Is(err, fetching.ErrRetryAfterTooLong) {
				t.Errorf("asked %d times, want %d: %v", asked, c.asked, err)
			}
		})
	}
}

// A wait that is too large a number is a long wait, and none that was not asked for.
func TestOverflowingWaitRestsTheHost(t *testing.T) {
	for _, wait := range []string{"4294967296", "9223372036854775807", "18446744073709551616",
		"99999999999999999999999"} {
		r, asked := newRun(t), 0
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Retry-After", wait)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		f := r.fetcher()
		for _, name := range []string{"a", "b"} {
			if _, err := f.Get(context.Background(), sources.Request{Name: name, URL: url + "/" + name}); !errors.Is(
				err, fetching.ErrRetryAfterTooLong) {
				t.Errorf("Retry-After %s, object %s: %v", wait, name, err)
			}
		}
		if asked != 1 || len(r.slept) != 0 {
			t.Errorf("Retry-After %s: the host was asked %d times and waited for %v", wait, asked, r.slept)
		}
	}
}
