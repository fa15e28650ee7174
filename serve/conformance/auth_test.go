package conformance

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// "Every request carries an API key in the header Authorization: Bearer <API_KEY>."
func TestEveryRequestNeedsAKey(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		for _, path := range []string{"/v1/jobs", "/v1/pathways", "/v1/candidates", "/v1/s106", "/v1/events",
			"/v1/webhooks/endpoints", "/v1/labour/skills-unmet", "/v1/nothing"} {
			for _, header := range []string{"", "Bearer", "Bearer x", "Basic " + s.key, s.key,
				"Bearer " + s.key + "x"} {
				a := s.send(t, http.MethodGet, path, "", "Authorization", header)
				if a.status != http.StatusUnauthorized || a.code() != "unauthorized" ||
					a.header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s with %q: status %d %s", path, strings.ReplaceAll(header, s.key, "KEY"), a.status,
						a.body)
				}
			}
		}
	})
}

// The key is taken from the header only.
func TestAKeyElsewhereIsNoKey(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		for _, name := range []string{"key", "api_key", "access_token"} {
			if a := s.send(t, http.MethodGet, query("/v1/labour/sources", name, s.key),
				""); a.status != http.StatusUnauthorized {
				t.Errorf("?%s=: status %d", name, a.status)
			}
		}
	})
}

// "A key is created in a partner dashboard …": its pages are there.
func TestDashboardIsThere(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		if s.own == nil {
			t.Skip("where the dashboard is, is the server's own affair")
		}
		if a := s.send(t, http.MethodGet, "/partner", "", "Accept", "text/html"); a.status >= 400 &&
			a.status != http.StatusUnauthorized {
			t.Errorf("status %d", a.status)
		}
	})
}

// "… and starts on the Evaluation plan."
func TestANewKeyIsOnTheEvaluationPlan(t *testing.T) {
	every(t, func(t *testing.T, s *server) { checkPlan(t, s, s.evaluation(t), 100, 10_000) })
}

// labourOnly is a key whose only scope is labour:read.
func (s *server) labourOnly(t *testing.T) string {
	t.Helper()
	if s.own == nil && *labourKey != "" {
		return *labourKey
	}
	return s.keyWith(t)
}

// "Labour endpoints need the scope labour:read. … the scope is granted immediately on
// any key."
func TestLabourScopeIsOnEveryKey(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		k := s.labourOnly(t)
		for _, path := range labourPaths {
			if a := s.getWith(t, k, "/v1/labour/"+path); a.status != http.StatusOK {
				t.Errorf("%s: status %d %s", path, a.status, a.body)
			}
		}
	})
}

// "POST /v1/compliance-export is developer-scoped."
func TestComplianceExportIsDeveloperScoped(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		a := s.send(t, http.MethodPost, "/v1/compliance-export", `{}`, "Authorization", "Bearer "+s.labourOnly(t),
			"Content-Type", "application/json")
		if a.status != http.StatusForbidden || a.code() != "insufficient_scope" ||
			!strings.Contains(a.err().text("message"), "developer") {
			t.Errorf("status %d %s", a.status, a.body)
		}
	})
}

// Each of the other endpoints has a scope of its own. The error names the missing scope.
func TestOtherScopes(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		k := s.labourOnly(t)
		for path, scope := range map[string]string{"/v1/jobs": "jobs:read", "/v1/pathways": "pathways:read",
			"/v1/candidates": "candidates:read",
			"/v1/s106":       "s106:read", "/v1/events": "events:read", "/v1/webhooks/endpoints": "webhooks:manage"} {
			a := s.getWith(t, k, path)
			if a.status != http.StatusForbidden || a.code() != "insufficient_scope" ||
				!strings.Contains(a.err().text("message"), scope) {
				t.Errorf("%s: status %d %s", path, a.status, a.body)
			}
		}
	})
}

// faulty are calls that end in errors, with their statuses.
var faulty = map[string]int{"/v1/labour/skills-unmet?place=nowhere": 400,
	"/v1/labour/skills-unmet?window=5&by=x&colour=red": 400, "/v1/labour/demand": 403,
	"/v1/nothing": 404, "/v1/labour/skills-unmet/": 404}

// everyError runs a test on errors of several kinds.
func everyError(t *testing.T, test func(*testing.T, string, answer)) {
	t.Helper()
	each(t, func(t *testing.T, s *server) {
		for path, status := range faulty {
			a := s.raw(t, path)
			if a.status != status {
				t.Errorf("%s: status %d %s", path, a.status, a.body)
			}
			test(t, path, a)
		}
		test(t, "without a key", s.send(t, http.MethodGet, "/v1/labour/sources", ""))
	})
}

// "error.code: string. Machine-readable code."
func TestErrorCode(t *testing.T) {
	everyError(t, func(t *testing.T, path string, a answer) {
		if a.code() == "" || strings.ToLower(a.code()) != a.code() || strings.Contains(a.code(), " ") {
			t.Errorf("%s: code %q in %s", path, a.code(), a.body)
		}
	})
}

// "error.message: string. Human-readable text."
func TestErrorMessage(t *testing.T) {
	everyError(t, func(t *testing.T, path string, a answer) {
		if !strings.Contains(a.err().text("message"), " ") {
			t.Errorf("%s: message %q", path, a.err().text("message"))
		}
		for _, inside := range []string{"SELECT", ".go:", "goroutine", "sql:", "panic"} {
			if strings.Contains(string(a.body), inside) {
				t.Errorf("%s shows the inside: %s", path, a.body)
			}
		}
	})
}

// "error.request_id: string. Request identifier."
func TestErrorRequestID(t *testing.T) {
	seen := map[string]bool{}
	everyError(t, func(t *testing.T, path string, a answer) {
		id := a.err().text("request_id")
		if id == "" || id != a.header.Get("X-Request-Id") || seen[id] {
			t.Errorf("%s: request_id %q, X-Request-Id %q, seen before: %v", path, id, a.header.Get("X-Request-Id"),
				seen[id])
		}
		seen[id] = true
	})
}

// "error.retry_after_seconds: integer. Present on rate-limit errors": and on no other
// fault of a caller.
func TestErrorRetryAfterIsForRateLimits(t *testing.T) {
	everyError(t, func(t *testing.T, path string, a answer) {
		if _, there := a.err()["retry_after_seconds"]; there {
			t.Errorf("%s: %s", path, a.body)
		}
	})
}

// "400: unknown place on a labour call": the message names what is near.
func TestErrorNamesNearPlaces(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		borough := s.borough(t)
		e := s.refused(t, query("/v1/labour/skills-unmet", "place", borough[:len(borough)-1]), http.StatusBadRequest,
			"unknown_place")
		near := []string{}
		for _, d := range e.list("details") {
			near = append(near, d.texts("nearest")...)
		}
		if len(near) == 0 || near[0] != borough || len(near) > 3 {
			t.Errorf("near %s: %v", borough[:len(borough)-1], near)
		}
		e = s.refused(t, query("/v1/labour/skills-unmet", "skill", "spreadsheets"), http.StatusBadRequest,
			"invalid_parameter")
		if !strings.Contains(e.text("message"), "excel") {
			t.Errorf("spreadsheets: %s", e.text("message"))
		}
	})
}

// An error lists every fault of a request.
func TestErrorListsEveryFault(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		e := s.refused(t, "/v1/labour/skills-unmet?window=5&level=9&colour=red&limit=0", http.StatusBadRequest,
			"invalid_parameter")
		if got := keys(e.list("details"), "parameter"); len(got) != 4 {
			t.Errorf("faults of %v", got)
		}
	})
}

// The HTTP server refuses a malformed path.
func TestMalformedPathIsRefused(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		if a := s.raw(t, "/v1/labour/%zz"); a.status != http.StatusNotFound && a.status != http.StatusBadRequest {
			t.Errorf("status %d: %s", a.status, a.body)
		}
	})
}

// "The version is in the path prefix: /v1/..."
func TestVersionIsInThePath(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range []string{"/labour/sources", "/v2/labour/sources"} {
			if a := s.get(t, path); a.status != http.StatusNotFound {
				t.Errorf("%s: status %d", path, a.status)
			}
		}
	})
}

// "A machine-readable specification, OpenAPI 3.1, is published at /v1/openapi.json
// under the base address."
func TestOpenAPIIsPublished(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		a := s.send(t, http.MethodGet, "/v1/openapi.json", "")
		var document struct {
			OpenAPI  string
			Paths    map[string]map[string]json.RawMessage
			Webhooks map[string]json.RawMessage
		}
		decode(t, a.body, &document)
		if a.status != http.StatusOK || !strings.HasPrefix(document.OpenAPI, "3.1.") {
			t.Errorf("status %d, OpenAPI %s", a.status, document.OpenAPI)
		}
		for _, path := range append([]string{"/v1/jobs", "/v1/pathways", "/v1/candidates", "/v1/s106", "/v1/events",
			"/v1/compliance-export", "/v1/webhooks/endpoints"}, prefixed(labourPaths)...) {
			if document.Paths[path] == nil {
				t.Errorf("%s is not in it", path)
			}
		}
		for _, event := range append(eventTypes, "webhook.test") {
			if document.Webhooks[event] == nil {
				t.Errorf("the webhook %s is not in it", event)
			}
		}
	})
}

func prefixed(paths []string) (out []string) {
	for _, p := range paths {
		out = append(out, "/v1/labour/"+p)
	}
	return out
}
