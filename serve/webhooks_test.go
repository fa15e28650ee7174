package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/partners/access"
	"labour/serve/state"
	"labour/serve/stores"
	"labour/serve/webhooks"
)

const hookBody = `{"url":"https://Example.com:443/hooks","event_types":["outcome.recorded","click.recorded"],"description":"Café"}`

// hook is what tests read of an answer about webhooks.
type hook struct {
	Data struct {
		ID, URL, Secret, Status, Description string
		EventType                            string    `json:"event_type"`
		EventTypes                           []string  `json:"event_types"`
		EventID                              string    `json:"event_id"`
		Reason                               *string   `json:"disabled_reason"`
		Enabled                              bool      `json:"enabled"`
		Created                              time.Time `json:"created_at"`
	}
}

// manage makes a call with a JSON body and reads the answer, which must have that status.
func (s *service) manage(t testing.TB, status int, method, path, body string) hook {
	t.Helper()
	res := s.send(t, method, endpointsPath+path, body, "Authorization", "Bearer "+s.secret, "Content-Type",
		"application/json")
	if res.status != status {
		t.Fatalf("%s %s: %d %s", method, path, res.status, res.body)
	}
	var h hook
	if status < 300 && len(res.body) > 0 {
		if err := json.Unmarshal(res.body, &h); err != nil {
			t.Fatal(err)
		}
	}
	if res.header.Get("Cache-Control") != noStore {
		t.Errorf("%s %s: Cache-Control %q", method, path, res.header.Get("Cache-Control"))
	}
	return h
}

// The life of an endpoint: the secret is shown once, and again only a new one.
func TestWebhookEndpointLife(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	res := s.send(t, http.MethodPost, endpointsPath, hookBody, "Authorization", "Bearer "+s.secret, "Content-Type",
		"application/json")
	var made hook
	if err := json.Unmarshal(res.body, &made); err != nil || res.status != http.StatusCreated {
		t.Fatalf("%d %s", res.status, res.body)
	}
	d := made.Data
	if res.header.Get("Location") != endpointsPath+"/"+d.ID || d.URL != "https://example.com/hooks" || !d.Enabled ||
		d.Reason != nil || d.Description != "Café" ||
		!strings.HasPrefix(d.Secret, "whsec_") || !d.Created.Equal(s.clock.now().Truncate(time.Second)) ||
		!slices.Equal(d.EventTypes, []string{"click.recorded", "outcome.recorded"}) {
		t.Errorf("%v %+v", res.header, d)
	}
	list := s.get(t, endpointsPath)
	if list.status != http.StatusOK || !strings.Contains(string(list.body), d.ID) || strings.Contains(string(list.body),
		"whsec_") {
		t.Errorf("%d %s", list.status, list.body)
	}
	path := "/" + d.ID
	if got := s.manage(t, 200, "GET", path, ""); got.Data.URL != d.URL || got.Data.Secret != "" {
		t.Errorf("%+v", got)
	}
	if got := s.manage(t, 200, "PATCH", path, `{"enabled":false,"event_types":["click.recorded"]}`); got.Data.Enabled ||
		got.Data.Reason == nil ||
		*got.Data.Reason != "partner" || len(got.Data.EventTypes) != 1 || got.Data.Description != "Café" ||
		got.Data.URL != d.URL {
		t.Errorf("%+v", got)
	}
	s.manage(t, 409, "POST", path+"/test", "")
	if got := s.manage(t, 200, "PATCH", path, `{"enabled":true,"description":""}`); !got.Data.Enabled ||
		got.Data.Reason != nil || got.Data.Description != "" {
		t.Errorf("%+v", got)
	}
	old := d.Secret
	for _, body := range []string{"", "{}", `{"grace_seconds":0}`, `{"grace_seconds":604800}`} {
		if got := s.manage(t, 200, "POST", path+"/rotate-secret", body); !strings.HasPrefix(got.Data.Secret,
			"whsec_") || got.Data.Secret == old {
			t.Errorf("rotated with %q: %+v", body, got)
		} else {
			old = got.Data.Secret
		}
	}
	s.manage(t, 204, "DELETE", path, "")
	s.manage(t, 404, "GET", path, "")
}

// A test message is in the log; it can be delivered again, and the log is paged.
func TestWebhookDeliveries(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	one, other := s.manage(t, 201, "POST", "", hookBody),
		s.manage(t, 201, "POST", "", `{"url":"https://example.com/other"}`)
	if len(other.Data.EventTypes) != len(webhooks.EventTypes()) {
		t.Errorf("without types: %v", other.Data.EventTypes)
	}
	path := "/" + one.Data.ID
	sent := s.manage(t, 202, "POST", path+"/test", "")
	if sent.Data.Status != "pending" || sent.Data.EventType != "webhook.test" {
		t.Errorf("%+v", sent)
	}
	again := s.manage(t, 202, "POST", path+"/deliveries/"+sent.Data.ID+"/redeliver", "")
	if again.Data.EventID != sent.Data.EventID || again.Data.ID == sent.Data.ID {
		t.Errorf("%+v after %+v", again, sent)
	}
	for range maxDeliveries - 1 {
		s.clock.set(s.clock.now().Add(time.Second))
		if _, err := s.hooks.SendTest(t.Context(), s.key.PartnerID, one.Data.ID); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	next := ""
	for {
		res := s.get(t, endpointsPath+path+"/deliveries?limit=20"+next)
		e := envelopeOf(t, res)
		for _, row := range e.Data {
			ids = append(ids, row["id"].(string))
		}
		if e.Meta.Returned != len(e.Data) || e.Meta.Limit != 20 {
			t.Errorf("%+v", e.Meta)
		}
		if e.Meta.NextCursor == nil {
			break
		}
		next = "&cursor=" + *e.Meta.NextCursor
	}
	if len(ids) != maxDeliveries+1 || !slices.Contains(ids, sent.Data.ID) ||
		len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("%d deliveries", len(ids))
	}
	if e := envelopeOf(t, s.get(t, endpointsPath+path+"/deliveries?limit=1000")); e.Meta.Limit != maxDeliveries ||
		e.Meta.NextCursor == nil {
		t.Errorf("%+v", e.Meta)
	}
	if e := errorOf(t,
		s.get(t, endpointsPath+"/"+other.Data.ID+"/deliveries?"+strings.TrimPrefix(next,
			"&"))); e.Code != "invalid_cursor" {
		t.Errorf("a cursor of another endpoint's log: %+v", e)
	}
	s.manage(t, 404, "POST", "/"+other.Data.ID+"/deliveries/"+sent.Data.ID+"/redeliver", "")
}

// Nothing of another partner's endpoint exists, whatever is asked of it.
func TestWebhooksAreThePartnersOwn(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	made := s.manage(t, 201, "POST", "", hookBody)
	sent := s.manage(t, 202, "POST", "/"+made.Data.ID+"/test", "")
	mine := s.secret
	var err error
	if _, s.secret, err = s.keys.CreateKey(t.Context(),
		access.KeyRequest{Partner: "Other", Scopes: []access.Scope{access.ScopeWebhooksManage}}); err != nil {
		t.Fatal(err)
	}
	path := "/" + made.Data.ID
	s.manage(t, 404, "GET", path, "")
	s.manage(t, 404, "PATCH", path, `{"enabled":false}`)
	s.manage(t, 404, "DELETE", path, "")
	s.manage(t, 404, "POST", path+"/rotate-secret", "")
	s.manage(t, 404, "POST", path+"/test", "")
	s.manage(t, 404, "GET", path+"/deliveries", "")
	s.manage(t, 404, "POST", path+"/deliveries/"+sent.Data.ID+"/redeliver", "")
	if e := envelopeOf(t, s.get(t, endpointsPath)); len(e.Data) != 0 || e.Meta.Returned != 0 {
		t.Errorf("%+v", e)
	}
	s.manage(t, 201, "POST", "", hookBody) // the same URL is free for another partner
	s.secret = mine
	if got := s.manage(t, 200, "GET", path, ""); !got.Data.Enabled {
		t.Errorf("%+v", got)
	}
}

func TestWebhookConflicts(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	s.manage(t, 201, "POST", "", hookBody)
	s.manage(t, 409, "POST", "", `{"url":"https://EXAMPLE.com/hooks"}`)
	for i := range 19 {
		last := s.manage(t, 201, "POST", "", fmt.Sprintf(`{"url":"https://example.com/%d"}`, i))
		if i == 0 {
			s.manage(t, 409, "PATCH", "/"+last.Data.ID, `{"url":"https://example.com/hooks"}`)
		}
	}
	s.manage(t, 409, "POST", "", `{"url":"https://example.com/one-more"}`)
}

// All faults of a body are reported at once, and then nothing is written.
func TestWebhookBodies(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	id := "/" + s.manage(t, 201, "POST", "", `{"url":"https://example.com/"}`).Data.ID
	for _, tt := range []struct {
		method, path, body, kind string
		status                   int
		faults                   string
	}{
		{"POST", "", hookBody, "text/plain", 415, ""},
		{"PATCH", id, `{}`, "", 415, ""},
		{"POST", id + "/rotate-secret", `{}`, "", 415, ""},
		{"POST", "", `{"url":"` + strings.Repeat("a", maxBody) + `"}`, "application/json", 413, ""},
		{"PATCH", id, strings.Repeat(" ", maxBody+1), "application/json", 413, ""},
		{"POST", "", "", "application/json", 400, ""},
		{"POST", "", "[]", "application/json", 400, ""},
		{"POST", "", "{}", "application/json", 400, "url"},
		{"POST", "?x=1", `{"url":null,"event_types":"x","description":7,"enabled":true}`, "application/json", 400,
			"x enabled url description event_types"},
		{"POST", "", `{"url":"ftp://a.example/","event_types":["a"],"description":"` + strings.Repeat("é", 201) + `"}`,
			"application/json", 400, "url event_types description"},
		{"POST", "", `{"url":"https://a.example/","event_types":[]}`, "application/json", 400, "event_types"},
		{"POST", "", `{"url":"https://a.example/","event_types":["webhook.test"]}`, "application/json", 400,
			"event_types"},
		{"POST", "", `{"url":"https://169.254.169.254/"}`, "application/json", 400, "url"},
		{"PATCH", id, `{"url":"","enabled":"yes","event_types":null}`, "application/json", 400,
			"enabled event_types url"},
		{"PATCH", id, `{"url":"https://10.0.0.1/"}`, "application/json", 400, "url"},
		{"POST", id + "/rotate-secret", `{"grace_seconds":604801}`, "application/json", 400, "grace_seconds"},
		{"POST", id + "/rotate-secret", `{"grace_seconds":-1,"grace":1}`, "application/json", 400,
			"grace grace_seconds"},
		{"POST", id + "/rotate-secret", `{"grace_seconds":1.5}`, "application/json", 400, "grace_seconds"},
		{"GET", "?limit=1", "", "", 400, "limit"},
		{"GET", id + "?x=1", "", "", 400, "x"},
		{"DELETE", id + "?x=1", "", "", 400, "x"},
		{"POST", id + "/test?x=1", "", "", 400, "x"},
		{"POST", id + "/deliveries/d/redeliver?x=1", "", "", 400, "x"},
		{"GET", id + "/deliveries?limit=0&cursor=x", "", "", 400, "limit cursor"},
	} {
		name := fmt.Sprintf("%s %s %.80s", tt.method, tt.path, tt.body)
		res := s.send(t, tt.method, endpointsPath+tt.path, tt.body, "Authorization", "Bearer "+s.secret, "Content-Type",
			tt.kind)
		if res.status != tt.status {
			t.Errorf("%s: %d %s", name, res.status, res.body)
			continue
		}
		var fields []string
		for _, d := range errorOf(t, res).Details {
			fields = append(fields, d.Parameter)
		}
		if got := strings.Join(fields, " "); got != tt.faults {
			t.Errorf("%s: faults %s, want %s", name, got, tt.faults)
		}
	}
	if e := envelopeOf(t, s.get(t, endpointsPath)); len(e.Data) != 1 {
		t.Errorf("%d endpoints", len(e.Data))
	}
}

// closed is a service of webhooks whose database is closed.
func closed(t *testing.T) *webhooks.Service {
	t.Helper()
	file := filepath.Join(t.TempDir(), state.DatabaseFileName)
	stores, err := stores.Open(t.Context(), file, time.Now, rand.Reader, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	hooks, err := stores.OpenWebhooks(t.Context(), nil, true, nil)
	if err := errors.Join(err, stores.Close()); err != nil {
		t.Fatal(err)
	}
	return hooks
}

// webhookCalls is one good call of each operation.
func webhookCalls() [][3]string {
	return [][3]string{{"POST", "", hookBody}, {"GET", "", ""}, {"GET", "/whe_1", ""}, {"PATCH", "/whe_1", "{}"},
		{"DELETE", "/whe_1", ""},
		{"POST", "/whe_1/rotate-secret", ""}, {"POST", "/whe_1/test", ""}, {"GET", "/whe_1/deliveries", ""},
		{"POST", "/whe_1/deliveries/whd_1/redeliver", ""}}
}

// Each operation wants the scope, and fails in the documented way.
func TestWebhookStatuses(t *testing.T) {
	if p := apiErrorOf(&call{}, fmt.Errorf("ask: %w", context.Canceled)); p.code.status() != 503 {
		t.Errorf("a call that was given up: %v", p)
	}
	for status, change := range map[int]func(*Options){500: func(o *Options) { o.Webhooks = closed(t) },
		504: func(o *Options) { o.QueryTimeout = time.Nanosecond }} {
		s := newService(t, change)
		s.grant(t, access.ScopeWebhooksManage)
		for _, call := range webhookCalls() {
			s.manage(t, status, call[0], call[1], call[2])
		}
	}
	s := newService(t, nil)
	s.grant(t, access.ScopeEventsRead)
	for _, call := range webhookCalls() {
		s.manage(t, 403, call[0], call[1], call[2])
		if res := s.do(t, call[0], endpointsPath+call[1]); res.status != 401 {
			t.Errorf("%v without a key: %d", call, res.status)
		}
	}
}

// The document has every operation with its statuses, and what is pushed.
func TestDocumentListsWebhooks(t *testing.T) {
	doc := documentOf(t)
	for operation, want := range map[[2]string]string{
		{"", "post"}:                    "201 400 401 403 409 413 415 429 500 503 504",
		{"", "get"}:                     "200 400 401 403 429 500 503 504",
		{"/{id}", "get"}:                "200 400 401 403 404 429 500 503 504",
		{"/{id}", "patch"}:              "200 400 401 403 404 409 413 415 429 500 503 504",
		{"/{id}", "delete"}:             "204 400 401 403 404 429 500 503 504",
		{"/{id}/rotate-secret", "post"}: "200 400 401 403 404 413 415 429 500 503 504",
		{"/{id}/test", "post"}:          "202 400 401 403 404 409 429 500 503 504",
		{"/{id}/deliveries", "get"}:     "200 400 401 403 404 429 500 503 504",
		{"/{id}/deliveries/{delivery}/redeliver", "post"}: "202 400 401 403 404 409 429 500 503 504",
	} {
		if got := strings.Join(keys(at(doc, "paths", endpointsPath+operation[0], operation[1], "responses")),
			" "); got != want {
			t.Errorf("%v: statuses %s, want %s", operation, got, want)
		}
	}
	var types []string
	for _, e := range webhooks.EventTypes() {
		types = append(types, string(e))
	}
	types = append(types, string(webhooks.TestEventType))
	slices.Sort(types)
	if diff := cmp.Diff(types, keys(at(doc, "webhooks"))); diff != "" {
		t.Error(diff)
	}
}
