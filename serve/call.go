package serve

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/oklog/ulid/v2"

	"labour/serve/access"
	"labour/serve/usage"
	"labour/serve/wire"
)

// call is what is known of one request while it is answered.
type call struct {
	id    string    // request id
	match string    // If-None-Match
	at    time.Time // the one clock reading of the request
	// What was called, as it was received; empty for a call of a page's own.
	path, rawQuery string
	key            access.Key     // empty without a key
	limits         *usage.Verdict // nil for a call that was not counted
	scope          access.Scope   // that the route needs, once it is known to be there
	route          string         // the route's path; empty when there is none
	query          url.Values     // the parameters without faults and without empty values
	faults         []fault
	code           code  // of the problem that was sent; empty for none
	cause          error // what went wrong inside, for the log
}

// fault is one thing wrong with one parameter.
type fault struct {
	code code
	wire.Fault
}

type callKey struct{}

// callOf is the call that a context belongs to.
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

// add notes a fault of a parameter.
func (c *call) add(code code, parameter, message string, nearest ...string) {
	c.faults = append(c.faults, fault{code, wire.Fault{Parameter: parameter, Message: message, Nearest: nearest}})
}

// refused is the problem of the faults noted so far; nil when there are none.
func (c *call) refused() error {
	if len(c.faults) == 0 {
		return nil
	}
	return problemOfFaults(c.faults)
}
