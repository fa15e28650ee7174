package serve

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/oklog/ulid/v2"

	"labour/serve/access"
	"labour/serve/api"
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
	// overLimit says that its address has made too many calls without a valid key.
	overLimit bool
	// public says that the answer is the same for everybody, so that shared caches may
	// keep it; path is then the address of the page after this one.
	public bool
	path   string
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

// refused is the problem of the faults noted so far; nil when there are none.
func (c *call) refused() error {
	if len(c.faults) == 0 {
		return nil
	}
	return errorOfFaults(c.faults)
}
