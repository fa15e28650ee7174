package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"labour/serve/api"
	"labour/serve/state"
	"labour/serve/webhooks"
)

// code is the machine-readable code of an error, in the field error.code of the response.
type code string

// Codes of error responses, in the field error.code.
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
	rateLimited          code = "rate_limited" // The key has used up its hourly limit.
	// A network address has made too many requests without a valid key.
	tooManyRequests code = "too_many_requests"
	quotaExceeded   code = "quota_exceeded" // The key has used up its monthly limit.
	internal        code = "internal"
	unavailable     code = "unavailable"
	timeout         code = "timeout"
)

// statuses maps each error code to its HTTP status. A code that is missing here has the status 500.
var statuses = map[code]int{
	invalidParameter: http.StatusBadRequest, unknownPlace: http.StatusBadRequest, unknownRegion: http.StatusBadRequest,
	invalidCursor: http.StatusBadRequest, cursorExpired: http.StatusBadRequest, unauthorized: http.StatusUnauthorized,
	insufficientScope: http.StatusForbidden, datasetNotOpen: http.StatusForbidden, notFound: http.StatusNotFound,
	methodNotAllowed: http.StatusMethodNotAllowed, conflict: http.StatusConflict,
	payloadTooLarge:      http.StatusRequestEntityTooLarge,
	unsupportedMediaType: http.StatusUnsupportedMediaType, rateLimited: http.StatusTooManyRequests,
	quotaExceeded:   http.StatusTooManyRequests,
	tooManyRequests: http.StatusTooManyRequests,
	unavailable:     http.StatusServiceUnavailable, timeout: http.StatusGatewayTimeout,
}

func (c code) status() int { return cmp.Or(statuses[c], http.StatusInternalServerError) }

// apiError is an error whose message is sent to the client. For any other error the client gets
// only the code internal, and the details are logged.
type apiError struct {
	code       code
	message    string
	details    []api.Fault
	retryAfter int64       // value of the header Retry-After, in seconds; 0 = no such header
	header     http.Header // other headers of the error response, such as Allow
	requestID  string
}

// Error returns the error's code and message, for the log.
func (p *apiError) Error() string { return fmt.Sprintf("%s: %s", p.code, p.message) }

// headers returns the headers of the error response: Cache-Control, p.header and, if it applies,
// Retry-After.
func (p *apiError) headers() http.Header {
	h := http.Header{"Cache-Control": {noStore}}
	maps.Copy(h, p.header)
	if p.retryAfter > 0 {
		h["Retry-After"] = []string{strconv.FormatInt(p.retryAfter, 10)}
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

// refuse discards what a handler has written and writes the error response for err instead.
func (a *handler) refuse(c *call, err error) {
	p := apiErrorOf(c, err)
	vary := c.response.header["Vary"]
	c.response.reset()
	h := c.response.header
	h["Vary"] = vary
	maps.Copy(h, p.headers())
	if err := c.send(p.code.status(), p.body()); err != nil {
		c.outcome.cause = errors.Join(c.outcome.cause, err)
	}
}

// ErrBusy is the error of a query that waited too long for a free query slot, because too many
// queries were running.
var ErrBusy = errors.New("too many queries in flight")

// errOpening is the error of a request whose snapshot takes too long to open. A retry may succeed.
var errOpening = errors.New("the snapshot is being opened")

// startAgain is the advice for a cursor whose data is gone. A client that sends If-None-Match for the
// first page may get status 304, because the rows are unchanged. Its own copy of that page then leads
// to the same cursor again.
const startAgain = "Start again from the first page, without cursor and without If-None-Match: a first page that you " +
	"kept can lead to this cursor again."

// shownErrors maps internal errors to the errors that clients see. The first match is used.
var shownErrors = []struct {
	of    error
	shown apiError
}{
	{api.ErrSnapshotWithdrawn,
		apiError{code: cursorExpired,
			message: "The data that this cursor belongs to was withdrawn by the operator. Drop the pages that you have. " +
				startAgain}},
	{api.ErrSnapshotGone,
		apiError{code: cursorExpired,
			message: "The data that this cursor belongs to is no longer kept. " + startAgain}},
	{api.ErrNoSnapshot, apiError{code: unavailable, message: "No data is loaded yet. Try again later.",
		retryAfter: 30}},
	{errOpening, apiError{code: unavailable,
		message:    "The data that this call asks for is being opened. Repeat the same call after retry_after_seconds.",
		retryAfter: 5}},
	{api.ErrSnapshotUnavailable,
		apiError{code: unavailable,
			message:    "The data that this cursor belongs to cannot be opened at the moment. Try again later.",
			retryAfter: 30}},
	{ErrBusy, apiError{code: unavailable,
		message: "Too many calls are being answered at this moment. Try again shortly.", retryAfter: 1}},
	{errState, apiError{code: unavailable, message: "The service is too busy at this moment. Try again shortly.",
		retryAfter: 5}},
	// the client has disconnected and reads nothing
	{context.Canceled, apiError{code: unavailable, message: "The call was given up. Try again shortly.", retryAfter: 1}},
	{context.DeadlineExceeded,
		apiError{code: timeout,
			message: "The answer took too long and was given up. Try again, or ask for less with more filters."}},
	{webhooks.ErrNotFound,
		apiError{code: notFound, message: "There is no such endpoint or delivery. GET " + endpointsPath +
			" lists the endpoints."}},
}

// apiErrorOf returns the error that the client sees in place of err. The details of an internal
// error are only logged.
func apiErrorOf(c *call, err error) *apiError {
	var p *apiError
	var refused *webhooks.ConflictError
	if state.IsDatabaseError(err) {
		err = fmt.Errorf("%w: %w", errState, err)
	}
	switch {
	case errors.As(err, &p):
	case errors.As(err, &refused):
		p = &apiError{code: conflict, message: refused.Message}
	default:
		p = &apiError{code: internal,
			message: "Something went wrong inside the service. Try again; if it stays, quote the request_id to the operator."}
		for _, s := range shownErrors {
			if errors.Is(err, s.of) {
				shown := s.shown
				p = &shown
				break
			}
		}
	}
	if p.code.status() >= http.StatusInternalServerError {
		c.outcome.cause = err
	}
	p.requestID, c.outcome.code = c.id, p.code
	return p
}
