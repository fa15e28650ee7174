package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"labour/serve/api"
	"labour/serve/webhooks"
)

// Each internal error has its code, and a time after which a client may try again. Only errors of
// the service are kept for the log.
func TestErrorsHaveTheirCodes(t *testing.T) {
	for _, c := range []struct {
		err        error
		code       code
		status     int
		retryAfter int64
	}{
		{api.ErrSnapshotWithdrawn, cursorExpired, 400, 0}, {api.ErrSnapshotGone, cursorExpired, 400, 0},
		{api.ErrNoSnapshot, unavailable, 503, 30}, {errOpening, unavailable, 503, 5},
		{api.ErrSnapshotUnavailable, unavailable, 503, 30}, {ErrBusy, unavailable, 503, 1},
		{errState, unavailable, 503, 5}, {context.Canceled, unavailable, 503, 1},
		{context.DeadlineExceeded, timeout, 504, 0}, {webhooks.ErrNotFound, notFound, 404, 0},
		{webhooks.ErrDuplicateURL, conflict, 409, 0}, {webhooks.ErrTooManyEndpoints, conflict, 409, 0},
		{webhooks.ErrTooManyTests, conflict, 409, 0}, {webhooks.ErrEndpointDisabled, conflict, 409, 0},
		{errors.New("anything else"), internal, 500, 0},
		{&apiError{code: rateLimited, retryAfter: 7}, rateLimited, 429, 7},
	} {
		call := &call{id: "req_1"}
		err := fmt.Errorf("wrapped: %w", c.err)
		got := apiErrorOf(call, err)
		if got.code != c.code || got.code.status() != c.status || got.retryAfter != c.retryAfter ||
			got.requestID != "req_1" || call.outcome.code != c.code ||
			(call.outcome.cause != nil) != (c.status >= 500) {
			t.Errorf("%v: %+v with %+v, want %s, %d and %d", c.err, got, call.outcome, c.code, c.status, c.retryAfter)
		}
		want := map[bool]string{true: fmt.Sprint(c.retryAfter)}[c.retryAfter > 0]
		if h := got.headers(); h.Get("Retry-After") != want || h.Get("Cache-Control") != noStore ||
			(got.body().Error.RetryAfterSeconds != nil) != (want != "") {
			t.Errorf("%v: headers %v, want Retry-After %q", c.err, h, want)
		}
	}
}

// A page that costs as much as several calls counts as these, and one that costs more than all takes all.
func TestExtraCallsAreCounted(t *testing.T) {
	at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	request := func(c *call) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		return r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	}
	c := &call{at: at, address: addressUse{limiter: rate.NewLimiter(1, 5)}}
	w := httptest.NewRecorder()
	for i, n := range []int{2, 3, 1} {
		if got := ChargeExtraRequests(w, request(c), n); got != (i < 2) {
			t.Errorf("%d more calls: %v", n, got)
		}
	}
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" || !c.address.isOverLimit ||
		!strings.HasPrefix(w.Body.String(), "Too many calls without a valid key") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	c = &call{at: at, address: addressUse{limiter: rate.NewLimiter(1, 5)}}
	if !ChargeExtraRequests(w, request(c), 100) || ChargeExtraRequests(w, request(c), 1) {
		t.Error("a call that costs more than all does not take all")
	}
	if !ChargeExtraRequests(w, httptest.NewRequest(http.MethodGet, "/", nil), 9) ||
		!ChargeExtraRequests(w, request(&call{}), 9) {
		t.Error("calls are limited without a limit")
	}
}

// The reference has every operation in the group of its tag, in the order of path and method.
func TestGroupsOfOperations(t *testing.T) {
	groups, err := OperationGroups()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	calls := 0
	for _, g := range groups {
		names = append(names, g.Name)
		calls += len(g.Calls)
		if g.Description == "" {
			t.Errorf("%s has no description", g.Name)
		}
		for i, c := range g.Calls {
			if i > 0 && g.Calls[i-1].Path+" "+g.Calls[i-1].Method >= c.Path+" "+c.Method {
				t.Errorf("%s: %s %s stands after %s", g.Name, c.Method, c.Path, g.Calls[i-1].Path)
			}
		}
	}
	var d referenceDocument
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, methods := range d.Paths {
		all += len(methods)
	}
	tags := "Labour market data, Datasets not yet open, Jobs, pathways and the platform, Webhooks, Operation"
	if strings.Join(names, ", ") != tags || calls != all {
		t.Errorf("%d operations in the groups %q, want %d in %s", calls, names, all, tags)
	}
	want := Operation{Method: "GET", Path: "/v1/candidates", Scope: "candidates:read",
		Summary: "One summary object of anonymous resident statistics; counts only, small groups suppressed."}
	if got := groups[2].Calls[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for description, want := range map[string]Operation{
		"Only one sentence.":           {Summary: "Only one sentence."},
		"Two. Scope: a:b. Example: c.": {Summary: "Two.", Scope: "a:b"},
	} {
		want.Method, want.Path = "DELETE", "/x"
		if got := callOfDocument("delete", "/x", description); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
