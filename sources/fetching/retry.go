package fetching

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/archive"
)

// The back-off between two tries, before jitter: it doubles from the first to the last of these.
const (
	firstWait = time.Second
	lastWait  = 30 * time.Second
)

// try is the download of one object, with its repetitions.
type try struct {
	f      *Fetcher
	r      sources.Request
	host   string
	old    *archive.Fetch // set when the request is conditional
	rec    archive.Fetch
	waited time.Duration // sum so far
}

// permanent marks an error that another try would not change.
type permanent struct{ error }

func (p *permanent) Unwrap() error { return p.error }

// busy is an answer whose status says that another try may work.
type busy struct {
	error
	after time.Duration // that the publisher asks to wait
	asked bool
}

func (b *busy) Unwrap() error { return b.error }

// unreached is an error of connecting to the host that was asked.
type unreached struct{ error }

func (u *unreached) Unwrap() error { return u.error }

// download gets one object over whatever its address asks for.
func (f *Fetcher) download(ctx context.Context, r sources.Request) (archive.Fetch, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return archive.Fetch{}, errors.New("the address cannot be parsed")
	}
	t := &try{f: f, r: r, host: u.Host}
	switch u.Scheme {
	case "http", "https":
		return t.overHTTP(ctx)
	case "file":
		return t.fromDisk(u.Path)
	case "":
		return t.fromDisk(r.URL)
	}
	return archive.Fetch{}, fmt.Errorf("the address has the scheme %q; use https, http, file or a path", u.Scheme)
}

// overHTTP tries until it works, or may not go on.
func (t *try) overHTTP(ctx context.Context) (archive.Fetch, error) {
	ctx, cancel := context.WithTimeout(ctx, t.f.o.TotalTimeout)
	defer cancel()
	req, err := t.request(ctx)
	if err == nil {
		err = t.f.gate.reachable(t.host)
	}
	if err != nil {
		return t.rec, err
	}
	for n := 0; ; n++ {
		if err = t.f.gate.pass(ctx, t.host); err == nil {
			err = t.once(req)
		}
		switch {
		case err == nil:
			return t.rec, nil
		case ctx.Err() != nil:
			return t.rec, fmt.Errorf("stopped: %w", ctx.Err())
		case n+1 >= t.f.o.Attempts || !worthRepeating(err):
			if dead := (*unreached)(nil); errors.As(err, &dead) {
				t.f.gate.giveUp(t.host, err)
			}
			return t.rec, err
		}
		if err := t.pause(ctx, n, err); err != nil {
			return t.rec, err
		}
	}
}

// once makes the request and files what comes.
func (t *try) once(req *http.Request) error {
	resp, err := t.f.http.Do(req)
	if err != nil {
		return t.failure(err)
	}
	t.rec.Status = resp.StatusCode
	if !again(resp.StatusCode) {
		return t.take(resp)
	}
	after, asked := t.retryAfter(resp)
	return errors.Join(&busy{statusError(resp), after, asked}, resp.Body.Close())
}

// pause waits before a repetition: as long as the publisher asks for, which holds for
// every request to its host; else half of the time fixed and half by chance, so that many
// programs that failed together do not come back together.
func (t *try) pause(ctx context.Context, attempt int, err error) error {
	var b *busy
	if errors.As(err, &b) && b.asked {
		if t.waited += b.after; t.waited > t.f.o.MaxWait {
			return fmt.Errorf("%w: %v; it asks to wait %s, and one object may wait %s in all", ErrWait, err, b.after, t.f.o.MaxWait)
		}
		t.f.gate.hold(t.host, b.after)
		return nil
	}
	d := min(firstWait<<min(attempt, 10), lastWait)
	d = min(d/2+rand.N(d/2), t.f.o.MaxWait-t.waited)
	t.waited += d
	if err := t.f.o.Sleep(ctx, d); err != nil {
		return fmt.Errorf("stopped: %w", err)
	}
	return nil
}

// retryAfter reads the Retry-After header, in seconds or as a date.
func (t *try) retryAfter(resp *http.Response) (time.Duration, bool) {
	v := resp.Header.Get("Retry-After")
	if s, err := strconv.ParseUint(v, 10, 31); err == nil {
		return time.Duration(s) * time.Second, true
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(t.f.o.Now())), true
	}
	return 0, false
}

// again says which statuses are worth another try.
func again(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status >= 500 && status != http.StatusNotImplemented
}

// worthRepeating says whether an error may pass: faults of the network may, what
// the publisher plainly meant may not.
func worthRepeating(err error) bool {
	var stays *permanent
	var coded *sources.CodedError
	var passes *busy
	return errors.As(err, &passes) || !errors.As(err, &stays) && !errors.As(err, &coded) &&
		!errors.Is(err, ErrRedirect) && !errors.Is(err, archive.ErrTooLarge) && !errors.Is(err, ErrStatus)
}

// max is the bound of the body.
func (t *try) max() int64 { return orDefault(t.r.MaxBytes, t.f.o.MaxBytes) }

// Listing is what a directory gives when it is fetched: the names of the files in
// it, ordered, without hidden ones. An https base serves the same as index.json.
type Listing struct {
	Files []string `json:"files"`
}

// fromDisk files a file, or the listing of a directory.
func (t *try) fromDisk(path string) (archive.Fetch, error) {
	f, err := os.Open(path)
	if err != nil {
		return t.rec, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return t.rec, err
	}
	switch {
	case info.IsDir():
		list, err := listing(path)
		if err != nil {
			return t.rec, err
		}
		t.rec.ContentType = "application/json"
		return t.rec, t.file(bytes.NewReader(list))
	case !info.Mode().IsRegular():
		return t.rec, fmt.Errorf("%s is neither a file nor a directory", path)
	}
	return t.rec, t.file(f)
}

func listing(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	list := Listing{Files: []string{}}
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			list.Files = append(list.Files, e.Name())
		}
	}
	return json.Marshal(list)
}
