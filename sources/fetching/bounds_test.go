package fetching_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
)

// defaultAttempts is how often an object is tried where Options say nothing.
const defaultAttempts = 5

// A publisher by a public name must not lead the program to an address of the operator's
// own network, whatever name that address has.
func TestRedirectIntoTheOwnNetwork(t *testing.T) {
	r := newRun(t)
	var asked atomic.Int32
	own := serve(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(own, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	publisher := serve(t, func(w http.ResponseWriter, q *http.Request) {
		http.Redirect(w, q, "http://"+q.URL.Query().Get("to")+":"+port+"/", http.StatusFound)
	})
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, strings.TrimPrefix(publisher, "http://"))
	}
	f := r.fetcher(func(o *fetching.Options) { o.Transport, o.MaxAttempts = &http.Transport{DialContext: dial}, 1 })
	for _, to := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"} {
		_, err := f.Get(context.Background(), sources.Request{Name: to, URL: "http://publisher.example/?to=" + to})
		if !errors.Is(err, fetching.ErrRedirectRefused) {
			t.Errorf("to %s: %v", to, err)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("the own server was asked %d times", asked.Load())
	}
}

// A source that is slow beyond its bound ends with what it gave; the parts that were not
// asked for are carried.
func TestTimeOfASourceIsBounded(t *testing.T) {
	r := newRun(t)
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "list") })
	o := fetching.Options{Archive: r.archive, UserAgent: "t (t@works.example)", Now: r.Now, Sleep: r.sleep}
	slow := false
	src := func(ctx context.Context, f sources.Fetcher) error {
		for _, name := range []string{"a", "b", "c"} {
			if _, err := f.Get(ctx, sources.Request{Name: name, URL: url}); err != nil {
				f.MarkFailed(name, err)
			}
			if name == "a" && slow {
				<-ctx.Done()
				return ctx.Err()
			}
		}
		return nil
	}
	o.RunTimeout = time.Minute
	if _, faults, err := fetching.FetchSource(context.Background(), stub(src), o); err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	slow, o.RunTimeout = true, 2*time.Second
	x, faults, err := fetching.FetchSource(context.Background(), stub(src), o)
	got := ""
	for _, o := range x.Objects {
		got += fmt.Sprint(o.Name, o.Carried, " ")
	}
	if err != nil || got != "afalse btrue ctrue " || len(faults) != 2 {
		t.Errorf("%s, faults %v, %v", got, faults, err)
	}
}

// A source that sends more than it may is asked for nothing more.
func TestBytesOfASourceAreBounded(t *testing.T) {
	r := newRun(t)
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "0123456789") })
	f := r.fetcher(func(o *fetching.Options) { o.MaxRunBytes = 15 })
	for i, want := range []bool{true, true, false} {
		_, err := f.Get(context.Background(), sources.Request{Name: fmt.Sprint(i), URL: url})
		if (err == nil) != want || err != nil && !errors.Is(err, archive.ErrTooLarge) {
			t.Errorf("object %d: %v", i, err)
		}
	}
}

// TestADeadHostIsGivenUp: once all tries of one object ended without a connection, the
// other objects of that host fail at once; a host that answers is asked as before.
func TestADeadHostIsGivenUp(t *testing.T) {
	r := newRun(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	alive := serve(t, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/away" {
			http.Redirect(w, q, closed.URL, http.StatusFound)
			return
		}
		io.WriteString(w, "[]")
	})
	asked := 0
	f := r.fetcher(func(o *fetching.Options) { o.OnProgress = func(objects, _ int) { asked = objects } })
	for i := range 50 {
		_, err := f.Get(t.Context(), sources.Request{Name: fmt.Sprint("board-", i), URL: closed.URL})
		if err == nil || strings.Contains(err.Error(), "not asked again in this run") != (i > 0) {
			t.Fatalf("board %d: %v", i, err)
		}
	}
	if len(r.slept) != defaultAttempts-1 {
		t.Errorf("waited %d times for a dead host, want %d", len(r.slept), defaultAttempts-1)
	}
	for _, path := range []string{"/away", "/here"} {
		if _, err := f.Get(t.Context(),
			sources.Request{Name: path, URL: alive + path}); (err == nil) != (path == "/here") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if asked != 52 {
		t.Errorf("progress was reported for %d objects, want 52", asked)
	}
}

// TestAnOutageIsNotWaitedForAtEveryObject: a host that fails object after object is asked
// once for each further one until it answers, and waits that it asks for are kept.
func TestAnOutageIsNotWaitedForAtEveryObject(t *testing.T) {
	const troubled = 3 // objects that are tried to the end
	for _, status := range []int{http.StatusOK, http.StatusNotFound} {
		r := newRun(t)
		down, asked := http.StatusInternalServerError, 0
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			if down == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "7")
			}
			w.WriteHeader(down)
			io.WriteString(w, "list")
		})
		f, objects := r.fetcher(), 0
		get := func(answer, want int) {
			t.Helper()
			down, asked = answer, 0
			objects++
			_, err := f.Get(t.Context(), sources.Request{Name: fmt.Sprint("board-", objects), URL: url})
			if asked != want || (err == nil) != (answer == http.StatusOK) {
				t.Errorf("object %d of status %d was asked for %d times, want %d: %v", objects, answer, asked, want,
					err)
			}
		}
		for range 2 {
			for range troubled {
				get(http.StatusInternalServerError, defaultAttempts)
			}
			for range 40 {
				get(http.StatusBadGateway, 1)
			}
			if get(http.StatusTooManyRequests, defaultAttempts); r.slept[len(r.slept)-1] < 6*time.Second {
				t.Errorf("waited %s of the 7 s that it asked for", r.slept[len(r.slept)-1])
			}
			get(status, 1)
		}
	}
}

// TestClosedConnectionIsNamed: of a publisher that hangs up without an answer, the error is a sentence,
// and not the word of the library.
func TestClosedConnectionIsNamed(t *testing.T) {
	r := newRun(t)
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		connection.Close()
	})
	_, err := r.fetcher().Get(t.Context(), sources.Request{Name: "list", URL: url})
	if err == nil || !strings.Contains(err.Error(), "closed the connection without an answer") {
		t.Error(err)
	}
}
