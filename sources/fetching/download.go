package fetching

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"labour/sources"
	"labour/sources/archive"
)

const (
	// firstWait is the wait before the first retry. Each further wait is twice the previous one. A
	// random amount of up to half is subtracted from each.
	firstWait = time.Second
	// lastWait is the longest wait before a retry.
	lastWait = 30 * time.Second
)

// headBytes is the number of bytes from the start of a body that Request.Accept receives.
const headBytes = 1024

// objectDownload is the download of one object, for example a page of a list. It may take more than one
// attempt.
type objectDownload struct {
	f   *Fetcher
	r   sources.Request
	rec archive.FetchRecord
	// newest earlier download of the object that has a body; zero if there is none
	old      archive.FetchRecord
	host     *host
	name     string        // host name in the URL
	waitTime time.Duration // total time spent waiting so far

	// whether the last attempt could not connect to the host in the URL; a host to which it
	// redirects does not count
	unreached     bool
	hasRetryAfter bool          // whether the publisher requested a wait in the last attempt
	requestedWait time.Duration // how long the publisher requested to wait
}

// download downloads one object and returns the record for the journal. oldRecord is the newest
// earlier download that received a body. It is the zero FetchRecord if there is none.
func (f *Fetcher) download(ctx context.Context, r sources.Request,
	oldRecord archive.FetchRecord) (archive.FetchRecord, error) {
	t := &objectDownload{f: f, r: r, old: oldRecord}
	err := t.get(ctx)
	rec := &t.rec
	rec.Source, rec.ObjectName = f.o.SourceKey, r.Name
	rec.URL, rec.EndedAt = f.red.url(r.URL), f.now()
	switch {
	case err != nil, rec.Outcome == archive.OutcomeNotModified:
	case oldRecord.SHA256 == rec.SHA256: // unchanged bytes keep the time at which they were first received
		rec.Outcome, rec.ReceivedAt = archive.OutcomeSameBytes, oldRecord.ReceivedAt
	default:
		rec.Outcome, rec.ReceivedAt = archive.OutcomeFetched, rec.EndedAt
	}
	return t.rec, err
}

// get downloads an object by HTTP or reads it from disk. The URL's scheme decides which.
func (t *objectDownload) get(ctx context.Context) error {
	t.f.mu.Lock()
	bytes := t.f.bytes
	t.f.mu.Unlock()
	if bytes > t.f.o.MaxRunBytes {
		return fmt.Errorf("the source has sent more than %d bytes in this run: %w", t.f.o.MaxRunBytes, archive.ErrTooLarge)
	}
	u, err := url.Parse(t.r.URL)
	if err != nil {
		return errors.New("the address cannot be parsed")
	}
	switch t.name = u.Host; u.Scheme {
	case "http", "https":
		return t.overHTTP(ctx)
	case "file":
		return t.fromDisk(u.Path)
	case "":
		return t.fromDisk(t.r.URL)
	}
	return fmt.Errorf("the address has the scheme %q; use https, http, file or a path", u.Scheme)
}

// overHTTP downloads an object by HTTP. It retries until it succeeds, a retry cannot help or the
// maximum number of attempts is reached.
func (t *objectDownload) overHTTP(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, t.f.o.ObjectTimeout)
	defer cancel()
	req, err := t.request(ctx)
	if err != nil {
		return err
	}
	t.host = t.f.o.HostStates.hostState(t.name)
	if err := t.host.stopReason(); err != nil {
		return err
	}
	for n := 0; ; n++ {
		again, err := t.attempt(ctx, req)
		switch {
		case err != nil && ctx.Err() != nil:
			return fmt.Errorf("stopped: %w", ctx.Err())
		case err == nil, !again, t.isLast(n):
			t.recordResult(again, err)
			return err
		}
		if err := t.pause(ctx, n, err); err != nil {
			return err
		}
	}
}

// request returns the HTTP request for the object. The request is conditional (If-None-Match,
// If-Modified-Since) if the newest body of the object is usable.
func (t *objectDownload) request(ctx context.Context) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.r.URL, nil)
	if err != nil {
		return nil, errors.New("the address cannot be parsed")
	}
	for name, value := range t.r.Header {
		req.Header.Set(name, value)
	}
	req.Header.Set("User-Agent", t.f.o.UserAgent)
	req.Header.Set("Accept-Encoding", "gzip, zstd")
	hasValidators := t.old.ETag+t.old.LastModified != ""
	if !hasValidators || t.old.URL != t.f.red.url(t.r.URL) || !t.isOldUsable() {
		return req, nil
	}
	if t.old.ETag != "" {
		req.Header.Set("If-None-Match", t.old.ETag)
	}
	if t.old.LastModified != "" {
		req.Header.Set("If-Modified-Since", t.old.LastModified)
	}
	return req, nil
}

// isOldUsable reports whether the last extract (result of a fetch) contains the object's newest body,
// and the archive has this body undamaged. An extract does not contain a body that the connector
// refused, such as a truncated file.
func (t *objectDownload) isOldUsable() bool {
	used, ok := t.f.last.Object(t.r.Name)
	return ok && used.SHA256 == t.old.SHA256 && t.f.o.Archive.VerifyBody(used) == nil
}

// attempt sends the request once and archives the response. mayRetry reports whether a retry may
// help. It is true after a network failure or a temporary status such as 503. It is false after a
// permanent one such as 404.
func (t *objectDownload) attempt(ctx context.Context, req *http.Request) (mayRetry bool, err error) {
	if wait := t.host.due().Sub(t.f.o.Now()); wait > 0 {
		if err := t.f.o.Sleep(ctx, wait); err != nil {
			return false, err
		}
	}
	resp, err := t.f.http.Do(req)
	t.unreached, t.hasRetryAfter = false, false
	if err != nil {
		return !errors.Is(err, ErrRedirectRefused), t.failure(err)
	}
	defer resp.Body.Close()
	mayRetry, err = t.answer(req, resp)
	if end := resp.Request.URL; err != nil && end.String() != req.URL.String() {
		err = fmt.Errorf("%w (a redirect led to %s)", err, t.f.red.url(withoutQuery(end)))
	}
	return mayRetry, err
}

// answer archives the body of a response with status 200. For status 304, the answer to a
// conditional request, it uses the old body. Any other status is an error, and mayRetry reports
// whether a retry may help. Retry-After is ignored after a redirect to another host.
func (t *objectDownload) answer(req *http.Request, resp *http.Response) (mayRetry bool, err error) {
	t.rec.Status = resp.StatusCode
	elsewhere := resp.Request.URL.Host != t.name
	conditional := req.Header.Get("If-None-Match")+req.Header.Get("If-Modified-Since") != ""
	switch status := resp.StatusCode; {
	case status == http.StatusNotModified && conditional:
		t.rec = t.old
		t.rec.Status = status
		t.rec.Outcome, t.rec.Detail = archive.OutcomeNotModified, ""
		return false, nil
	case elsewhere && status == http.StatusTooManyRequests:
		return false, fmt.Errorf("%w; the address was moved: correct it in the configuration", statusError(resp))
	case elsewhere && status >= 500 && status != http.StatusNotImplemented:
		return true, statusError(resp)
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests,
		status >= 500 && status != http.StatusNotImplemented:
		t.requestedWait, t.hasRetryAfter = t.retryAfter(resp)
		return true, statusError(resp)
	case status != http.StatusOK:
		return false, statusError(resp)
	}
	return t.receive(resp)
}

// receive records the headers of a successful response and archives its body. After an error,
// mayRetry reports whether a retry may help.
func (t *objectDownload) receive(resp *http.Response) (mayRetry bool, err error) {
	t.rec.ETag = resp.Header.Get("ETag")
	t.rec.LastModified = resp.Header.Get("Last-Modified")
	t.rec.ContentType = resp.Header.Get("Content-Type")
	if max := maxBytes(t.r); resp.ContentLength > max {
		return false, fmt.Errorf("%w: %d bytes announced, more than the bound of %d bytes", archive.ErrTooLarge,
			resp.ContentLength, max)
	}
	body, err := decodeBody(resp)
	if err != nil {
		return sources.FaultCodeOf(err) == sources.FaultUnavailable, err
	}
	defer body.Close()
	return t.archiveBody(body)
}

// failure returns the cause of an error of net/http without the URL, which may contain a secret. It
// sets t.unreached if it was not possible to connect to the requested host.
func (t *objectDownload) failure(err error) error {
	var u *url.Error
	if !errors.As(err, &u) {
		return err
	}
	var dial *net.OpError
	at, parseErr := url.Parse(u.URL)
	t.unreached = parseErr == nil && at.Host == t.name && errors.As(err, &dial) && dial.Op == "dial"
	if u.Err == io.EOF {
		return errors.New("the publisher closed the connection without an answer")
	}
	return u.Err
}

// archiveBody stores a body in the archive. It first checks the beginning of the body with
// Request.Accept. network reports whether the error is a network error.
func (t *objectDownload) archiveBody(body io.Reader) (network bool, err error) {
	from := &reading{r: body}
	r := bufio.NewReaderSize(from, 1<<16)
	if network, err := checkBeginning(t.r, t.rec.ContentType, r); err != nil {
		return network, err
	}
	t.rec.SHA256, t.rec.Bytes, err = t.f.o.Archive.PutBody(t.f.o.SourceKey, r, maxBytes(t.r))
	if err != nil && from.err != nil && !errors.Is(err, archive.ErrTooLarge) {
		return true, errTruncated(from.err)
	}
	return false, err
}

// checkBeginning checks the first bytes of a body with Request.Accept. It does not consume them.
// network reports whether the error is a network error.
func checkBeginning(r sources.Request, contentType string, body *bufio.Reader) (network bool, err error) {
	head, err := body.Peek(headBytes)
	if err != nil && err != io.EOF {
		return true, errTruncated(err)
	}
	if r.Accept == nil {
		return false, nil
	}
	return false, r.Accept(contentType, head)
}

// maxBytes returns the size limit of a request's uncompressed body, in bytes.
func maxBytes(r sources.Request) int64 { return cmp.Or(r.MaxBytes, 64<<20) }

// reading is a reader that keeps the last error of r, other than io.EOF. This distinguishes network
// errors from errors of the archive.
type reading struct {
	r   io.Reader
	err error
}

func (s *reading) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// errTruncated returns ErrTruncated if err means that the connection ended too early. It returns
// any other error unchanged.
func errTruncated(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the connection ended before the body did", ErrTruncated)
	}
	return err
}

// pause waits before the next attempt, with exponential back-off and a random part. attempt is the
// number of the failed attempt, from 0, and err is its error. If the publisher sent Retry-After,
// pause instead delays all requests to the host for that time.
//
// If the publisher asks for a longer wait than Options.MaxTotalWait, the error is
// ErrRetryAfterTooLong. The host is then not contacted again in this run.
func (t *objectDownload) pause(ctx context.Context, attempt int, err error) error {
	if t.hasRetryAfter {
		if t.waitTime += t.requestedWait; t.waitTime > t.f.o.MaxTotalWait {
			err = fmt.Errorf("%w: %v; it asks to wait %s, and one object may wait %s in all",
				ErrRetryAfterTooLong, err, t.requestedWait, t.f.o.MaxTotalWait)
			t.host.stop(fmt.Errorf("its host asked for too long a wait and is not contacted again in this run: %w",
				err))
			return err
		}
		t.host.blockUntil(t.f.o.Now().Add(t.requestedWait))
		return nil
	}
	d := min(firstWait<<min(attempt, 10), lastWait)
	d = min(d/2+rand.N(d/2), t.f.o.MaxTotalWait-t.waitTime)
	t.waitTime += d
	if err := t.f.o.Sleep(ctx, d); err != nil {
		return fmt.Errorf("stopped: %w", err)
	}
	return nil
}

// retryAfter returns the wait that a Retry-After header requests, in seconds or as a date. The
// second result is false if there is no valid header. Package webhooks of the server reads the header
// with a function of its own, because the batch side and the server import nothing of each other.
func (t *objectDownload) retryAfter(resp *http.Response) (time.Duration, bool) {
	v := resp.Header.Get("Retry-After")
	const most = 1 << 32 // more than a hundred years, in seconds
	if s, err := strconv.ParseUint(v, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(s, most)) * time.Second, true
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(t.f.o.Now())), true
	}
	return 0, false
}
