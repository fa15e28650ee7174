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

// call is the state of one HTTP request while the server handles it.
type call struct {
	request  *http.Request // HTTP request; its context ends when the client disconnects
	response *bufferedResponse
	id       string    // request id for the log and the header X-Request-Id, such as req_01JF…
	at       time.Time // time at which the request arrived

	key access.Key // API key of the request; the zero value if there is none
	// state of the rate limits of the client's network address; only for a request without a valid
	// key
	address addressUse

	// endpoint that handles the request; nil before routing or if no path matches
	endpoint *endpoint
	// pattern of the matched path, such as /v1/labour/places; empty if none matched
	route  string
	file   *Download  // file that a web page requested; nil if the request is no download
	query  url.Values // valid query parameters in canonical form
	faults []fieldError

	slots     chan struct{} // limits the number of concurrent queries
	snapshots openSnapshots
	note      string // text for the field meta.note of the response
	outcome   outcome
}

// openSnapshots holds the snapshots that one request uses, until they are released.
type openSnapshots struct {
	current  api.Snapshot // current snapshot as this request first saw it; nil = not used yet
	releases []func()     // functions that release the snapshots
}

// outcome records how a request ended, for the log.
type outcome struct {
	code    code  // code of the error response, such as not_found; empty if the request succeeded
	cause   error // internal error, for the log only
	aborted bool  // whether the response ended too early, so that the connection must be cut
}

// addressUse records how a request without a valid key has used the rate limits of its network
// address.
type addressUse struct {
	limiter           *rate.Limiter // rate limiter of the address; nil = no limit
	isOverLimit       bool          // whether the address has exceeded a limit
	isDownloadCounted bool          // whether a file download was already counted against the address
}

// fieldError is an error in one query parameter or one body field of a request.
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

// release releases all snapshots that the request has opened.
func (s *openSnapshots) release() {
	for _, release := range s.releases {
		release()
	}
	s.releases = nil
}

// newRequestID returns a request id: "req_" and a ULID (an identifier that sorts by time). If
// random is nil, the ULID has no random part.
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

// inputError returns one error that lists all invalid parameters and fields of the request. It
// returns nil if all are valid. The error code is that of the faults if they all have the same one,
// and invalid_parameter if not.
func (c *call) inputError() error {
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
