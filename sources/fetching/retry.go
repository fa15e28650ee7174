package fetching

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"labour/sources"
	"labour/sources/archive"
)

// The back-off between two tries, before jitter: it doubles from the first to
// the last of these.
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
	err    error         // of the last repetition
	over   bool          // err stands; do not go on
	wait   time.Duration // before the next one
	waited time.Duration // sum so far
}

// permanent marks an error that another try would not change.
type permanent struct{ error }

// Unwrap is the error itself.
func (p *permanent) Unwrap() error { return p.error }

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
	plain, err := t.request(ctx)
	if err != nil {
		return t.rec, err
	}
	req, err := retryablehttp.FromRequest(plain)
	if err != nil {
		return t.rec, err
	}
	req.SetResponseHandler(t.take)
	c := retryablehttp.Client{
		HTTPClient: t.f.http, RetryMax: t.f.o.Attempts - 1,
		CheckRetry: t.judge, Backoff: t.backoff(ctx),
		PrepareRetry: func(*http.Request) error { return t.f.gate.pass(ctx, t.host) },
	}
	if err := t.f.gate.pass(ctx, t.host); err != nil {
		return t.rec, err
	}
	resp, err := c.Do(req)
	if err == nil {
		resp.Body.Close()
		return t.rec, nil
	}
	switch {
	case ctx.Err() != nil:
		return t.rec, fmt.Errorf("stopped: %w", ctx.Err())
	case t.err == nil:
		return t.rec, withoutAddress(err)
	}
	return t.rec, t.err
}

// judge says whether to try again, and plans the wait.
func (t *try) judge(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if resp != nil {
		t.rec.Status = resp.StatusCode
	}
	switch {
	case t.over:
		return false, t.err
	case ctx.Err() != nil:
		t.err, t.over = fmt.Errorf("stopped: %w", ctx.Err()), true
		return false, t.err
	case err != nil:
		t.err = withoutAddress(err)
		if !worthRepeating(t.err) {
			return false, nil
		}
	case again(resp.StatusCode):
		t.err = statusError(resp)
	default:
		t.err = nil
		return false, nil
	}
	return t.plan(resp)
}

// plan bounds the sum of the waits. What the publisher asks for holds for every
// request to its host.
func (t *try) plan(resp *http.Response) (bool, error) {
	t.wait = 0
	asked, ok := t.retryAfter(resp)
	if ok && t.waited+asked > t.f.o.MaxWait {
		t.over = true
		t.err = fmt.Errorf("%w: %v; it asks to wait %s, and one object may wait %s in all", ErrWait, t.err, asked, t.f.o.MaxWait)
		return false, t.err
	}
	if ok {
		t.waited += asked
		t.f.gate.hold(t.host, asked)
	}
	return true, nil
}

// backoff waits before a repetition, half of the time fixed and half by chance,
// so that many programs that failed together do not come back together. It waits
// by itself, to be stopped by ctx and by tests, and leaves nothing to wait.
func (t *try) backoff(ctx context.Context) retryablehttp.Backoff {
	return func(_, _ time.Duration, attempt int, resp *http.Response) time.Duration {
		if _, ok := t.retryAfter(resp); ok {
			return 0 // the gate of the host waits
		}
		d := min(firstWait<<min(attempt, 10), lastWait)
		d = d/2 + rand.N(d/2)
		d = min(d, t.f.o.MaxWait-t.waited)
		t.waited += d
		_ = t.f.o.Sleep(ctx, d) // the next try sees that ctx ended
		return 0
	}
}

// retryAfter reads the Retry-After header, in seconds or as a date.
func (t *try) retryAfter(resp *http.Response) (time.Duration, bool) {
	if resp == nil {
		return 0, false
	}
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
	return !errors.As(err, &stays) && !errors.As(err, &coded) &&
		!errors.Is(err, ErrRedirect) && !errors.Is(err, archive.ErrTooLarge) && !errors.Is(err, ErrStatus)
}

// max is the bound of the body.
func (t *try) max() int64 { return orDefault(t.r.MaxBytes, t.f.o.MaxBytes) }
