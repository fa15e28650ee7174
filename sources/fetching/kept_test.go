package fetching_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/fetching"
)

// dayLater makes the fetcher of a run on the next day.
func (r *run) dayLater() *fetching.Fetcher {
	r.now = r.now.Add(24 * time.Hour)
	return r.fetcher()
}

// TestPartsAreKeptOrFetchedAgain: a kept object is in the extract without a request, a discarded part can be
// fetched a second time, and the body of an earlier day stays known through both.
func TestPartsAreKeptOrFetchedAgain(t *testing.T) {
	r := newRun(t)
	asked, text, encodings := map[string]int{}, "first", ""
	url := serve(t, func(w http.ResponseWriter, q *http.Request) {
		asked[q.URL.Path]++
		encodings = q.Header.Get("Accept-Encoding")
		io.WriteString(w, text+q.URL.Path)
	})
	get := func(f *fetching.Fetcher, name string) {
		t.Helper()
		if _, err := f.Get(t.Context(), sources.Request{Name: name, URL: url + "/" + name}); err != nil {
			t.Fatal(err)
		}
	}
	f := r.fetcher()
	for _, name := range []string{"v/a/1", "v/a/2", "v/b/1"} {
		get(f, name)
		if _, ok := f.EarlierBody(name); ok {
			t.Errorf("%s has a body from before the first run", name)
		}
	}
	if _, _, err := f.WriteExtract(); err != nil || encodings != "gzip, zstd" {
		t.Fatalf("%v; a body may come in %q", err, encodings)
	}
	f.DiscardPart("v/a")
	if x, _, err := f.WriteExtract(); err != nil || names(x) != "v/b/1" {
		t.Errorf("without the discarded part: %s, %v", names(x), err)
	}
	get(f, "v/a/1")
	f.WriteExtract()
	text, f = "second", r.dayLater()
	get(f, "v/a/1")
	f.DiscardPart("v/a")
	text = "third"
	get(f, "v/a/1")
	if o, ok := f.EarlierBody("v/a/1"); !ok || r.body(o) != "first/v/a/1" {
		t.Errorf("the body of the day before: %t, %+v", ok, o)
	}
	for _, none := range []string{"", "v/b/1"} { // nothing of that name was asked for in this run
		if o, ok := f.EarlierBody(none); ok {
			t.Errorf("a body for %q: %+v", none, o)
		}
	}
	if !f.KeepLast("v/b/1") || f.KeepLast("v/c/1") {
		t.Error("the object of the last extract is kept, and no other")
	}
	x, faults, err := f.WriteExtract()
	if err != nil || len(faults) > 0 || names(x) != "v/a/1 v/b/1" || x.Objects[0].Kept || !x.Objects[1].Kept ||
		r.body(x.Objects[0]) != "third/v/a/1" || r.body(x.Objects[1]) != "first/v/b/1" {
		t.Errorf("%s, %+v, %v, %v", names(x), x.Objects, faults, err)
	}
	if asked["/v/a/1"] != 4 || asked["/v/b/1"] != 1 {
		t.Errorf("asked %v, want a/1 four times and b/1 once", asked)
	}
}

// TestTimeOfChangeIsSentBack, of a publisher that gives no ETag.
func TestTimeOfChangeIsSentBack(t *testing.T) {
	const changed = "Fri, 20 Nov 2026 06:00:00 GMT"
	r := newRun(t)
	var sent []string
	url := serve(t, func(w http.ResponseWriter, q *http.Request) {
		sent = append(sent, q.Header.Get("If-Modified-Since")+q.Header.Get("If-None-Match"))
		w.Header().Set("Last-Modified", changed)
		if sent[len(sent)-1] == changed {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(w, "body")
	})
	for range 2 {
		f := r.fetcher()
		if o, err := f.Get(t.Context(), sources.Request{Name: "n", URL: url}); err != nil || r.body(o) != "body" {
			t.Fatal(err)
		}
		f.WriteExtract()
	}
	if len(sent) != 2 || sent[0] != "" || sent[1] != changed {
		t.Errorf("sent %q, want nothing and then %s", sent, changed)
	}
}

// TestWaitsThatEndEndTheRequest: a wait that the publisher asked for, and one before a retry.
func TestWaitsThatEndEndTheRequest(t *testing.T) {
	over := errors.New("the wait is over")
	for status, want := range map[int]string{http.StatusTooManyRequests: "n: the wait is over",
		http.StatusBadGateway: "n: stopped: the wait is over"} {
		r, asked, waits := newRun(t), 0, 0
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked++
			if status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "60")
			}
			w.WriteHeader(status)
		})
		f := r.fetcher(func(o *fetching.Options) {
			o.Sleep = func(context.Context, time.Duration) error { waits++; return over }
		})
		_, err := f.Get(t.Context(), sources.Request{Name: "n", URL: url})
		if err == nil || err.Error() != want || asked != 1 || waits != 1 {
			t.Errorf("status %d: %v after %d requests and %d waits, want %s", status, err, asked, waits, want)
		}
	}
}

// TestConnectorThatPanicsIsAFault of the response that it could not read.
func TestConnectorThatPanicsIsAFault(t *testing.T) {
	r := newRun(t)
	o := fetching.Options{Archive: r.archive, UserAgent: "t (t@works.example)", Now: r.Now, Sleep: r.sleep}
	broken := func(context.Context, sources.Fetcher) error { panic("no such row") }
	_, faults, err := fetching.FetchSource(t.Context(), stub(broken), o)
	if err == nil || err.Error() != "the connector cannot read the response: no such row" || len(faults) != 1 ||
		faults[0].Code != sources.FaultWrongFormat {
		t.Errorf("%v, %+v", err, faults)
	}
}

// TestDamagedArchiveEndsTheRun, before a request if its journals cannot be read, or at the record of the
// download if that cannot be written.
func TestDamagedArchiveEndsTheRun(t *testing.T) {
	r, asked := newRun(t), 0
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { asked++; io.WriteString(w, "x") })
	get := func(ctx context.Context, f sources.Fetcher) error {
		_, err := f.Get(ctx, sources.Request{Name: "n", URL: url})
		return err
	}
	o := fetching.Options{Archive: r.archive, UserAgent: "t (t@works.example)", Now: r.Now, Sleep: r.sleep}
	file := filepath.Join(r.dir, "extracts", "stub.ndjson")
	if err := os.WriteFile(file, []byte("no record\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fetching.FetchSource(t.Context(), stub(get), o); !errors.Is(err, sources.ErrDamaged) || asked != 0 {
		t.Errorf("%v after %d requests, want the damaged record and none", err, asked)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	f := r.fetcher()
	if err := os.WriteFile(filepath.Join(r.dir, "fetches", "places.ndjson"), []byte("no record\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := get(t.Context(), f); !errors.Is(err, sources.ErrDamaged) || asked != 0 {
		t.Errorf("%v after %d requests, want the damaged record and none", err, asked)
	}
	gone := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if err := os.RemoveAll(filepath.Join(r.dir, "sha256")); err != nil {
			t.Error(err)
		}
		io.WriteString(w, "x")
	})
	lost := r.fetcher(func(o *fetching.Options) { o.SourceKey = "lost" })
	if _, err := lost.Get(t.Context(), sources.Request{Name: "n", URL: gone}); err == nil ||
		!strings.Contains(err.Error(), "file a body: ") {
		t.Errorf("%v, want an error: there is no folder for the body", err)
	}
	if err := os.Mkdir(filepath.Join(r.dir, "sha256"), 0o700); err != nil {
		t.Fatal(err)
	}
	full := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if err := os.Mkdir(filepath.Join(r.dir, "fetches", "others.ndjson"), 0o700); err != nil {
			t.Error(err)
		}
		io.WriteString(w, "x")
	})
	other := r.fetcher(func(o *fetching.Options) { o.SourceKey = "others" })
	if _, err := other.Get(t.Context(), sources.Request{Name: "n", URL: full}); err == nil {
		t.Error("a download without a record is taken")
	}
	if x, _, err := other.WriteExtract(); !errors.Is(err, fetching.ErrNothingFetched) {
		t.Errorf("a download without a record is in the extract: %s, %v", names(x), err)
	}
}

// TestPathsThatAreNoFiles are named, with the reason.
func TestPathsThatAreNoFiles(t *testing.T) {
	f := newRun(t).fetcher()
	for path, want := range map[string]string{"/dev/null": "/dev/null is neither a file nor a directory",
		t.TempDir() + "/none": "no such file or directory"} {
		if _, err := f.Get(t.Context(), sources.Request{Name: path, URL: path}); err == nil ||
			!strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
