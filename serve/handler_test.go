package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/partners/usage"
)

func TestUnusableKeysAreUnauthorized(t *testing.T) {
	s := newService(t, nil)
	ctx := context.Background()
	end := s.clock.now()
	_, expired, err := s.keys.CreateKey(ctx, access.KeyRequest{Partner: "Late", ExpiresAt: &end})
	if err != nil {
		t.Fatal(err)
	}
	gone, revoked, err := s.keys.CreateKey(ctx, access.KeyRequest{Partner: "Gone"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.keys.RevokeKey(ctx, gone.ID); err != nil {
		t.Fatal(err)
	}
	for name, header := range map[string]string{
		"missing": "", "other scheme": "Basic " + s.secret, "no scheme": s.secret, "no secret": "Bearer",
		"malformed":    "Bearer abc",
		"bad checksum": "Bearer " + s.secret[:len(s.secret)-1] + "!", "expired": "Bearer " + expired,
		"revoked": "Bearer " + revoked,
	} {
		for _, path := range []string{"/v1/labour/sources", "/v1/labour/demand", "/v1/nothing", "/v1/", "/v1",
			"/v1/labour/sources?x=1"} {
			res := s.do(t, http.MethodGet, path, "Authorization", header)
			if res.status != http.StatusUnauthorized || res.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s, %s: %d %q", name, path, res.status, res.header.Get("WWW-Authenticate"))
			}
			if res.header.Get("X-RateLimit-Limit") != "" {
				t.Errorf("%s, %s: counted", name, path)
			}
		}
	}
	if res := s.do(t, http.MethodPost, "/v1/labour/sources"); res.status != http.StatusUnauthorized {
		t.Errorf("another method without a key: %d", res.status)
	}
}

func TestTwoAuthorizationHeadersAreUnauthorized(t *testing.T) {
	s := newService(t, nil)
	r := newRequest(s, "/v1/labour/sources")
	r.Header.Add("Authorization", "Bearer "+s.secret)
	if w := record(s, r); w.Code != http.StatusUnauthorized {
		t.Errorf("status %d", w.Code)
	}
}

func TestTheSchemeIsAnyCase(t *testing.T) {
	s := newService(t, nil)
	if res := s.do(t, http.MethodGet, "/v1/labour/sources", "Authorization",
		"bearer "+s.secret); res.status != http.StatusOK {
		t.Errorf("status %d", res.status)
	}
}

// A health check holds only for the moment of the call.
func TestChecksAreNotCached(t *testing.T) {
	s := newService(t, nil)
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := s.do(t, http.MethodGet, path).header.Get("Cache-Control"); got != noStore {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
	}
}

func TestOpenPathsNeedNoKey(t *testing.T) {
	s := newService(t, nil)
	for _, path := range []string{"/v1/openapi.json", "/healthz", "/readyz"} {
		if res := s.do(t, http.MethodGet, path); res.status != http.StatusOK ||
			res.header.Get("X-RateLimit-Limit") != "" {
			t.Errorf("%s: %d, limit %q", path, res.status, res.header.Get("X-RateLimit-Limit"))
		}
	}
	for _, path := range []string{"/v1/openapi.json", "/healthz", "/readyz"} {
		if e := errorOf(t, s.do(t, http.MethodGet, path+"?x=1")); e.Code != "invalid_parameter" ||
			len(e.Details) != 1 || e.Details[0].Parameter != "x" {
			t.Errorf("%s with a parameter: %+v", path, e)
		}
	}
	if res := s.do(t, http.MethodGet, "/nothing"); errorOf(t, res).Code != "not_found" {
		t.Errorf("unknown path outside /v1: %s", res.body)
	}
}

// limits are the headers of the hour and the month.
func limits(res result) string {
	var out []string
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Quota-Limit",
		"X-Quota-Remaining"} {
		if v := res.header.Values(name); len(v) > 0 {
			out = append(out, strings.Join(v, "+"))
		} else {
			out = append(out, "-")
		}
	}
	return strings.Join(out, " ")
}

// "Every response to a request with a valid key, whatever its status [...]
// carries these headers", and each of them counts.
func TestEveryStatusCountsAndCarriesTheLimits(t *testing.T) {
	s := newService(t, nil)
	etag := s.get(t, "/v1/labour/regions").header.Get("ETag")
	reset := "1795158000" // 2026-11-20T07:00:00Z
	snapshot := s.live.now()
	for i, tt := range []struct {
		name, method, path, match string
		hook                      func(context.Context) error
		status                    int
	}{
		{"ok", "GET", "/v1/labour/sources", "", nil, 200},
		{"not modified", "GET", "/v1/labour/regions", etag, nil, 304},
		{"bad parameter", "GET", "/v1/labour/sources?x=1", "", nil, 400},
		{"embargoed", "GET", "/v1/labour/demand", "", nil, 403},
		{"no path", "GET", "/v1/nothing", "", nil, 404},
		{"no method", "DELETE", "/v1/labour/sources", "", nil, 405},
		{"fault", "GET", "/v1/labour/sources", "",
			func(context.Context) error { return errors.New("SELECT broke in a.go") }, 500},
		{"panic", "GET", "/v1/labour/sources", "", func(context.Context) error { panic("SELECT broke in a.go") }, 500},
		{"unavailable", "GET", "/v1/labour/sources", "", func(context.Context) error { return api.ErrNoSnapshot }, 503},
		{"deadline", "GET", "/v1/labour/sources", "", func(context.Context) error { return context.DeadlineExceeded },
			504},
		{"document with a key", "GET", "/v1/openapi.json", "", nil, 200},
	} {
		snapshot.hook = tt.hook
		res := s.do(t, tt.method, tt.path, "Authorization", "Bearer "+s.secret, "If-None-Match", tt.match)
		if res.status != tt.status {
			t.Errorf("%s: status %d: %s", tt.name, res.status, res.body)
		}
		left := func(n int) string { return itoa(n - 2 - i) }
		want := "100 " + left(100) + " " + reset + " 10000 " + left(10_000)
		if got := limits(res); got != want {
			t.Errorf("%s: limits %s, want %s", tt.name, got, want)
		}
	}
}

// Names are sent as the specification writes them.
func TestHeaderNamesAreSpelledAsSpecified(t *testing.T) {
	s := newService(t, nil)
	sent := record(s, newRequest(s, "/v1/labour/regions")).Header()
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Quota-Limit",
		"X-Quota-Remaining", "X-Request-Id", "ETag"} {
		if len(sent[name]) != 1 {
			t.Errorf("%s is not among %v", name, sent)
		}
	}
}

func TestCeilings(t *testing.T) {
	s := newService(t, nil)
	allow := func(hourly, monthly *int64) {
		t.Helper()
		if err := s.keys.SetKeyLimits(context.Background(), s.key.ID, hourly, monthly); err != nil {
			t.Fatal(err)
		}
	}
	get := func(wantStatus int, wantCode, wantRetry, wantLimits string) {
		t.Helper()
		res := s.get(t, "/v1/labour/sources")
		if res.status != wantStatus || res.header.Get("Retry-After") != wantRetry || limits(res) != wantLimits {
			t.Errorf("%d, Retry-After %q, limits %s; want %d, %q, %s", res.status, res.header.Get("Retry-After"),
				limits(res), wantStatus, wantRetry, wantLimits)
		}
		if wantCode == "" {
			return
		}
		e := errorOf(t, res)
		if e.Code != wantCode || e.RetryAfterSeconds == nil || itoa(int(*e.RetryAfterSeconds)) != wantRetry {
			t.Errorf("error %+v", e)
		}
	}
	allow(ptr(int64(2)), nil)
	get(200, "", "", "2 1 1795158000 10000 9999")
	get(200, "", "", "2 0 1795158000 10000 9998")
	get(429, "rate_limited", "1800", "2 0 1795158000 10000 9997") // 06:30:00.25, rounded up
	get(429, "rate_limited", "1800", "2 0 1795158000 10000 9996") // a refused call counts too
	s.clock.set(time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC))
	get(200, "", "", "2 1 1795161600 10000 9995")
	allow(ptr(int64(2)), ptr(int64(5)))
	// Ten days and seventeen hours to December.
	get(429, "quota_exceeded", "925200", "2 0 1795161600 5 0")
	get(429, "quota_exceeded", "925200", "2 0 1795161600 5 0") // both ceilings reached
	s.clock.set(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	get(200, "", "", "2 1 1796086800 5 4")
	if err := s.keys.ChangeKeyPlanAndScopes(context.Background(), s.key.ID, access.PlanPartner, nil); err != nil {
		t.Fatal(err)
	}
	allow(nil, nil)
	get(200, "", "", "10000 9998 1796086800 - -")
}

func TestScopesAreRequired(t *testing.T) {
	s := newService(t, func(o *Options) { o.Authenticator = withoutScopes{o.Authenticator} })
	for _, path := range []string{"/v1/labour/sources", "/v1/labour/skills-unmet?nonsense=1", "/v1/labour/demand"} {
		e := errorOf(t, s.get(t, path))
		if e.Code != "insufficient_scope" || !strings.Contains(e.Message, "labour:read") {
			t.Errorf("%s: %+v", path, e)
		}
	}
}

// withoutScopes takes every scope off the keys: no key made here lacks
// labour:read.
type withoutScopes struct{ Authenticator }

func (w withoutScopes) Authenticate(ctx context.Context, secret string, at time.Time) (access.Key, error) {
	key, err := w.Authenticator.Authenticate(ctx, secret, at)
	key.Scopes = nil
	return key, err
}

func TestFaultsOfTheStateAreUnavailable(t *testing.T) {
	s := newService(t, func(o *Options) { o.Authenticator = brokenAccess{} })
	if res := s.get(t, "/v1/labour/sources"); errorOf(t, res).Code != "unavailable" ||
		res.header.Get("Retry-After") == "" {
		t.Errorf("%s", res.body)
	}
	if !strings.Contains(s.log.String(), "disk on fire") {
		t.Error("the log does not tell why")
	}
}

// free counts nothing.
type free struct{}

func (free) Count(context.Context, string, time.Time) (usage.Counts, error) {
	return usage.Counts{Hour: 1, Month: 1}, nil
}

type brokenAccess struct{}

func (brokenAccess) Authenticate(context.Context, string, time.Time) (access.Key, error) {
	return access.Key{}, errors.New("SELECT: disk on fire")
}

func TestUnknownMethodsListTheKnownOnes(t *testing.T) {
	s := newService(t, nil)
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"} {
		res := s.do(t, method, "/v1/labour/sources", "Authorization", "Bearer "+s.secret)
		if res.status != http.StatusMethodNotAllowed || res.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d, Allow %q", method, res.status, res.header.Get("Allow"))
		}
	}
}

func TestPathsAreExact(t *testing.T) {
	s := newService(t, nil)
	for _, path := range []string{"/v1", "/v1/", "/v1/labour", "/v1/labour/", "/v1/labour/sources/",
		"/v1//labour/sources", "/v1/labour/../labour/sources", "/v1/Labour/sources", "/v1/openapi.json/",
		"//v1/labour/sources"} {
		if res := s.get(t, path); res.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, res.status)
		}
	}
}

// One line per request, without the secret, parameters or unknown paths.
func TestLogHoldsNoSecrets(t *testing.T) {
	s := newService(t, nil)
	s.get(t, "/v1/labour/skills-unmet?place=camden&skill=tiling")
	s.get(t, "/v1/labour/evidence?cursor="+s.secret)
	s.get(t, "/v1/"+s.secret)
	s.do(t, s.secret, "/v1/labour/sources", "Authorization", "Bearer "+s.secret)
	s.do(t, "GET", "/v1/labour/sources", "Authorization", "Bearer "+s.secret+"x")
	log := s.log.String()
	if n := strings.Count(log, `"msg":"request"`); n != 5 {
		t.Errorf("%d lines for 5 requests", n)
	}
	for _, hidden := range []string{s.secret, s.secret[12:30], "camden", "tiling"} {
		if strings.Contains(log, hidden) {
			t.Errorf("the log shows %q:\n%s", hidden, log)
		}
	}
	for _, shown := range []string{`"id":"req_`, `"key_id":"` + s.key.ID, `"method":"GET"`,
		`"route":"/v1/labour/skills-unmet"`, `"status":200`, `"bytes":`, `"ms":`} {
		if !strings.Contains(log, shown) {
			t.Errorf("the log lacks %s:\n%s", shown, log)
		}
	}
}

func TestPanicsAreLoggedAndAnswered(t *testing.T) {
	s := newService(t, nil)
	s.live.now().hook = func(context.Context) error { panic("what a mess") }
	res := s.get(t, "/v1/labour/skills-unmet")
	if e := errorOf(t, res); e.Code != "internal" || strings.Contains(e.Message, "mess") {
		t.Errorf("%+v", e)
	}
	if !strings.Contains(s.log.String(), "what a mess") || !strings.Contains(s.log.String(), "goroutine") {
		t.Error("the log lacks the panic or its stack")
	}
}
