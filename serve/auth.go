package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"labour/serve/access"
	"labour/serve/usage"
)

// stateTimeout is how long the state database may take to find a key or to count a
// call.
const stateTimeout = 3 * time.Second

// needsKey: "Nothing else under /v1 answers without one, unknown paths included."
func needsKey(p string) bool { return p != openAPIPath && underV1(p) }

// authenticate finds the key of a call that needs one.
func (a *handler) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		needed := needsKey(r.URL.Path)
		if needed || r.URL.Path == openAPIPath && r.Header.Get("Authorization") != "" {
			if err := a.findKey(r, c); err != nil && needed {
				a.fail(w, c, err)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// findKey finds the key of `Authorization: Bearer <API_KEY>`. Whatever is wrong with
// it, the answer is the same.
func (a *handler) findKey(r *http.Request, c *call) error {
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return a.errUnauthorized(r, c)
	}
	scheme, secret, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return a.errUnauthorized(r, c)
	}
	ctx, cancel := context.WithTimeout(r.Context(), a.StateTimeout)
	defer cancel()
	key, err := a.Access.Authenticate(ctx, strings.TrimSpace(secret), c.at)
	for _, refused := range []error{access.ErrMalformed, access.ErrUnknown, access.ErrRevoked, access.ErrExpired} {
		if errors.Is(err, refused) {
			return a.errUnauthorized(r, c)
		}
	}
	if err != nil {
		return stateError(r, err)
	}
	c.key = key
	return nil
}

// errUnauthorized counts the call against its address, which has sent no valid key.
func (a *handler) errUnauthorized(r *http.Request, c *call) error {
	if err := a.takeFromAddress(r, c); err != nil {
		return err
	}
	return unauthorizedError()
}

func unauthorizedError() *apiError {
	return &apiError{code: unauthorized, header: http.Header{"Www-Authenticate": {"Bearer"}},
		message: "Send a valid API key in the header: Authorization: Bearer <API_KEY>."}
}

// countCall counts the call of a key and refuses it past a ceiling. It is the one
// place that counts: "Every call to a key-authenticated endpoint counts […] and calls
// that end in an error."
func (a *handler) countCall(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		if c.key.ID == "" {
			next.ServeHTTP(w, r)
			return
		}
		// The call counts even when the client does not wait for the answer.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), a.StateTimeout)
		counts, err := a.Meter.Count(ctx, c.key.ID, c.at)
		cancel()
		if err != nil {
			counts, _ = a.lastCounts.Get(c.key.ID) // what this server knows
		} else {
			a.lastCounts.Add(c.key.ID, counts)
		}
		decision := usage.Evaluate(c.key.Allowance(), counts, c.at)
		writeLimits(w.Header(), decision) // they outlive whatever happens after
		w.(*bufferedResponse).keepHeader()
		if err != nil {
			a.fail(w, c, stateError(r, err))
			return
		}
		if err := refusedBy(decision); err != nil {
			a.fail(w, c, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// stateError tells a state database that does not answer in time from other faults.
func stateError(r *http.Request, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && r.Context().Err() == nil {
		return fmt.Errorf("%w: %w", errStateTimeout, err)
	}
	return err
}

// errStateTimeout is what a call ends with when the state database is too slow.
var errStateTimeout = errors.New("the state database did not answer in time")
