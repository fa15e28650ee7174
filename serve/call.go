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

	"labour/serve/api"
	"labour/serve/partners/access"
)

// call is one request in progress: its key, parameters and response, and the values for its log
// line.
type call struct {
	request  *http.Request // its context ends when the client disconnects
	response *bufferedResponse
	id       string    // request id
	at       time.Time // the time of the request; the clock is read once

	key      access.Key    // empty without a key
	endpoint *endpoint     // nil until it is found, or if there is none
	slots    chan struct{} // one token for each query that may run at the same time
	query    url.Values    // the valid parameters
	faults   []fieldError
	note     string       // for meta.note
	pinned   api.Snapshot // snapshot for the whole call; nil = the current one
	releases []func()     // release functions of the call's snapshots
	file     *Download    // nil if the call is not a download from a page

	route     string        // path of the route; empty if there is none
	code      code          // code of the error response; empty for none
	cause     error         // internal error
	aborted   bool          // whether the response ended too early, so that its connection must be cut
	limiter   *rate.Limiter // limiter of the address of a call without a valid key; nil = no limit
	overLimit bool          // whether the address has made too many calls without a key
	downloads bool          // whether a download of this call was counted against the address
}

// fieldError is a fault in one parameter or field of a request.
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

// release releases the snapshots that the call has used.
func (c *call) release() {
	for _, release := range c.releases {
		release()
	}
	c.releases = nil
}

// newRequestID returns "req_" and a ULID. If random is nil, the ULID has no random part and there
// is no error.
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

// refused returns one error with all faults of the call, or nil if there are none. Its code is that
// of the faults if they agree, and invalid_parameter otherwise.
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
