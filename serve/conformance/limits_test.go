package conformance

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// limitHeader is a header that is a whole number; -1 when it is not there.
func (a answer) limitHeader(t *testing.T, name string) int64 {
	t.Helper()
	if len(a.header.Values(name)) == 0 {
		return -1
	}
	n, err := strconv.ParseInt(a.header.Get(name), 10, 64)
	if err != nil || n < 0 {
		t.Errorf("%s: %q", name, a.header.Get(name))
	}
	return n
}

// checkPlan checks the two ceilings of a key on this plan.
func checkPlan(t *testing.T, s *server, key string, hourly, monthly int64) {
	t.Helper()
	a := s.getWith(t, key, "/v1/labour/sources")
	if got := a.limitHeader(t, "X-RateLimit-Limit"); got != hourly {
		t.Errorf("%d calls an hour, want %d", got, hourly)
	}
	if got := a.limitHeader(t, "X-Quota-Limit"); got != monthly {
		t.Errorf("%d calls a month, want %d", got, monthly)
	}
}

// evaluation returns a new key on the Evaluation plan.
func (s *server) evaluation(t *testing.T) string {
	t.Helper()
	if s.own == nil && *evaluationKey != "" {
		return *evaluationKey
	}
	return s.keyWith(t)
}

// "Evaluation (default for a new key): 100 calls an hour, 10,000 a month."
func TestPlanEvaluation(t *testing.T) {
	every(t, func(t *testing.T, s *server) { checkPlan(t, s, s.evaluation(t), 100, 10_000) })
}

// "Standard: 1,000, 250,000."
func TestPlanStandard(t *testing.T) {
	every(t, func(t *testing.T, s *server) { checkPlan(t, s, s.keyWith(t, "--plan", "standard"), 1000, 250_000) })
}

// "Partner: 10,000, no monthly cap." and "X-Quota-Limit, X-Quota-Remaining: absent
// when uncapped."
func TestPlanPartner(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		k := s.keyWith(t, "--plan", "partner")
		checkPlan(t, s, k, 10_000, -1)
		if got := s.getWith(t, k, "/v1/labour/sources").limitHeader(t, "X-Quota-Remaining"); got != -1 {
			t.Errorf("X-Quota-Remaining %d", got)
		}
	})
}

// "A bespoke allowance may be set on a key without changing its plan." The other
// allowance stays.
func TestBespokeAllowance(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		k := s.keyWith(t, "--plan", "partner", "--label", t.Name())
		s.allow(t, t.Name(), "--monthly", "500")
		s.allow(t, t.Name(), "--hourly", "70")
		checkPlan(t, s, k, 70, 500)
	})
}

// "Usage is counted per key …"
func TestUsageIsCountedPerKey(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		one, other := s.keyWith(t), s.keyWith(t)
		for range 5 {
			s.getWith(t, one, "/v1/labour/sources")
		}
		a, b := s.getWith(t, one, "/v1/labour/sources").limitHeader(t, "X-RateLimit-Remaining"),
			s.getWith(t, other, "/v1/labour/sources").limitHeader(t, "X-RateLimit-Remaining")
		if a != 94 || b != 99 {
			t.Errorf("%d and %d calls left", a, b)
		}
	})
}

// "… and the count survives deploys."
func TestUsageSurvivesDeploys(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		k := s.keyWith(t, "--plan", "standard")
		for range 7 {
			s.getWith(t, k, "/v1/labour/sources")
		}
		fresh := *s // another process on the same state, as after a deploy
		if err := s.own.listen(&fresh); err != nil {
			t.Fatal(err)
		}
		if left := fresh.getWith(t, k, "/v1/labour/sources").limitHeader(t, "X-RateLimit-Remaining"); left != 1000-8 {
			t.Errorf("%d calls left", left)
		}
	})
}

// "Every call to a key-authenticated endpoint counts, including /v1/compliance-export,
// calls to /v1/webhooks/endpoints made with a key, and calls that end in an error."
func TestEveryCallCounts(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		k := s.keyWith(t, "--plan", "standard", "--scope", "all")
		left := int64(1000)
		for _, call := range [][2]string{{"GET", "/v1/labour/sources"},
			{"GET", "/v1/labour/skills-unmet?place=nowhere"}, {"GET", "/v1/nothing"},
			{"GET", "/v1/labour/demand"}, {"POST", "/v1/compliance-export"}, {"GET", "/v1/webhooks/endpoints"},
			{"DELETE", "/v1/labour/sources"}, {"GET", "/v1/openapi.json"},
			{"HEAD", "/v1/labour/sources"}} {
			left--
			if got := s.send(t, call[0], call[1], "", "Authorization", "Bearer "+k).limitHeader(t,
				"X-RateLimit-Remaining"); got != left {
				t.Errorf("%s %s: %d calls left, want %d", call[0], call[1], got, left)
				left = got
			}
		}
	})
}

// headersOn checks the five headers of a call that ends in a status.
func headersOn(t *testing.T, s *server, key string, status int, method, path string) {
	t.Helper()
	a := s.send(t, method, path, "", "Authorization", "Bearer "+key)
	if a.status != status {
		t.Errorf("%s %s: status %d, want %d", method, path, a.status, status)
	}
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Quota-Limit",
		"X-Quota-Remaining"} {
		if a.limitHeader(t, name) < 0 {
			t.Errorf("%s %s: status %d without %s", method, path, status, name)
		}
	}
}

// "Every response to a request with a valid key, whatever its status (200 …) carries
// these headers."
func TestLimitHeadersOn200(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		headersOn(t, s, s.evaluation(t), http.StatusOK, http.MethodGet, "/v1/labour/sources")
	})
}

// "… 400 …"
func TestLimitHeadersOn400(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		headersOn(t, s, s.evaluation(t), http.StatusBadRequest, http.MethodGet, "/v1/labour/skills-unmet?place=nowhere")
		headersOn(t, s, s.evaluation(t), http.StatusBadRequest, http.MethodGet, "/v1/labour/skills-unmet?colour=red")
	})
}

// "… 403 …"
func TestLimitHeadersOn403(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		headersOn(t, s, s.evaluation(t), http.StatusForbidden, http.MethodGet, "/v1/jobs")
	})
}

// "… 404 …"
func TestLimitHeadersOn404(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		headersOn(t, s, s.evaluation(t), http.StatusNotFound, http.MethodGet, "/v1/nothing")
	})
}

// "… 429 …"
func TestLimitHeadersOn429(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		k := s.keyWith(t, "--label", t.Name())
		s.allow(t, t.Name(), "--hourly", "1")
		s.getWith(t, k, "/v1/labour/sources")
		headersOn(t, s, k, http.StatusTooManyRequests, http.MethodGet, "/v1/labour/sources")
	})
}

// "… 500)": a 503 stands for it, since no call should end in a 500.
func TestLimitHeadersOn5xx(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		if !s.empty {
			t.Skip("it answers")
		}
		k := s.keyWith(t)
		headersOn(t, s, k, http.StatusServiceUnavailable, http.MethodGet, "/v1/labour/sources")
	})
}

// "X-RateLimit-Remaining: calls left this hour." "X-Quota-Remaining: calls left this
// month."
func TestRemainingGoesDown(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		k := s.evaluation(t)
		before := s.getWith(t, k, "/v1/labour/sources")
		after := s.getWith(t, k, "/v1/labour/sources")
		for _, name := range []string{"X-RateLimit-Remaining", "X-Quota-Remaining"} {
			if a, b := before.limitHeader(t, name), after.limitHeader(t, name); b != a-1 {
				t.Errorf("%s: %d, then %d", name, a, b)
			}
		}
	})
}

// "X-RateLimit-Reset: Unix seconds when the hour resets."
func TestResetIsTheEndOfTheHour(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		reset := s.get(t, "/v1/labour/sources").limitHeader(t, "X-RateLimit-Reset")
		if left := time.Until(time.Unix(reset, 0)); reset%3600 != 0 || left < -time.Minute ||
			left > time.Hour+time.Minute {
			t.Errorf("reset %d, in %v", reset, left)
		}
	})
}

// refusedFor uses up an allowance and checks the error.
func refusedFor(t *testing.T, s *server, code string, until func(time.Time) time.Time, allowances ...string) {
	t.Helper()
	k := s.keyWith(t, "--plan", "partner", "--label", t.Name())
	s.allow(t, t.Name(), allowances...)
	for range 2 {
		if a := s.getWith(t, k, "/v1/labour/sources"); a.status == http.StatusTooManyRequests {
			t.Fatalf("refused within the allowance: %s", a.body)
		}
	}
	asked := time.Now().UTC()
	a := s.getWith(t, k, "/v1/labour/sources")
	if a.status != http.StatusTooManyRequests || a.code() != code {
		t.Fatalf("status %d %s", a.status, a.body)
	}
	seconds := a.limitHeader(t, "Retry-After")
	if got := a.err().whole(t, "retry_after_seconds"); got != seconds {
		t.Errorf("Retry-After %d, retry_after_seconds %d", seconds, got)
	}
	if off := asked.Add(time.Duration(seconds) * time.Second).Sub(until(asked)); off < -2*time.Second ||
		off > time.Minute {
		t.Errorf("Retry-After points %v past the end", off)
	}
}

func nextHour(at time.Time) time.Time { return at.Truncate(time.Hour).Add(time.Hour) }
func nextMonth(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC)
}

// "429, error.code = rate_limited: hourly ceiling reached." "On every 429 the header
// Retry-After (seconds) is sent and equals error.retry_after_seconds. For rate_limited
// it points to the end of the hour window."
func TestRateLimited(t *testing.T) {
	every(t, func(t *testing.T, s *server) { refusedFor(t, s, "rate_limited", nextHour, "--hourly", "2") })
}

// "429, error.code = quota_exceeded: monthly ceiling reached." "For quota_exceeded it
// points to the start of the next calendar month."
func TestQuotaExceeded(t *testing.T) {
	every(t, func(t *testing.T, s *server) { refusedFor(t, s, "quota_exceeded", nextMonth, "--monthly", "2") })
}

// "Every key has an hourly and a calendar-month ceiling. The one reached first returns
// 429."
func TestTheCeilingReachedFirst(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		refusedFor(t, s, "rate_limited", nextHour, "--hourly", "2", "--monthly", "50")
	})
	every(t, func(t *testing.T, s *server) {
		refusedFor(t, s, "quota_exceeded", nextMonth, "--hourly", "50", "--monthly", "2")
	})
}

// "5xx responses are not a rate-limit event and do not count as one."
func Test5xxIsNoRateLimit(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		if !s.empty {
			t.Skip("it answers")
		}
		a := s.get(t, "/v1/labour/sources")
		if a.status != http.StatusServiceUnavailable || slices.Contains([]string{"rate_limited", "quota_exceeded"},
			a.code()) || strings.Contains(string(a.body), "calls of this") {
			t.Errorf("status %d %s", a.status, a.body)
		}
	})
}
