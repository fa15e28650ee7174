package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/time/rate"

	"labour/serve/access"
	"labour/serve/api"
)

// call is one request in progress: its parameters, the state of its response, and the outcome for
// the log.
type call struct {
	request  *http.Request // its context ends when the client disconnects
	response *bufferedResponse
	id       string    // request id
	at       time.Time // the one clock reading of the request

	key      access.Key    // empty without a key
	endpoint *endpoint     // nil when there is none
	slots    chan struct{} // one token per query that may run at the same time
	query    url.Values    // the parameters without faults
	faults   []fieldError
	note     string       // for meta.note
	pinned   api.Snapshot // that the whole call is answered from; nil = whichever is current
	releases []func()     // of the snapshots that the call holds
	file     *Download    // nil = not a download from a page

	route     string        // the route's path; empty when there is none
	code      code          // of the problem that was sent; empty for none
	cause     error         // the internal error
	aborted   bool          // the answer ended half-way, so that its connection must be cut
	limiter   *rate.Limiter // of its address, where it has no valid key; nil = no limit
	overLimit bool          // its address has made too many calls without a key
	downloads bool          // it was counted as a download without a key
}

// fieldError is one error in one parameter.
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

// release releases the snapshots of a call that has ended.
func (c *call) release() {
	for _, release := range c.releases {
		release()
	}
	c.releases = nil
}

// newRequestID returns `req_` and the 26 characters of a ULID. Without randomness (nil)
// it holds only the time, and never fails.
func newRequestID(at time.Time, random io.Reader) (string, error) {
	id, err := ulid.New(ulid.Timestamp(at), random)
	if err != nil {
		return "", fmt.Errorf("make a request id: %w", err)
	}
	return "req_" + id.String(), nil
}

func (c *call) add(code code, parameter, message string, nearest ...string) {
	c.faults = append(c.faults, fieldError{code, api.Fault{Parameter: parameter, Message: message, Nearest: nearest}})
}

// refused returns one error for all faults noted so far; nil if there are none. Its code is that of
// the faults if they all have the same, otherwise invalid_parameter.
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
