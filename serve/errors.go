package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/time/rate"

	"labour/serve/access"
	"labour/serve/api"
	"labour/serve/state"
	"labour/serve/webhooks"
)

// call is what is known of one request while it is answered.
type call struct {
	id     string     // request id
	match  string     // If-None-Match
	at     time.Time  // the one clock reading of the request
	key    access.Key // empty without a key
	route  string     // the route's path; empty when there is none
	query  url.Values // the parameters without faults and without empty values
	faults []fieldError
	note   string        // for meta.note
	slots  chan struct{} // one token per query that may run beside this one
	pinned api.Snapshot  // that the whole call is answered from; nil = whichever is current
	code   code          // of the problem that was sent; empty for none
	cause  error         // what went wrong inside, for the log
	// aborted says that the answer ended half-way, so that its connection must be cut.
	aborted bool
	// limiter is of its address, where it has no valid key; nil = no limit.
	limiter *rate.Limiter
	// overLimit says that its address has made too many calls without a valid key.
	overLimit bool
	// downloads says that the call was counted as a file that a page gives without a key.
	downloads bool
	// taken says how a page gives the answer away; without a format it is a key's call.
	taken Taken
}

// fieldError is one thing wrong with one parameter.
type fieldError struct {
	code code
	api.Fault
}

type callKey struct{}

func callOf(ctx context.Context) *call {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		panic("a context without a call")
	}
	return c
}

// newRequestID is `req_` and the 26 characters of a ULID. Without randomness (nil)
// it tells only the time, and never fails.
func newRequestID(at time.Time, random io.Reader) (string, error) {
	id, err := ulid.New(ulid.Timestamp(at), random)
	if err != nil {
		return "", fmt.Errorf("make a request id: %w", err)
	}
	return "req_" + id.String(), nil
}

// current is the current snapshot. Once a call is pinned to one, that stays the current
// one for it.
func (c *call) current(live api.Live) (s api.Snapshot, release func(), err error) {
	if c.pinned != nil {
		return c.pinned, func() {}, nil
	}
	return live.Acquire()
}

func (c *call) add(code code, parameter, message string, nearest ...string) {
	c.faults = append(c.faults, fieldError{code, api.Fault{Parameter: parameter, Message: message, Nearest: nearest}})
}

// refused is the one problem of all faults noted so far; nil when there are none. Its code is
// the faults' when they agree, else invalid_parameter.
func (c *call) refused() error {
	if len(c.faults) == 0 {
		return nil
	}
	p := &apiError{code: c.faults[0].code, message: c.faults[0].Message}
	for _, f := range c.faults {
		if f.code != p.code {
			p.code = invalidParameter
		}
		p.details = append(p.details, f.Fault)
	}
	if len(c.faults) > 1 {
		p.message = fmt.Sprintf("%d things are wrong with the parameters; error.details lists them all.", len(c.faults))
	}
	return p
}

// code is an error's machine-readable code, `error.code`.
type code string

// The codes. rate_limited and quota_exceeded are the specification's, and mean the
// ceilings of a key.
const (
	invalidParameter     code = "invalid_parameter"
	unknownPlace         code = "unknown_place"
	unknownRegion        code = "unknown_region"
	invalidCursor        code = "invalid_cursor"
	cursorExpired        code = "cursor_expired"
	unauthorized         code = "unauthorized"
	insufficientScope    code = "insufficient_scope"
	datasetNotOpen       code = "dataset_not_open"
	notFound             code = "not_found"
	methodNotAllowed     code = "method_not_allowed"
	conflict             code = "conflict"
	payloadTooLarge      code = "payload_too_large"
	unsupportedMediaType code = "unsupported_media_type"
	rateLimited          code = "rate_limited"
	tooManyRequests      code = "too_many_requests" // without a valid key, from one address
	quotaExceeded        code = "quota_exceeded"
	internal             code = "internal"
	unavailable          code = "unavailable"
	timeout              code = "timeout"
)

// statuses are those of the codes; any other is 500.
var statuses = map[code]int{
	invalidParameter: http.StatusBadRequest, unknownPlace: http.StatusBadRequest, unknownRegion: http.StatusBadRequest,
	invalidCursor: http.StatusBadRequest, cursorExpired: http.StatusBadRequest, unauthorized: http.StatusUnauthorized,
	insufficientScope: http.StatusForbidden, datasetNotOpen: http.StatusForbidden, notFound: http.StatusNotFound,
	methodNotAllowed: http.StatusMethodNotAllowed, conflict: http.StatusConflict, payloadTooLarge: http.StatusRequestEntityTooLarge,
	unsupportedMediaType: http.StatusUnsupportedMediaType, rateLimited: http.StatusTooManyRequests, quotaExceeded: http.StatusTooManyRequests,
	tooManyRequests: http.StatusTooManyRequests,
	unavailable:     http.StatusServiceUnavailable, timeout: http.StatusGatewayTimeout,
}

func (c code) status() int { return cmp.Or(statuses[c], http.StatusInternalServerError) }

// apiError is an error that a partner may see. Every other error is "internal"
// outside and complete in the log.
type apiError struct {
	code       code
	message    string
	details    []api.Fault
	retryAfter int64       // seconds; 0 = not said
	header     http.Header // beside Retry-After
	requestID  string
}

// Error is for the log.
func (p *apiError) Error() string { return fmt.Sprintf("%s: %s", p.code, p.message) }

// GetStatus tells huma the status.
func (p *apiError) GetStatus() int { return p.code.status() }

// GetHeaders tells huma the headers.
func (p *apiError) GetHeaders() http.Header {
	h := http.Header{"Cache-Control": {noStore}}
	maps.Copy(h, p.header)
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(p.retryAfter, 10))
	}
	return h
}

func (p *apiError) body() api.ErrorBody {
	e := api.Error{Code: string(p.code), Message: p.message, RequestID: p.requestID, Details: p.details}
	if p.retryAfter > 0 {
		e.RetryAfterSeconds = &p.retryAfter
	}
	return api.ErrorBody{Error: e}
}

// send sends a problem where no huma handler does it.
func (a *handler) send(w http.ResponseWriter, c *call, p *apiError) {
	p.requestID, c.code = c.id, p.code
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(p.GetStatus())
	if err := a.encode(w, p); err != nil {
		c.cause = errors.Join(c.cause, err)
	}
}

// ErrBusy is returned when no query slot came free in time.
var ErrBusy = errors.New("too many queries in flight")

// errOpening is what a call ends with whose snapshot takes longer to open than a query may.
var errOpening = errors.New("the snapshot is being opened")

// shownErrors says what a partner may see of an error; the first that an error wraps counts.
var shownErrors = []struct {
	of    error
	shown apiError
}{
	{api.ErrSnapshotWithdrawn, apiError{code: cursorExpired, message: "The data that this cursor belongs to was withdrawn by the operator. Start again without cursor, and drop the pages that you have."}},
	{api.ErrSnapshotGone, apiError{code: cursorExpired, message: "The data that this cursor belongs to is no longer kept. Start again without cursor."}},
	{api.ErrNoSnapshot, apiError{code: unavailable, message: "No data is loaded yet. Try again later.", retryAfter: 30}},
	{errOpening, apiError{code: unavailable, message: "The data that this call asks for is being opened. Repeat the same call after retry_after_seconds.", retryAfter: 5}},
	{api.ErrUnavailable, apiError{code: unavailable, message: "The data that this cursor belongs to cannot be opened at the moment. Try again later.", retryAfter: 30}},
	{ErrBusy, apiError{code: unavailable, message: "Too many calls are being answered at this moment. Try again shortly.", retryAfter: 1}},
	{errState, apiError{code: unavailable, message: "The service is too busy at this moment. Try again shortly.", retryAfter: 5}},
	{context.Canceled, apiError{code: unavailable, message: "The call was given up. Try again shortly.", retryAfter: 1}}, // the caller went away and reads nothing
	{context.DeadlineExceeded, apiError{code: timeout, message: "The answer took too long and was given up. Try again, or ask for less with more filters."}},
	{webhooks.ErrNotFound, apiError{code: notFound, message: "There is no such endpoint or delivery. GET " + endpointsPath + " lists the endpoints."}},
	{webhooks.ErrConflict, apiError{code: conflict, message: "An endpoint with this URL exists. Change that one, or give another URL."}},
	{webhooks.ErrTooMany, apiError{code: conflict, message: "There are 20 endpoints already, which is the most. Delete one first."}},
	{webhooks.ErrTooManyTests, apiError{code: conflict, message: "This endpoint was sent 60 test messages in the last hour, which is the most. Wait before the next one."}},
	{webhooks.ErrDisabled, apiError{code: conflict, message: "The endpoint is disabled. Enable it first, with PATCH and enabled true."}},
}

// apiErrorOf turns any error into what a partner may see of it, and keeps the
// rest for the log.
func apiErrorOf(c *call, err error) *apiError {
	var p *apiError
	if state.IsFault(err) {
		err = fmt.Errorf("%w: %w", errState, err)
	}
	if !errors.As(err, &p) {
		p = &apiError{code: internal, message: "Something went wrong inside the service. Try again; if it stays, quote the request_id to the operator."}
		for _, s := range shownErrors {
			if errors.Is(err, s.of) {
				shown := s.shown
				p = &shown
				break
			}
		}
	}
	if p.code.status() >= http.StatusInternalServerError {
		c.cause = err
	}
	p.requestID, c.code = c.id, p.code
	return p
}
