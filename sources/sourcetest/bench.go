package sourcetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
	"labour/sources/intake"
)

// ServeBodies returns an HTTP handler that serves fixed bodies. The keys of bodies are paths, with
// or without a query. Other paths give status 404. The handler supports ETag and If-None-Match.
func ServeBodies(bodies map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := bodies[r.URL.RequestURI()]
		if !ok {
			body, ok = bodies[r.URL.Path]
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256([]byte(body))))
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader([]byte(body)))
	})
}

// ReadExtract reads an extract (one fetch of a source) and returns its records and faults. It is an
// error if the source leaves an archived object open.
func ReadExtract(src sources.Source, x sources.Extract, open sources.Opener) ([]sources.Record, []sources.Fault,
	error) {
	var sink collector
	counted := &countingOpener{Opener: open}
	err := intake.ReadCleaned(context.Background(), src, x, counted, &sink)
	if left := counted.open.Load(); left != 0 {
		err = errors.Join(err, fmt.Errorf("%d archived objects are left open", left))
	}
	return sink.records, sink.faults, err
}

// countingOpener is a sources.Opener that counts the archived objects that are open.
type countingOpener struct {
	sources.Opener
	open atomic.Int32
}

// Open opens an archived object, which counts as open until its first Close.
func (c *countingOpener) Open(o sources.ArchivedObject) (sources.Body, error) {
	b, err := c.Opener.Open(o)
	if err != nil {
		return nil, err
	}
	c.open.Add(1)
	return &countedBody{Body: b, of: c}, nil
}

// countedBody is an archived object that a countingOpener opened.
type countedBody struct {
	sources.Body
	of   *countingOpener
	once sync.Once
}

// Close closes the archived object.
func (b *countedBody) Close() error {
	b.once.Do(func() { b.of.open.Add(-1) })
	return b.Body.Close()
}

type collector struct {
	records []sources.Record
	faults  []sources.Fault
}

// Emit adds a record to the collected records.
func (c *collector) Emit(r sources.Record) error { c.records = append(c.records, r); return nil }

// Fault adds a fault to the collected faults.
func (c *collector) Fault(f sources.Fault) { c.faults = append(c.faults, f) }

// clock is a fake clock. Its time changes only when the test calls advance or the fetcher sleeps. A
// sleep takes no real time.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// bench is a test environment with a fake publisher, an archive and the tested source.
type bench struct {
	t       *testing.T
	c       Case
	server  *httptest.Server
	archive *archive.Archive
	dir     string
	clock   *clock
	log     bytes.Buffer
	source  sources.Source
	mu      sync.Mutex
	// how the publisher's server is broken; nil if it works normally
	breakServer func(http.Handler) http.Handler
	userAgents  map[string]string // User-Agent header of the last request, by request URI
}

func (c Case) bench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, c: c, dir: t.TempDir(), userAgents: map[string]string{},
		clock: &clock{now: time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)}}
	b.server = httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(b.server.Close)
	var err error
	if b.archive, err = archive.Open(b.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.archive.Close() })
	b.source = c.NewSource(b.server.URL)
	return b
}

func (b *bench) serve(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.userAgents[r.URL.RequestURI()] = r.UserAgent()
	h := b.c.Publisher
	if b.breakServer != nil {
		h = b.breakServer(h)
	}
	b.mu.Unlock()
	h.ServeHTTP(w, r)
}

func (b *bench) breakAll(how func(http.Handler) http.Handler) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.breakServer = how
}

// requests returns a map from each requested URI to the User-Agent of its last request.
func (b *bench) requests() map[string]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.userAgents)
}

// fetch fetches the source once. Its time limits are short, so that a broken server fails quickly.
func (b *bench) fetch() (sources.Extract, []sources.Fault, error) {
	return fetching.FetchSource(context.Background(), b.source, fetching.Options{
		Archive: b.archive, UserAgent: "labour-test/1 (data@works.example)", Now: b.clock.Now,
		Sleep:       func(_ context.Context, d time.Duration) error { b.clock.advance(d); return nil },
		Log:         slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		FindSecret:  func(name string) (string, bool) { v, ok := b.c.Secrets[name]; return v, ok },
		MaxAttempts: 3, AttemptTimeout: 500 * time.Millisecond, ObjectTimeout: 20 * time.Second,
	})
}

func (b *bench) mustFetch() sources.Extract {
	b.t.Helper()
	x, faults, err := b.fetch()
	if err != nil || len(faults) != 0 {
		b.t.Fatalf("fetch from a healthy server: %v, faults %+v", err, faults)
	}
	return x
}

func (b *bench) mustRead(x sources.Extract) ([]sources.Record, []sources.Fault) {
	b.t.Helper()
	records, faults, err := ReadExtract(b.source, x, b.archive)
	if err != nil {
		b.t.Fatalf("read: %v", err)
	}
	return records, faults
}

// archiveFiles returns the text of every file in the archive, by path. It leaves out downloaded
// bodies.
func (b *bench) archiveFiles() map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".zst" {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

func mustEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s differs (- want, + got):\n%s", what, diff)
	}
}
