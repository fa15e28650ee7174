package serve

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/partners/access"
	"labour/serve/partners/usage"
)

// The errors that the document shows are those that the service answers: with the same code, message, fields and
// seconds to wait. Only the identifiers of the requests differ.
func TestErrorExamplesAreRealAnswers(t *testing.T) {
	shown, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	provokers := errorProvokers()
	for status, list := range shown.Errors {
		for _, want := range list {
			t.Run(want.Code, func(t *testing.T) {
				provoke := provokers[code(want.Code)]
				if provoke == nil {
					t.Fatal("nothing here provokes it")
				}
				res := provoke(t)
				got := errorOf(t, res)
				got.RequestID = ""
				if diff := cmp.Diff(want, got); diff != "" || res.status != status {
					t.Errorf("status %d, and the example has %d; differences of the answer: %s", res.status, status, diff)
				}
			})
		}
	}
}

// errorProvokers returns a call for each code that the document shows an error of.
func errorProvokers() map[code]func(*testing.T) result {
	get := func(target string) func(*testing.T) result {
		return func(t *testing.T) result { return newService(t, nil).get(t, target) }
	}
	post := func(contentType, body string) func(*testing.T) result {
		return func(t *testing.T) result { return postEndpoint(t, newManager(t), contentType, body) }
	}
	return map[code]func(*testing.T) result{
		cursorExpired:    expiredCursor,
		invalidParameter: get("/v1/labour/skills-unmet?window=7"),
		unknownPlace:     get("/v1/labour/skills-unmet?place=camdne"),
		unauthorized: func(t *testing.T) result {
			return newService(t, nil).do(t, http.MethodGet, "/v1/labour/sources")
		},
		datasetNotOpen:    get("/v1/labour/demand"),
		insufficientScope: get("/v1/jobs"),
		notFound:          get("/v1/labour/nothing"),
		methodNotAllowed: func(t *testing.T) result {
			s := newService(t, nil)
			return s.do(t, http.MethodPut, "/v1/labour/sources", "Authorization", "Bearer "+s.secret)
		},
		conflict: func(t *testing.T) result {
			s := newManager(t)
			const body = `{"url":"https://example.org/hooks"}`
			postEndpoint(t, s, typeJSON, body)
			return postEndpoint(t, s, typeJSON, body)
		},
		payloadTooLarge:      post(typeJSON, "{}"+strings.Repeat(" ", maxBody)),
		unsupportedMediaType: post("text/plain", "{}"),
		quotaExceeded:        counted(usage.Counts{Month: 1 << 40}, time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)),
		rateLimited:          counted(usage.Counts{Hour: 1 << 40}, time.Date(2026, 11, 20, 6, 31, 0, 0, time.UTC)),
		tooManyRequests:      withoutKey,
		internal:             hooked(fails, 0),
		unavailable: func(t *testing.T) result {
			s := newService(t, nil)
			s.live.current = "none"
			return s.get(t, "/v1/labour/sources")
		},
		timeout: hooked(waits, 100*time.Millisecond),
	}
}

// newManager returns a service whose key may manage webhooks.
func newManager(t *testing.T) *service {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	return s
}

func postEndpoint(t *testing.T, s *service, contentType, body string) result {
	return s.send(t, http.MethodPost, endpointsPath, body, "Authorization", "Bearer "+s.secret, "Content-Type",
		contentType)
}

// expiredCursor sends a cursor of a snapshot that is gone.
func expiredCursor(t *testing.T) result {
	s := newService(t, nil)
	const first = "/v1/labour/skills-unmet?limit=1"
	cursor := *envelopeOf(t, s.get(t, first)).Meta.NextCursor
	s.live.kept = map[string]*fakeSnapshot{"2026-11-22.1": newFakeSnapshot("2026-11-22.1")}
	s.live.current = "2026-11-22.1"
	return s.get(t, first+"&cursor="+cursor)
}

// counted makes a call at the given time with a key that has made so many calls.
func counted(counts usage.Counts, at time.Time) func(*testing.T) result {
	return func(t *testing.T) result {
		s := newService(t, func(o *Options) { o.RequestCounter = fixed{counts: counts} })
		s.clock.set(at)
		return s.get(t, "/v1/labour/sources")
	}
}

// withoutKey makes more calls without a key than an address may.
func withoutKey(t *testing.T) result {
	s := newService(t, func(o *Options) { o.RequestsPerAddress = 1 })
	for range burstSeconds {
		s.do(t, http.MethodGet, "/v1/labour/sources")
	}
	return s.do(t, http.MethodGet, "/v1/labour/sources")
}

// hooked makes a call whose query runs hook, with a limit of its time; 0 = that of newService.
func hooked(hook func(context.Context) error, limit time.Duration) func(*testing.T) result {
	return func(t *testing.T) result {
		s := newService(t, func(o *Options) { o.QueryTimeout = limit })
		s.live.now().hook = hook
		return s.get(t, "/v1/labour/sources")
	}
}
