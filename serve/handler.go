package serve

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// openAPIPath is the path of the OpenAPI document. All other paths under /v1 need a key.
const openAPIPath = "/v1/openapi.json"

// maxRequestBody is the size limit of every request body, in bytes. JSON bodies have a lower limit,
// maxBody.
const maxRequestBody = 256 << 10

// begin handles an HTTP request from start to end. It authenticates the request, runs the endpoint,
// sends the response and writes the log line.
func (a *handler) begin(w http.ResponseWriter, r *http.Request) {
	c := &call{at: a.Now(), slots: a.slots, response: newBufferedResponse(w)}
	var err error
	if c.id, err = newRequestID(c.at, a.RandomSource); err != nil {
		c.id, _ = newRequestID(c.at, nil)
	}
	c.request = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	c.request.Body = http.MaxBytesReader(w, r.Body, maxRequestBody)
	proxies(a.TrustedProxies).dropForged(c.request) // pages print the header values, and shared caches store the pages
	h := c.response.header
	h["X-Request-Id"], h["X-Content-Type-Options"] = []string{c.id}, []string{"nosniff"}
	if r.URL.Path == openAPIPath || r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		h["Access-Control-Allow-Origin"] = []string{"*"} // without a key or cookie, any site's pages may read it
	}
	if r.TLS != nil {
		h["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}
	c.response.keepHeader()
	if err != nil { // without randomness nothing else is safe either
		a.refuse(c, err)
	} else {
		a.answer(c)
	}
	if !c.outcome.aborted {
		if err := c.response.send(); err != nil && c.outcome.cause == nil {
			c.outcome.cause = fmt.Errorf("send the response: %w", err)
		}
	}
	a.logCall(c)
	if c.outcome.aborted { // a truncated response must not look complete: net/http cuts the connection
		panic(http.ErrAbortHandler)
	}
}

// answer authenticates a request, counts it against the limits of its key and runs the endpoint. If
// a step fails, answer sends an error response and skips the remaining steps.
func (a *handler) answer(c *call) {
	defer a.recoverPanic(c)
	defer c.snapshots.release()
	for _, step := range []func(*call) error{
		a.authenticate, // finds the key of a call under /v1, or applies the limit of the address
		a.countCall,    // counts it against the limits of the key
		a.find,         // finds the endpoint
		a.checkScope,   // checks the scope that the endpoint requires
		func(c *call) error { return c.endpoint.handle(c) }, // decodes the parameters and writes the response
	} {
		if err := step(c); err != nil {
			a.refuse(c, err)
			return
		}
	}
}

// recoverPanic handles a panic during a request. It sends an error response. If part of the
// response was already sent, the connection is closed instead.
func (a *handler) recoverPanic(c *call) {
	v := recover()
	if v == nil {
		return
	}
	err := fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	if c.outcome.aborted = v == http.ErrAbortHandler || c.response.isStarted(); c.outcome.aborted {
		c.outcome.code, c.outcome.cause = internal, err
		return
	}
	a.refuse(c, err)
}

// find looks up the endpoint for the path and method of a request. If a path outside /v1 matches no
// endpoint, the web pages handle it. find returns an error if nothing handles the request.
func (a *handler) find(c *call) error {
	r, probe := c.request, newBufferedResponse(nil)
	a.mux.ServeHTTP(probe, r)
	clean := path.Clean(r.URL.Path) == r.URL.Path
	wrongMethod := r.Pattern == "" && probe.status == http.StatusMethodNotAllowed
	switch {
	case c.endpoint != nil && clean:
		_, c.route, _ = strings.Cut(r.Pattern, " ")
		return nil
	case wrongMethod && (clean || !underV1(r.URL.Path)):
		allow := probe.header.Get("Allow")
		return &apiError{code: methodNotAllowed, header: http.Header{"Allow": {allow}},
			message: fmt.Sprintf("This path does not take %s. It takes %s.", methodName(r.Method), allow)}
	case r.Pattern == "" && a.pages != nil && !underV1(r.URL.Path):
		c.endpoint = &endpoint{handle: a.showPage}
		return nil
	}
	return errNotFound()
}

// showPage lets the web pages answer a request.
func (a *handler) showPage(c *call) error {
	c.slots = a.pageSlots
	a.pages.ServeHTTP(c.response, c.request)
	_, c.route, _ = strings.Cut(c.request.Pattern, " ") // the mux of the pages has set it
	return nil
}

// checkScope returns an error if the API key does not have the scope that the endpoint requires.
func (a *handler) checkScope(c *call) error {
	if s := c.endpoint.scope; s != "" && !c.key.HasScope(s) {
		return &apiError{code: insufficientScope,
			message: fmt.Sprintf("This key lacks the scope %s. Ask the operator for it.", s)}
	}
	return nil
}

// methodName returns an HTTP method for logs and messages. It returns "this method" if the method
// is not a standard one.
func methodName(m string) string {
	if slices.Contains(strings.Fields("POST PUT PATCH DELETE OPTIONS GET HEAD TRACE"), m) {
		return m
	}
	return "this method"
}

func errNotFound() *apiError {
	return &apiError{code: notFound, message: "There is nothing at this path. " + openAPIPath + " lists what there is."}
}

// statusClientGone is the HTTP status in the log if the client disconnected before the response.
const statusClientGone = 499

// logCall records a request in the metrics and the log. It logs no parameters or secrets. Requests
// that exceed the limit of a network address are logged at most once a second.
func (a *handler) logCall(c *call) {
	r, b := c.request, c.response
	level := slog.LevelInfo
	took := a.Now().Sub(c.at)
	status := b.status
	gone := c.outcome.cause != nil && r.Context().Err() != nil
	if gone {
		status = statusClientGone
	}
	a.Metrics.RecordRequest(c.route, methodName(r.Method), status, string(c.outcome.code), took)
	attrs := []slog.Attr{
		slog.String("id", c.id), slog.String("key_id", c.key.ID), slog.String("method", methodName(r.Method)),
		slog.String("route", c.route), slog.Int("status", status), slog.Int64("bytes", b.bytesSent),
		slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	if c.outcome.cause != nil {
		attrs = append(attrs, slog.String("error", c.outcome.cause.Error()))
		if !gone {
			level = slog.LevelError
		}
	}
	write := func() { a.Log.LogAttrs(context.WithoutCancel(r.Context()), level, "request", attrs...) }
	if c.address.isOverLimit {
		a.logLimiter.Do(write)
		return
	}
	write()
}

// sampleEvery is the shortest time between two log lines about rate-limited requests without a key.
const sampleEvery = time.Second

// ChargeExtraRequests counts an expensive request as several requests. It adds n requests to the
// count of the client's network address. If the rate limit is exceeded, it sends an error response
// and returns false. Otherwise it returns true.
func ChargeExtraRequests(w http.ResponseWriter, r *http.Request, n int) bool {
	c, ok := r.Context().Value(callKey{}).(*call)
	if !ok {
		return true
	}
	err := c.takeCalls(n)
	if err == nil {
		return true
	}
	p := apiErrorOf(c, err)
	maps.Copy(w.Header(), p.headers())
	http.Error(w, p.message, p.code.status())
	return false
}
