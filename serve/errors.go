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

// code is a machine-readable error code, such as not_found. The error response contains it in the
// field error.code.
type code string

// invalidParameter and the constants below are the error codes of the API. An error response
// contains one of them in the field error.code.
const (
	// invalidParameter means that a query parameter or a field of the request body is invalid.
	invalidParameter code = "invalid_parameter"
	// unknownPlace means that there is no place with the given slug.
	unknownPlace code = "unknown_place"
	// unknownRegion means that there is no region with the given code or slug.
	unknownRegion code = "unknown_region"
	// invalidCursor means that a cursor was not issued by this API or not for this endpoint.
	invalidCursor code = "invalid_cursor"
	// cursorExpired means that the snapshot of a cursor is no longer kept.
	cursorExpired code = "cursor_expired"
	// unauthorized means that a request has no API key or an invalid one.
	unauthorized code = "unauthorized"
	// insufficientScope means that the API key does not have the scope that the endpoint requires.
	insufficientScope code = "insufficient_scope"
	// datasetNotOpen means that an embargoed dataset is not published yet.
	datasetNotOpen code = "dataset_not_open"
	// notFound means that there is no such path or object.
	notFound code = "not_found"
	// methodNotAllowed means that the path does not support the HTTP method.
	methodNotAllowed code = "method_not_allowed"
	// conflict means that a webhook request is valid but not possible now.
	conflict code = "conflict"
	// payloadTooLarge means that the request body is too large.
	payloadTooLarge code = "payload_too_large"
	// unsupportedMediaType means that the request body is not JSON.
	unsupportedMediaType code = "unsupported_media_type"
	// rateLimited means that the key has used up its hourly limit.
	rateLimited code = "rate_limited"
	// tooManyRequests means that a network address made too many requests without a valid key.
	tooManyRequests code = "too_many_requests"
	// quotaExceeded means that the key has used up its monthly limit.
	quotaExceeded code = "quota_exceeded"
	// internal means that the server failed. The cause is in the log only.
	internal code = "internal"
	// unavailable means that the server cannot run the query now. The client may try again later.
	unavailable code = "unavailable"
	// timeout means that a query took too long and was stopped.
	timeout code = "timeout"
)

// statuses maps each error code to its HTTP status. A code that is not listed has the status 500.
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

// apiError is an error that the client sees with its code and message. For any other error the
// client only sees the code internal; the details are logged.
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

// headers returns the headers of the error response: Cache-Control, the headers in p.header, and
// Retry-After if retryAfter is set.
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

// refuse discards the response that a handler has written so far. It then writes the error response
// for err.
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

// ErrBusy means that too many queries were running and a query waited too long for its turn.
var ErrBusy = errors.New("too many queries in flight")

// errOpening means that the requested snapshot takes too long to open. A later request may succeed.
var errOpening = errors.New("the snapshot is being opened")

// startAgain tells a client what to do if the data of its cursor is gone. The next request must not
// contain If-None-Match. With it, the client could get status 304 and use its old copy of the first
// page, which contains the same cursor.
const startAgain = "Start again from the first page, without cursor and without If-None-Match: a first page that you " +
	"kept can lead to this cursor again."

// shownErrors maps internal errors to the errors that clients see. The first entry that matches is
// used.
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
	{errState, apiError{code: unavailable,
		message: "The service cannot use its database at this moment. Try again shortly.", retryAfter: 5}},
	// the client has disconnected and reads nothing
	{context.Canceled, apiError{code: unavailable, message: "The call was given up. Try again shortly.", retryAfter: 1}},
	{context.DeadlineExceeded,
		apiError{code: timeout,
			message: "The answer took too long and was given up. Try again, or ask for less with more filters."}},
	{webhooks.ErrNotFound,
		apiError{code: notFound, message: "There is no such endpoint or delivery. GET " + endpointsPath +
			" lists the endpoints."}},
}

// apiErrorOf converts err to the error that the client sees. The details of internal errors are
// logged and not sent.
func apiErrorOf(c *call, err error) *apiError {
	var p *apiError
	var refused *webhooks.ConflictError
	if state.IsDatabaseError(err) && !errors.Is(err, errState) {
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
