package serve

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"labour/serve/partners/usage"
)

// failing counts calls until it is told to fail.
type failing struct {
	fails bool
	calls int64
}

func (f *failing) Count(context.Context, string, time.Time) (usage.Counts, error) {
	if f.fails {
		return usage.Counts{}, errors.New("the database is gone")
	}
	f.calls++
	return usage.Counts{Hour: f.calls, Month: f.calls}, nil
}

// TestLimitsAreStatedWithoutTheDatabase: a call that cannot be counted is answered with 503, and with the limits as
// this server saw them last, not as if the key had made no call.
func TestLimitsAreStatedWithoutTheDatabase(t *testing.T) {
	counter := &failing{}
	s := newService(t, func(o *Options) { o.RequestCounter = counter })
	var last result
	for range 3 {
		last = s.get(t, "/v1/labour/sources")
	}
	counter.fails = true
	res := s.get(t, "/v1/labour/sources")
	const remaining = "X-RateLimit-Remaining"
	if res.status != http.StatusServiceUnavailable || res.header.Get(remaining) != last.header.Get(remaining) {
		t.Errorf("status %d with %q remaining, want 503 with %q", res.status, res.header.Get(remaining),
			last.header.Get(remaining))
	}
}
