package fetching_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/fetching"
)

func names(x sources.Extract) string {
	var all []string
	for _, o := range x.Objects {
		n := o.Name
		if o.Carried {
			n += "*"
		}
		all = append(all, n)
	}
	return strings.Join(all, " ")
}

func TestFinishCarriesWhatFailed(t *testing.T) {
	r := newRun(t)
	down := map[string]bool{}
	url := serve(t, func(w http.ResponseWriter, q *http.Request) {
		if down[q.URL.Path] {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		io.WriteString(w, q.URL.Path)
	})
	fetch := func(parts ...string) (sources.Extract, []sources.Fault, error) {
		f := r.fetcher()
		for _, p := range parts {
			o, err := f.Get(context.Background(), sources.Request{Name: p, URL: url + "/" + p})
			switch {
			case err != nil && p != "quiet":
				f.MarkFailed(p, err)
			case err == nil && p == "empty" && down["empty"]:
				f.MarkFailed(o.Name, sources.WithFaultCode(sources.FaultSuddenlyEmpty, errors.New("no job; there were 40")))
			}
		}
		return f.WriteExtract()
	}
	x, faults, err := fetch("c", "a", "quiet", "empty", "gone")
	if err != nil || len(faults) != 0 || names(x) != "a c empty gone quiet" {
		t.Fatalf("healthy: %s %v %v", names(x), faults, err)
	}
	first := x
	down["/a"], down["/quiet"], down["/new"], down["empty"] = true, true, true, true
	for day := range 2 { // carried today from yesterday's carried
		x, faults, err = fetch("a", "c", "quiet", "empty", "new")
		if err != nil || names(x) != "a* c empty* quiet*" {
			t.Fatalf("day %d: %s %v", day, names(x), err)
		}
	}
	if x.Objects[0].SHA256 != first.Objects[0].SHA256 || !x.Objects[0].FetchedAt.Equal(first.Objects[0].FetchedAt) {
		t.Error("the carried object is not the last good one")
	}
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprintf("%s %s %v", f.Object, f.Code, strings.Contains(f.Detail, "is used instead")))
	}
	want := []string{"a unavailable true", "empty suddenly_empty true", "new unavailable false",
		"quiet unavailable true"}
	for i, f := range faults {
		if f.Object == "new" {
			got[i] = fmt.Sprintf("new %s %v", f.Code, !strings.Contains(f.Detail, "no earlier object"))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	down["/c"] = true
	_, faults, err = fetch("a", "c")
	if !errors.Is(err, fetching.ErrNothingFetched) || len(faults) != 2 || !strings.Contains(err.Error(), "404") {
		t.Errorf("everything fails: %v %v", faults, err)
	}
	if last, _, err := r.archive.LastExtract("places"); err != nil || names(last) != names(x) {
		t.Errorf("what stands is %s, want %s", names(last), names(x))
	}
	if _, _, err := fetch(); !errors.Is(err, fetching.ErrNothingFetched) {
		t.Errorf("nothing asked for: %v", err)
	}
}

func TestNamesAreUsedOnce(t *testing.T) {
	r := newRun(t)
	url := serve(t, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/bad" {
			w.WriteHeader(404)
		}
	})
	f := r.fetcher()
	get := func(name, path string) error {
		_, err := f.Get(context.Background(), sources.Request{Name: name, URL: url + path})
		return err
	}
	if get("n", "/bad") == nil || get("n", "/good") != nil {
		t.Error("a second address may be tried after a failure")
	}
	if get("n", "/good") == nil || get("", "/good") == nil {
		t.Error("a name is used once and not empty")
	}
	if x, faults, err := f.WriteExtract(); err != nil || len(faults) != 0 || names(x) != "n" {
		t.Errorf("%s %v %v: the success makes up for the failure", names(x), faults, err)
	}
}

func TestDisk(t *testing.T) {
	r := newRun(t)
	dir := t.TempDir()
	for name, body := range map[string]string{"b.ndjson": "b", "a.ndjson": "a", ".hidden": "h"} {
		os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600)
	}
	os.Mkdir(filepath.Join(dir, "sub"), 0o700)
	f := r.fetcher()
	for name, want := range map[string]string{dir: `{"files":["a.ndjson","b.ndjson"]}`,
		"file://" + dir:   `{"files":["a.ndjson","b.ndjson"]}`,
		dir + "/a.ndjson": "a", "file://" + dir + "/b.ndjson": "b"} {
		o, err := f.Get(context.Background(), sources.Request{Name: name, URL: name})
		if err != nil || r.body(o) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := f.Get(context.Background(), sources.Request{Name: "x", URL: dir + "/none"}); err == nil {
		t.Error("a missing file")
	}
	if _, err := f.Get(context.Background(), sources.Request{Name: "y", URL: dir + "/a.ndjson",
		Accept: sources.AcceptJSON}); sources.FaultCodeOf(err) != sources.FaultWrongFormat {
		t.Errorf("Accept holds for files too: %v", err)
	}
}

// stub is a source whose fetch is a function.
type stub func(context.Context, sources.Fetcher) error

func (stub) Info() sources.Info                                   { return sources.Info{Key: "stub"} }
func (s stub) Fetch(ctx context.Context, f sources.Fetcher) error { return s(ctx, f) }
func (stub) Read(context.Context, sources.Extract, sources.Opener, sources.RecordSink) error {
	return nil
}

func TestFetchSource(t *testing.T) {
	r := newRun(t)
	url := serve(t, func(http.ResponseWriter, *http.Request) {})
	o := fetching.Options{Archive: r.archive, UserAgent: "t (t@works.example)", Now: r.Now, Sleep: r.sleep}
	get := func(ctx context.Context, f sources.Fetcher) error {
		_, err := f.Get(ctx, sources.Request{Name: "n", URL: url})
		return err
	}
	if x, faults, err := fetching.FetchSource(context.Background(), stub(get), o); err != nil || len(faults) != 0 ||
		x.Source != "stub" {
		t.Fatalf("%+v %v %v", x, faults, err)
	}
	half := func(ctx context.Context, f sources.Fetcher) error {
		get(ctx, f)
		return errors.New("the rest is unusable")
	}
	if _, faults, err := fetching.FetchSource(context.Background(), stub(half), o); err == nil || len(faults) != 1 ||
		faults[0].Source != "stub" {
		t.Errorf("%v %v", faults, err)
	}
	var stopped atomic.Bool
	ctx, cancel := context.WithCancel(context.Background())
	interrupted := func(ctx context.Context, f sources.Fetcher) error {
		get(ctx, f)
		cancel()
		stopped.Store(true)
		return nil
	}
	if _, _, err := fetching.FetchSource(ctx, stub(interrupted), o); !errors.Is(err, context.Canceled) || !stopped.Load() {
		t.Errorf("interrupted: %v", err)
	}
	if all, err := r.archive.ExtractsSince("stub", time.Time{}); err != nil || len(all) != 1 {
		t.Errorf("%d extracts; only the whole run leaves one", len(all))
	}
}

func TestCancelEndsTheRetries(t *testing.T) {
	r := newRun(t)
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { asked++; cancel(); w.WriteHeader(503) })
	_, err := r.fetcher().Get(ctx, sources.Request{Name: "n", URL: url})
	if !errors.Is(err, context.Canceled) || asked != 1 || len(r.slept) > 0 {
		t.Errorf("asked %d, slept %v: %v", asked, r.slept, err)
	}
}

// TestPartsAreTakenWhole: the data of a part that failed are neither used nor lost,
// and a part whose name begins in the same way is another one.
func TestPartsAreTakenWhole(t *testing.T) {
	r := newRun(t)
	url := serve(t, func(w http.ResponseWriter, q *http.Request) { io.WriteString(w, q.URL.Path) })
	fetch := func(refused string, parts ...string) (sources.Extract, []sources.Fault) {
		f := r.fetcher()
		for _, p := range parts {
			if _, err := f.Get(context.Background(), sources.Request{Name: p, URL: url + "/" + p}); err != nil {
				t.Fatal(err)
			}
		}
		if refused != "" {
			f.MarkFailed(refused+"/1", errors.New("the page is not as before"))
			f.MarkFailed(refused, errors.New("nor is the board"))
		}
		x, faults, err := f.WriteExtract()
		if err != nil {
			t.Fatal(err)
		}
		return x, faults
	}
	fetch("", "v/acme/0", "v/acme/1", "v/acme2/0")
	x, faults := fetch("v/acme", "v/acme/0", "v/acme/2", "v/acme2/0")
	if names(x) != "v/acme/0* v/acme/1* v/acme2/0" {
		t.Errorf("the extract holds %s", names(x))
	}
	if len(faults) != 1 || faults[0].Object != "v/acme" || !strings.Contains(faults[0].Detail, "is used instead") {
		t.Errorf("faults %+v", faults)
	}
}

// TestTimeEndsBetweenPages: a board is taken whole or not at all, when the time of the source
// ends between two of its pages too.
func TestTimeEndsBetweenPages(t *testing.T) {
	for _, old := range []int{1, 2, 3} { // pages of the last good list
		r := newRun(t)
		version := "old"
		url := serve(t, func(w http.ResponseWriter, q *http.Request) { io.WriteString(w, version+q.URL.Path) })
		slow := ""
		board := func(ctx context.Context, f sources.Fetcher) error {
			pages := []string{"v/first/0", "v/second/0", "v/second/1", "v/second/2"}[:1+old]
			if slow != "" {
				pages = []string{"v/first/0", "v/second/0", "v/second/1"}
			}
			for _, page := range pages {
				if _, err := f.Get(ctx, sources.Request{Name: page, URL: url + "/" + page}); err != nil {
					return err
				}
				if page == slow {
					<-ctx.Done()
					return ctx.Err()
				}
			}
			return nil
		}
		o := fetching.Options{Archive: r.archive, UserAgent: "t (t@works.example)", Now: r.Now, Sleep: r.sleep,
			RunTimeout: time.Minute}
		if _, _, err := fetching.FetchSource(context.Background(), stub(board), o); err != nil {
			t.Fatal(err)
		}
		slow, version, o.RunTimeout = "v/second/0", "new", time.Second
		x, faults, err := fetching.FetchSource(context.Background(), stub(board), o)
		if err != nil || len(faults) != 1 || faults[0].Object != "v/second" {
			t.Fatalf("%d pages before: faults %v, %v", old, faults, err)
		}
		for _, page := range x.Objects {
			carried := strings.HasPrefix(page.Name, "v/second/")
			want := "new/" + page.Name
			if carried {
				want = "old/" + page.Name
			}
			if page.Carried != carried || r.body(page) != want {
				t.Errorf("%d pages before: %s is %q, carried %t", old, page.Name, r.body(page), page.Carried)
			}
		}
		if len(x.Objects) != 1+old {
			t.Errorf("%d pages before: the extract has %s", old, names(x))
		}
	}
}
