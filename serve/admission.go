package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"labour/serve/access"
	"labour/serve/usage"
)

// openAPIPath is the only path under /v1 that needs no key.
const openAPIPath = "/v1/openapi.json"

// serve answers one request. The order of work is the contract's: request id,
// recover, identify the key, count the call, limits, route, scope, parameters,
// handler. Scope, parameters and handler belong to the route.
func (a *api) serve(w http.ResponseWriter, r *http.Request) {
	at := a.now()
	id, err := newRequestID(at, a.random)
	if err != nil {
		id, _ = newRequestID(at, nil)
	}
	c := &call{id: id, at: at, match: strings.Join(r.Header["If-None-Match"], ","), path: r.URL.Path, rawQuery: r.URL.RawQuery}
	rec := a.recorders.get()
	a.recovered(rec, c, func() {
		if err != nil { // without randomness nothing else is safe either
			a.fail(rec, c, err)
			return
		}
		a.answer(rec, r, c)
	})
	if c.limits != nil {
		writeLimits(rec.header, *c.limits)
	}
	rec.header["X-Request-Id"] = []string{id}
	rec.header["X-Content-Type-Options"] = []string{"nosniff"}
	if err := rec.send(w); err != nil && c.cause == nil {
		c.cause = fmt.Errorf("send the response: %w", err)
	}
	a.logCall(r, c, rec)
	a.recorders.put(rec)
}

// recovered runs f; what panics in it becomes a 500 and a line in the log.
func (a *api) recovered(rec *recorder, c *call, f func()) {
	defer func() {
		if v := recover(); v != nil {
			rec.reset()
			a.fail(rec, c, fmt.Errorf("panic: %v\n%s", v, debug.Stack()))
		}
	}()
	f()
}

// answer does everything for which a panic must become a 500.
func (a *api) answer(rec *recorder, r *http.Request, c *call) {
	if needsKey(r.URL.Path) {
		if err := a.admit(r, c); err != nil {
			a.fail(rec, c, err)
			return
		}
		if a.answerKept(rec, r, c) {
			return
		}
	}
	a.route(rec, r.WithContext(context.WithValue(r.Context(), callKey{}, c)), c)
}

// needsKey: "Nothing else under /v1 answers without one, unknown paths included."
func needsKey(p string) bool {
	return p != openAPIPath && underV1(p)
}

func underV1(p string) bool { return p == "/v1" || strings.HasPrefix(p, "/v1/") }

// admit identifies the key, counts the call and refuses it past a ceiling. It is
// the one place that counts: "Every call to a key-authenticated endpoint counts
// [...] and calls that end in an error."
func (a *api) admit(r *http.Request, c *call) error {
	counts, err := a.count(r, c)
	if err != nil {
		return err
	}
	v := usage.Judge(c.key.Allowance(), counts, c.at)
	c.limits = &v // the headers outlive whatever happens after
	switch v.Reason {
	case usage.RateLimited:
		return &problem{code: rateLimited, retryAfter: v.RetryAfter,
			message: fmt.Sprintf("This key has made its %d calls of this hour. Wait for retry_after_seconds.", v.Limit)}
	case usage.QuotaExceeded:
		return &problem{code: quotaExceeded, retryAfter: v.RetryAfter,
			message: fmt.Sprintf("This key has made its %d calls of this calendar month. Wait for the next month, or ask the operator for a larger plan.", v.QuotaLimit)}
	}
	return nil
}

// count identifies the key and counts the call. The key may be from memory; counting
// tells when keys have changed since, and then it is looked up again.
func (a *api) count(r *http.Request, c *call) (usage.Counts, error) {
	for {
		key, version, err := a.identify(r, c.at)
		if err != nil {
			return usage.Counts{}, err
		}
		// The call counts even when the client does not wait for the answer.
		counts, err := a.meter.Count(context.WithoutCancel(r.Context()), key.ID, version, c.at)
		if errors.Is(err, usage.ErrKeysChanged) {
			a.access.Forget()
			continue
		}
		c.key = key
		return counts, err
	}
}

// writeLimits sets the headers that "every response to a request with a valid
// key, whatever its status" carries.
func writeLimits(h http.Header, v usage.Verdict) {
	set := func(name string, n int64) { h[name] = []string{strconv.FormatInt(n, 10)} }
	set("X-Ratelimit-Limit", v.Limit)
	set("X-Ratelimit-Remaining", v.Remaining)
	set("X-Ratelimit-Reset", v.Reset.Unix())
	if v.Capped {
		set("X-Quota-Limit", v.QuotaLimit)
		set("X-Quota-Remaining", v.QuotaRemaining)
	}
}

// identify finds the key of `Authorization: Bearer <API_KEY>`. Whatever is wrong
// with it, the answer is the same.
func (a *api) identify(r *http.Request, at time.Time) (access.Key, access.Version, error) {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return access.Key{}, 0, errUnauthorized()
	}
	scheme, secret, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return access.Key{}, 0, errUnauthorized()
	}
	key, version, err := a.access.Recognise(r.Context(), strings.TrimSpace(secret), at)
	for _, refused := range []error{access.ErrMalformed, access.ErrUnknown, access.ErrRevoked, access.ErrExpired} {
		if errors.Is(err, refused) {
			return access.Key{}, 0, errUnauthorized()
		}
	}
	return key, version, err
}

func errUnauthorized() *problem {
	return &problem{code: unauthorized, header: http.Header{"Www-Authenticate": {"Bearer"}},
		message: "Send a valid API key in the header: Authorization: Bearer <API_KEY>."}
}

// route hands the request to its route, or says that there is none.
func (a *api) route(rec *recorder, r *http.Request, c *call) {
	_, pattern := a.mux.Handler(r)
	if pattern == "" && a.pages != nil && !underV1(r.URL.Path) {
		a.page(rec, r, c)
		return
	}
	if path.Clean(r.URL.Path) != r.URL.Path {
		a.fail(rec, c, errNotFound())
		return
	}
	if pattern == "" {
		a.fail(rec, c, a.noRoute(r))
		return
	}
	_, c.route, _ = strings.Cut(pattern, " ")
	a.mux.ServeHTTP(rec, r)
}

// noRoute asks the mux what it would say: it knows the methods of a path.
func (a *api) noRoute(r *http.Request) *problem {
	probe := newRecorder()
	a.mux.ServeHTTP(probe, r)
	if probe.status != http.StatusMethodNotAllowed {
		return errNotFound()
	}
	allow := probe.header.Get("Allow")
	return &problem{code: methodNotAllowed, header: http.Header{"Allow": {allow}},
		message: fmt.Sprintf("This path does not take %s. It takes %s.", methodName(r.Method), allow)}
}

// methodName repeats only methods that exist.
func methodName(m string) string {
	switch m {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodGet, http.MethodHead, http.MethodTrace:
		return m
	}
	return "this method"
}

func errNotFound() *problem {
	return &problem{code: notFound, message: "There is nothing at this path. " + openAPIPath + " lists what there is."}
}

// fail sends the problem of an error.
func (a *api) fail(rec *recorder, c *call, err error) {
	a.send(rec, c, problemOf(c, err))
}

// logCall tells the watcher and writes one line. The line holds no secret, no parameter and no unknown path.
func (a *api) logCall(r *http.Request, c *call, rec *recorder) {
	level, took := slog.LevelInfo, a.now().Sub(c.at)
	a.watcher.Answered(c.route, methodName(r.Method), rec.status, string(c.code), took)
	a.tallyCall(r, c, rec.status)
	attrs := []slog.Attr{
		slog.String("id", c.id), slog.String("key_id", c.key.ID), slog.String("method", methodName(r.Method)),
		slog.String("route", c.route), slog.Int("status", rec.status), slog.Int("bytes", rec.size()),
		slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	if c.cause != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", c.cause.Error()))
	}
	a.log.LogAttrs(r.Context(), level, "request", attrs...)
}

// tallyCall notes what a call with a key asked for. One that was refused before its
// route was looked for is noted under the route that it would have had.
func (a *api) tallyCall(r *http.Request, c *call, status int) {
	if a.tally == nil || c.key.ID == "" {
		return
	}
	route := c.route
	if route == "" {
		_, pattern := a.mux.Handler(r)
		_, route, _ = strings.Cut(pattern, " ")
	}
	a.tally.Add(c.key.ID, route, status, c.at)
}
