package fetching_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
)

// run is one archive, and a clock that sleeping moves.
type run struct {
	t       *testing.T
	dir     string
	archive *archive.Archive
	log     bytes.Buffer
	mu      sync.Mutex
	now     time.Time
	slept   []time.Duration
}

func newRun(t *testing.T) *run {
	t.Helper()
	r := &run{t: t, dir: t.TempDir(), now: time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)}
	var err error
	if r.archive, err = archive.Open(r.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.archive.Close() })
	return r
}

func (r *run) Now() time.Time { r.mu.Lock(); defer r.mu.Unlock(); return r.now }

func (r *run) sleep(ctx context.Context, d time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now, r.slept = r.now.Add(d), append(r.slept, d)
	return ctx.Err()
}

// fetcher makes the fetcher of the next run, an hour later.
func (r *run) fetcher(change ...func(*fetching.Options)) *fetching.Fetcher {
	r.t.Helper()
	r.now = r.now.Add(time.Hour)
	o := fetching.Options{
		Archive: r.archive, SourceKey: "places", UserAgent: "labour-test (data@works.example)", Now: r.Now, Sleep: r.sleep,
		Log:        slog.New(slog.NewJSONHandler(&r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		FindSecret: func(name string) (string, bool) { return "s3cret/+value", name == "KEY" },
	}
	for _, c := range change {
		c(&o)
	}
	f, err := fetching.New(o)
	if err != nil {
		r.t.Fatal(err)
	}
	return f
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func (r *run) body(o sources.ArchivedObject) string {
	r.t.Helper()
	b, err := r.archive.Open(o)
	if err != nil {
		r.t.Fatal(err)
	}
	defer b.Close()
	all, err := io.ReadAll(b)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(all)
}

func TestOptionsAreChecked(t *testing.T) {
	r := newRun(t)
	good := fetching.Options{Archive: r.archive, SourceKey: "s", UserAgent: "x (https://works.example)", Now: r.Now}
	for want, change := range map[string]func(*fetching.Options){
		"archive": func(o *fetching.Options) { o.Archive = nil },
		"key":     func(o *fetching.Options) { o.SourceKey = "" },
		"clock":   func(o *fetching.Options) { o.Now = nil },
		"contact": func(o *fetching.Options) { o.UserAgent = "labour/1.0" },
	} {
		o := good
		change(&o)
		if _, err := fetching.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", want, err)
		}
	}
	if _, err := fetching.New(good); err != nil {
		t.Error(err)
	}
}

func TestConditionalRequests(t *testing.T) {
	r := newRun(t)
	body, tag, sent := "one", `"v1"`, 0
	url := serve(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("ETag", tag)
		if q.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		io.WriteString(w, body)
	})
	get := func() sources.ArchivedObject {
		t.Helper()
		f := r.fetcher()
		o, err := f.Get(context.Background(), sources.Request{Name: "n", URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.WriteExtract(); err != nil {
			t.Fatal(err)
		}
		return o
	}
	first := get()
	if second := get(); sent != 1 || !cmp.Equal(first, second) {
		t.Errorf("unchanged: sent %d times, %+v then %+v", sent, first, second)
	}
	os.WriteFile(r.archive.BodyPath(first.SHA256), []byte("broken"), 0o600)
	if third := get(); sent != 2 || r.body(third) != "one" {
		t.Errorf("a damaged object is fetched again, unconditionally: sent %d", sent)
	}
	tag = `"v2"` // the same bytes under a new tag
	if fourth := get(); sent != 3 || !fourth.FetchedAt.Equal(first.FetchedAt) {
		t.Errorf("same bytes: sent %d, first received %s, want %s", sent, fourth.FetchedAt, first.FetchedAt)
	}
	body, tag = "two", `"v3"`
	if fifth := get(); sent != 4 || r.body(fifth) != "two" || !fifth.FetchedAt.After(first.FetchedAt) {
		t.Errorf("changed: sent %d, %+v", sent, fifth)
	}
}

func TestRetryAfter(t *testing.T) {
	for name, c := range map[string]struct {
		header func(now time.Time) string
		want   time.Duration // 0: refused
	}{
		"ten minutes": {func(time.Time) string { return "600" }, 10 * time.Minute},
		"seconds":     {func(time.Time) string { return "120" }, 2 * time.Minute},
		"date": {func(now time.Time) string { return now.Add(90 * time.Second).Format(http.TimeFormat) },
			90 * time.Second},
		"past":    {func(now time.Time) string { return now.Add(-time.Hour).Format(http.TimeFormat) }, 0},
		"too far": {func(time.Time) string { return "36000" }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			r, asked := newRun(t), 0
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if asked++; asked == 1 {
					w.Header().Set("Retry-After", c.header(r.Now()))
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				io.WriteString(w, "ok")
			})
			f := r.fetcher()
			began := r.Now()
			_, err := f.Get(context.Background(), sources.Request{Name: "n", URL: url})
			if c.want < 0 {
				if !errors.Is(err, fetching.ErrRetryAfterTooLong) || asked != 1 || len(r.slept) != 0 ||
					!strings.Contains(err.Error(), "10h0m0s") {
					t.Errorf("asked %d, slept %v: %v", asked, r.slept, err)
				}
				return
			}
			if err != nil || asked != 2 || r.Now().Sub(began) != c.want {
				t.Errorf("asked %d, waited %s: %v", asked, r.Now().Sub(began), err)
			}
		})
	}
}

func TestBackOffIsBounded(t *testing.T) {
	r, asked := newRun(t), 0
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { asked++; w.WriteHeader(http.StatusBadGateway) })
	_, err := r.fetcher().Get(context.Background(), sources.Request{Name: "n", URL: url})
	if !errors.Is(err, fetching.ErrUnexpectedStatus) || asked != defaultAttempts || len(r.slept) != asked-1 {
		t.Fatalf("asked %d, slept %v: %v", asked, r.slept, err)
	}
	for i, d := range r.slept {
		if whole := time.Second << i; d < whole/2 || d > whole {
			t.Errorf("wait %d is %s, want %s to %s", i, d, whole/2, whole)
		}
	}
	r.slept = nil
	r.fetcher(func(o *fetching.Options) { o.MaxTotalWait = time.Second }).Get(context.Background(),
		sources.Request{Name: "n", URL: url})
	var sum time.Duration
	for _, d := range r.slept {
		sum += d
	}
	if sum > time.Second {
		t.Errorf("waited %s under a bound of 1 s", sum)
	}
}

func TestPermanentFailuresAreAskedOnce(t *testing.T) {
	big := strings.Repeat("x", 2000)
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		is      error
		code    sources.FaultCode
		says    string
	}{
		"404": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, fetching.ErrUnexpectedStatus,
			sources.FaultUnavailable, "address"},
		"401": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, fetching.ErrUnexpectedStatus,
			sources.FaultUnavailable, "key"},
		"304 unasked": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, fetching.ErrUnexpectedStatus,
			sources.FaultUnavailable, "304"},
		"206": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(206) }, fetching.ErrUnexpectedStatus,
			sources.FaultUnavailable, "206"},
		"html": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, " <!doctype HTML><p>") }, nil,
			sources.FaultWrongFormat, "HTML"},
		"empty": {func(w http.ResponseWriter, _ *http.Request) {}, nil, sources.FaultWrongFormat, "empty"},
		"announced": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2000")
			io.WriteString(w, "["+big[1:])
		}, archive.ErrTooLarge, sources.FaultUnavailable, "2000 bytes announced, more than the bound of 1000 bytes"},
		"unannounced": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "[")
			w.(http.Flusher).Flush()
			io.WriteString(w, big)
		}, archive.ErrTooLarge, sources.FaultUnavailable, "1000 bytes"},
		"gzip bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, "["+strings.Repeat("x", 1<<20))
			z.Close()
		}, archive.ErrTooLarge, sources.FaultUnavailable, "1000 bytes"},
		"odd encoding": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			io.WriteString(w, "[]")
		}, nil, sources.FaultWrongFormat, "br"},
	} {
		t.Run(name, func(t *testing.T) {
			r, asked := newRun(t), 0
			url := serve(t, func(w http.ResponseWriter, q *http.Request) { asked++; c.handler(w, q) })
			_, err := r.fetcher().Get(context.Background(),
				sources.Request{Name: "n", URL: url, Accept: sources.AcceptJSON, MaxBytes: 1000})
			if err == nil || asked != 1 || c.is != nil && !errors.Is(err, c.is) || sources.FaultCodeOf(err) != c.code ||
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("asked %d times, code %s, %v", asked, sources.FaultCodeOf(err), err)
			}
		})
	}
}

func TestTransferEncodings(t *testing.T) {
	r := newRun(t)
	plain := strings.Repeat("advert ", 1000)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, plain)
	z.Close()
	zs, _ := zstd.NewWriter(nil)
	bodies := map[string][]byte{"": []byte(plain), "gzip": zipped.Bytes(), "zstd": zs.EncodeAll([]byte(plain), nil)}
	cut := false
	url := serve(t, func(w http.ResponseWriter, q *http.Request) {
		enc := strings.Trim(q.URL.Path, "/")
		if enc != "" {
			w.Header().Set("Content-Encoding", enc)
		}
		b := bodies[enc]
		if cut {
			b = b[:len(b)/2]
			if enc == "" {
				w.Header().Set("Content-Length", fmt.Sprint(len(bodies[enc])))
			}
		}
		w.Write(b)
	})
	f := r.fetcher()
	for enc := range bodies {
		o, err := f.Get(context.Background(), sources.Request{Name: "whole" + enc, URL: url + "/" + enc})
		if err != nil || r.body(o) != plain {
			t.Errorf("%q: %v", enc, err)
		}
	}
	cut = true
	for enc := range bodies {
		_, err := f.Get(context.Background(), sources.Request{Name: "cut" + enc, URL: url + "/" + enc})
		if !errors.Is(err, fetching.ErrTruncated) {
			t.Errorf("%q cut in half: %v", enc, err)
		}
	}
}
