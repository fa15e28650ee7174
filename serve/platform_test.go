package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
	"labour/serve/partners/access"
)

const exportBody = `{"scheme":"s","period_start":"2026-07-01","period_end":"2026-09-30"}`

// Every parameter reaches the question, with its default when it is left out.
func TestPlatformParametersReachTheQuestion(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	since := time.Date(2026, 11, 18, 23, 0, 0, 0, time.UTC)
	for target, want := range map[string]any{
		"jobs": api.JobsQuery{Limit: 50},
		"jobs?borough=central-london&type=training&sector=digital&soc=21&q=+Caf%C3%A9++care&limit=101": api.JobsQuery{
			Borough: "central-london", Type: "training", Sector: "digital", SOC: "21", Search: " Café  care",
			Limit: 100},
		"pathways": "pathways", "candidates": "candidates", "s106": "s106 ", "s106?borough=camden": "s106 camden",
		"events":              api.EventsQuery{Partner: "Example", Page: 1, Limit: 50},
		"events?page=1000000": api.EventsQuery{Partner: "Example", Page: 1_000_000, Limit: 50},
		"events?page=3&limit=201&type=click.recorded": api.EventsQuery{Partner: "Example", Type: "click.recorded",
			Page: 3, Limit: 200},
		"events?since=2026-11-19T00:00:00.5%2B01:00": api.EventsQuery{Partner: "Example", Since: &since, Page: 1,
			Limit: 50},
	} {
		res := s.get(t, "/v1/"+target)
		if res.status != http.StatusOK {
			t.Errorf("%s: %d %s", target, res.status, res.body)
			continue
		}
		sameMoment := cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })
		if diff := cmp.Diff(want, s.live.now().last(), sameMoment); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}

// The response says whether there are figures about people in the borough that was asked for.
func TestS106SaysWhetherABoroughHasPeople(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeS106Read)
	for target, published := range map[string]string{"s106": "true", "s106?borough=camden": "true",
		"s106?borough=hackney": "false"} {
		if res := s.get(t, "/v1/"+target); !strings.Contains(string(res.body), `"published":`+published) {
			t.Errorf("%s: %s", target, res.body)
		}
	}
}

func TestWrongPlatformParameters(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	for target, want := range map[string]string{
		"jobs?borough=camdne": "unknown_place borough", "jobs?type=gig": "invalid_parameter type",
		"jobs?sector=x":  "invalid_parameter sector",
		"jobs?soc=21365": "invalid_parameter soc", "jobs?limit=0": "invalid_parameter limit",
		"jobs?cursor=x": "invalid_cursor cursor",
		"jobs?page=1":   "invalid_parameter page", "jobs?q=%20-%20": "invalid_parameter q",
		"jobs?q=" + strings.Repeat("a", 101): "invalid_parameter q", "jobs?type=job&type=job": "invalid_parameter type",
		"pathways?limit=1": "invalid_parameter limit", "candidates?borough=camden": "invalid_parameter borough",
		"s106?borough=London": "unknown_place borough", "s106?place=camden": "invalid_parameter place",
		"events?page=0": "invalid_parameter page", "events?page=x": "invalid_parameter page",
		"events?limit=0":                         "invalid_parameter limit",
		"events?since=2026-11-20":                "invalid_parameter since",
		"events?since=2026-02-30T00:00:00Z":      "invalid_parameter since",
		"events?since=2026-11-19T00:00:00+01:00": "invalid_parameter since",
		"events?type=webhook.test":               "invalid_parameter type",
		"events?cursor=x":                        "invalid_parameter cursor",
	} {
		e := errorOf(t, s.get(t, "/v1/"+target))
		if len(e.Details) != 1 || e.Code+" "+e.Details[0].Parameter != want {
			t.Errorf("%s: %+v, want %s", target, e, want)
		}
	}
	e := errorOf(t, s.get(t, "/v1/jobs?borough=camdne&sector=x&limit=0&cursor=y&zzz=1"))
	if e.Code != "invalid_parameter" || len(e.Details) != 5 {
		t.Errorf("five faults at once: %+v", e)
	}
}

// Each endpoint has a scope of its own, and a new key has none of them.
func TestPlatformScopes(t *testing.T) {
	s := newService(t, nil)
	for path, scope := range map[string]access.Scope{"jobs": access.ScopeJobsRead, "pathways": access.ScopePathwaysRead,
		"candidates": access.ScopeCandidatesRead,
		"s106":       access.ScopeS106Read, "events": access.ScopeEventsRead, "compliance-export": access.ScopeDeveloper} {
		call := func() result {
			if path == "compliance-export" {
				return s.send(t, http.MethodPost, "/v1/"+path, exportBody, "Content-Type", "application/json",
					"Authorization", "Bearer "+s.secret)
			}
			return s.get(t, "/v1/"+path)
		}
		var others []access.Scope
		for _, o := range access.Scopes() {
			if o != scope {
				others = append(others, o)
			}
		}
		s.grant(t, others...)
		res := call()
		if e := errorOf(t, res); res.status != http.StatusForbidden || e.Code != "insufficient_scope" ||
			!strings.Contains(e.Message, string(scope)) {
			t.Errorf("%s without %s: %d %+v", path, scope, res.status, e)
		}
		if res.header.Get("X-RateLimit-Remaining") == "" && res.header.Get("X-Ratelimit-Remaining") == "" {
			t.Errorf("%s: a 403 without limit headers", path)
		}
		s.grant(t, scope)
		if res := call(); res.status != http.StatusOK {
			t.Errorf("%s with %s alone: %d %s", path, scope, res.status, res.body)
		}
	}
}

// Every error has the documented form on each endpoint.
func TestPlatformStatuses(t *testing.T) {
	s := newService(t, func(o *Options) { o.QueryTimeout = 20 * time.Millisecond })
	s.grant(t, access.Scopes()...)
	for _, path := range []string{"jobs", "pathways", "candidates", "s106", "events"} {
		if res := s.do(t, http.MethodGet, "/v1/"+path); res.status != http.StatusUnauthorized {
			t.Errorf("%s without a key: %d", path, res.status)
		}
		first := s.get(t, "/v1/"+path)
		tag := first.header.Get("Etag")
		if res := s.get(t, "/v1/"+path, "If-None-Match", tag); tag == "" || res.status != http.StatusNotModified ||
			len(res.body) != 0 {
			t.Errorf("%s: %d for its own tag %q", path, res.status, tag)
		}
		if res := s.do(t, http.MethodHead, "/v1/"+path, "Authorization",
			"Bearer "+s.secret); res.status != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, res.status)
		}
		if res := s.do(t, http.MethodPost, "/v1/"+path, "Authorization",
			"Bearer "+s.secret); res.status != http.StatusMethodNotAllowed ||
			!strings.HasPrefix(res.header.Get("Allow"), "GET") {
			t.Errorf("POST %s: %d %s", path, res.status, res.header.Get("Allow"))
		}
		s.live.now().hook = waits
		if res := s.get(t, "/v1/"+path); res.status != http.StatusGatewayTimeout {
			t.Errorf("%s past its deadline: %d", path, res.status)
		}
		s.live.now().hook = fails
		if res := s.get(t, "/v1/"+path); res.status != http.StatusInternalServerError {
			t.Errorf("%s with a broken store: %d", path, res.status)
		}
		s.live.now().hook = nil
		current := s.live.current
		s.live.current = "none"
		if res := s.get(t, "/v1/"+path); res.status != http.StatusServiceUnavailable {
			t.Errorf("%s without a snapshot: %d", path, res.status)
		}
		s.live.current = current
	}
}

// waits is a store that never answers, fails one that cannot.
func waits(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
func fails(context.Context) error     { return errors.New("disk gone") }

// A key of another partner asks for other events, and holds no answer of the first.
func TestEventsAreThePartnersOwn(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeEventsRead)
	tag := s.get(t, "/v1/events").header.Get("Etag")
	_, other, err := s.keys.CreateKey(t.Context(),
		access.KeyRequest{Partner: "Other", Scopes: []access.Scope{access.ScopeEventsRead}})
	if err != nil {
		t.Fatal(err)
	}
	res := s.do(t, http.MethodGet, "/v1/events", "Authorization", "Bearer "+other, "If-None-Match", tag)
	if q := s.live.now().last().(api.EventsQuery); res.status != http.StatusOK || q.Partner != "Other" {
		t.Errorf("%d, asked for the events of %q", res.status, q.Partner)
	}
}

// A cursor of another endpoint is none of ours; a full walk gives every job once,
// with a snapshot promoted in the middle.
func TestJobsCursors(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	evidence := envelopeOf(t, s.get(t, "/v1/labour/evidence?limit=1")).Meta.NextCursor
	if e := errorOf(t, s.get(t, "/v1/jobs?cursor="+*evidence)); e.Code != "invalid_cursor" {
		t.Errorf("a cursor of evidence: %+v", e)
	}
	var ids []string
	next := ""
	for page := range 4 {
		e := envelopeOf(t, s.get(t, "/v1/jobs?limit=2"+next))
		for _, row := range e.Data {
			ids = append(ids, row["id"].(string))
		}
		if e.Meta.Snapshot != "2026-11-20.1" || e.Meta.Returned != len(e.Data) || e.Meta.Limit != 2 {
			t.Errorf("page %d: %+v", page, e.Meta)
		}
		if page == 0 {
			s.live.kept["2026-11-21.1"], s.live.current = newFakeSnapshot("2026-11-21.1"), "2026-11-21.1"
		}
		if e.Meta.NextCursor == nil {
			break
		}
		next = "&cursor=" + *e.Meta.NextCursor
	}
	if got, want := strings.Join(ids,
		" "), "platform:ad-9 platform:ad-8 platform:ad-7 platform:ad-6 find_an_apprenticeship:VAC1"; got != want {
		t.Errorf("the walk gave %s, want %s", got, want)
	}
	delete(s.live.kept, "2026-11-20.1")
	if e := errorOf(t, s.get(t, "/v1/jobs?"+strings.TrimPrefix(next, "&"))); e.Code != "cursor_expired" {
		t.Errorf("a cursor of a snapshot that is gone: %+v", e)
	}
}

func TestComplianceBodies(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeDeveloper)
	for _, tt := range []struct {
		name, body, kind string
		status           int
		faults           string // fields, in order
	}{
		{"good", exportBody, "application/json", 200, ""},
		{"charset", exportBody, "application/json; charset=Utf-8", 200, ""},
		{"one day", `{"scheme":"é","period_start":"2026-07-01","period_end":"2026-07-01"}`, "application/json", 200,
			""},
		{"no type", exportBody, "", 415, ""},
		{"form", "scheme=s", "application/x-www-form-urlencoded", 415, ""},
		{"other charset", exportBody, "application/json; charset=latin1", 415, ""},
		{"largest", exportBody[:len(exportBody)-1] + strings.Repeat(" ", maxBody-len(exportBody)) + "}",
			"application/json", 200, ""},
		{"one byte more", exportBody[:len(exportBody)-1] + strings.Repeat(" ", maxBody-len(exportBody)+1) + "}",
			"application/json", 413, ""},
		{"empty", "", "application/json", 400, ""},
		{"list", "[]", "application/json", 400, ""}, {"null", "null", "application/json", 400, ""},
		{"cut off", exportBody[:20], "application/json", 400, ""},
		{"two objects", exportBody + exportBody, "application/json", 400, ""},
		{"not UTF-8", "{\"scheme\":\"\xff\"}", "application/json", 400, ""},
		{"nothing in it", "{}", "application/json", 400, "scheme period_start period_end"},
		{"twice", `{"scheme":"a",` + exportBody[1:], "application/json", 400, "scheme"},
		{"unknown", `{"period":1,` + exportBody[1:], "application/json", 400, "period"},
		{"null field", strings.Replace(exportBody, `"s"`, "null", 1), "application/json", 400, "scheme"},
		{"number", strings.Replace(exportBody, `"s"`, "7", 1), "application/json", 400, "scheme"},
		{"U+0000", strings.Replace(exportBody, `"s"`, `"s\u0000"`, 1), "application/json", 400, "scheme"},
		{"blank", strings.Replace(exportBody, `"s"`, `" "`, 1), "application/json", 400, "scheme"},
		{"long", strings.Replace(exportBody, `"s"`, `"`+strings.Repeat("é", 101)+`"`, 1), "application/json", 400,
			"scheme"},
		{"no such day", strings.Replace(exportBody, "2026-09-30", "2026-09-31", 1), "application/json", 400,
			"period_end"},
		{"backwards", strings.Replace(exportBody, "2026-09-30", "2026-06-30", 1), "application/json", 400,
			"period_end"},
	} {
		res := s.send(t, http.MethodPost, "/v1/compliance-export", tt.body, "Authorization", "Bearer "+s.secret,
			"Content-Type", tt.kind)
		if res.status != tt.status {
			t.Errorf("%s: %d %s", tt.name, res.status, res.body)
			continue
		}
		if tt.status == 200 {
			var got struct {
				Preview bool
				Notice  string
				Data    map[string]any
			}
			if err := json.Unmarshal(res.body, &got); err != nil || !got.Preview ||
				!strings.Contains(got.Notice, "not live") || got.Data["jobs_created"] != 320.0 {
				t.Errorf("%s: %s", tt.name, res.body)
			}
			continue
		}
		var fields []string
		for _, d := range errorOf(t, res).Details {
			fields = append(fields, d.Parameter)
		}
		if got := strings.Join(fields, " "); got != tt.faults {
			t.Errorf("%s: faults %s, want %s", tt.name, got, tt.faults)
		}
	}
	res := s.send(t, http.MethodPost, "/v1/compliance-export?preview=1", "{}", "Authorization", "Bearer "+s.secret,
		"Content-Type", "application/json")
	if e := errorOf(t, res); len(e.Details) != 4 {
		t.Errorf("a parameter and three fields: %+v", e)
	}
	res = s.send(t, http.MethodPost, "/v1/compliance-export?preview=1", "{", "Authorization", "Bearer "+s.secret,
		"Content-Type", "application/json")
	if e := errorOf(t, res); len(e.Details) != 2 || e.Details[0].Parameter != "preview" ||
		!strings.Contains(e.Details[1].Message, "one JSON object") {
		t.Errorf("a parameter and a body that is no JSON: %+v", e)
	}
	if res := s.get(t, "/v1/compliance-export"); res.status != http.StatusMethodNotAllowed ||
		res.header.Get("Allow") != "POST" {
		t.Errorf("GET: %d %s", res.status, res.header.Get("Allow"))
	}
}

// An unknown field that is near two others names one of them.
func TestUnknownFieldHasOneNearest(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeDeveloper)
	res := s.send(t, http.MethodPost, "/v1/compliance-export", `{"period":1,`+exportBody[1:], "Authorization",
		"Bearer "+s.secret, "Content-Type", "application/json")
	if e := errorOf(t, res); len(e.Details) != 1 || len(e.Details[0].Nearest) != 1 {
		t.Errorf("not one nearest field: %+v", e)
	}
}

// Whatever the body, the answer is one of the documented ones.
func FuzzComplianceBody(f *testing.F) {
	s := newService(f, nil)
	s.grant(f, access.ScopeDeveloper)
	hourly := int64(1 << 40)
	if err := s.keys.SetKeyLimits(f.Context(), s.key.ID, &hourly, &hourly); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{exportBody, "{}", `{"a":{"b":[1,2,{}]}}`, `{"scheme":`, `{"":1}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		res := s.send(t, http.MethodPost, "/v1/compliance-export", body, "Authorization", "Bearer "+s.secret,
			"Content-Type", "application/json")
		if res.status != 200 && res.status != 400 && res.status != 413 {
			t.Fatalf("%q: %d %s", body, res.status, res.body)
		}
	})
}
