package conformance

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// eventTypes are "applications, clicks, recorded outcomes, and new opportunities".
var eventTypes = []string{"application.created", "click.recorded", "outcome.recorded", "opportunity.published"}

// inbox is a partner's HTTPS endpoint.
type inbox struct {
	mu       sync.Mutex
	messages []message
	url      string
}

type message struct {
	header http.Header
	body   []byte
}

// open starts an endpoint on loopback with the certificate that our servers trust.
func (o *ownSet) open(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{}
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		in.mu.Lock()
		defer in.mu.Unlock()
		in.messages = append(in.messages, message{r.Header, body})
	}))
	receiver.TLS = &tls.Config{Certificates: []tls.Certificate{o.certificate}}
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	in.url = receiver.URL
	return in
}

// wait waits until messages of all these types have come, and returns the first of
// each.
func (in *inbox) wait(t *testing.T, types ...string) map[string]message {
	t.Helper()
	got := map[string]message{}
	for range 600 {
		in.mu.Lock()
		for _, m := range in.messages {
			var body row
			decode(t, m.body, &body)
			if _, known := got[body.text("type")]; !known {
				got[body.text("type")] = m
			}
		}
		in.mu.Unlock()
		missing := 0
		for _, kind := range types {
			if _, came := got[kind]; !came {
				missing++
			}
		}
		if missing == 0 {
			return got
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("of %v only came %v", types, got)
	return nil
}

// subscribe makes an endpoint for an inbox and returns its id and its secret.
func (s *server) subscribe(t *testing.T, address string) (id, secret string) {
	t.Helper()
	a := s.manage(t, http.MethodPost, "", fmt.Sprintf(`{"url":%q}`, address))
	if a.status != http.StatusCreated {
		t.Fatalf("status %d %s", a.status, a.body)
	}
	var made struct{ Data row }
	decode(t, a.body, &made)
	made.Data.filled(t, "id", "secret")
	t.Cleanup(func() { s.removeEndpoint(made.Data.text("id")) })
	return made.Data.text("id"), made.Data.text("secret")
}

func (s *server) removeEndpoint(id string) {
	r, err := http.NewRequest(http.MethodDelete, s.base+"/v1/webhooks/endpoints/"+id, nil)
	if err != nil {
		return
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	if response, err := s.client.Do(r); err == nil {
		response.Body.Close()
	}
}

// manage calls an address under /v1/webhooks/endpoints.
func (s *server) manage(t *testing.T, method, rest, body string) answer {
	t.Helper()
	headers := []string{"Authorization", "Bearer " + s.key}
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	return s.send(t, method, "/v1/webhooks/endpoints"+rest, body, headers...)
}

// "/v1/webhooks/endpoints: management of webhook endpoints, callable with a key."
func TestWebhookEndpointsAreManaged(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		id, _ := s.subscribe(t, "https://example.com/conformance/"+s.name)
		if a := s.manage(t, http.MethodGet, "/"+id, ""); a.status != http.StatusOK {
			t.Errorf("get: %d %s", a.status, a.body)
		}
		if a := s.manage(t, http.MethodPatch, "/"+id, `{"enabled":false}`); a.status != http.StatusOK ||
			!strings.Contains(string(a.body), `"enabled":false`) {
			t.Errorf("change: %d %s", a.status, a.body)
		}
		if a := s.manage(t, http.MethodPost, "/"+id+"/rotate-secret", ""); a.status != http.StatusOK {
			t.Errorf("rotate: %d %s", a.status, a.body)
		}
		if a := s.manage(t, http.MethodDelete, "/"+id, ""); a.status != http.StatusNoContent {
			t.Errorf("delete: %d %s", a.status, a.body)
		}
		if a := s.manage(t, http.MethodGet, "/"+id, ""); a.status != http.StatusNotFound {
			t.Errorf("get a deleted one: %d %s", a.status, a.body)
		}
	})
}

// "The service pushes webhook events to a partner's HTTPS endpoint": to no other kind
// of address.
func TestWebhooksGoToHTTPSOnly(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		for _, address := range []string{"http://example.com/x", "ftp://example.com/x", "example.com",
			"https://user:pw@example.com/x", "https://example.com:99999/x", "https://10.0.0.1/x"} {
			if a := s.manage(t, http.MethodPost, "",
				fmt.Sprintf(`{"url":%q}`, address)); a.status != http.StatusBadRequest {
				t.Errorf("%s: status %d %s", address, a.status, a.body)
			}
		}
	})
}

// "… for four kinds of thing: applications, clicks, recorded outcomes, and new
// opportunities": each arrives, signed, and names nobody.
func TestWebhooksOfFourKindsArrive(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if s.own == nil || s.name != "http" {
			t.Skip("only the operator can make events happen")
		}
		in := s.own.open(t)
		_, secret := s.subscribe(t, in.url)
		s.publish(t, s.labour(t, "sources").Meta.text("as_of"))
		for kind, m := range in.wait(t, eventTypes...) {
			if got, want := m.header.Get("webhook-signature"), signature(t, secret, m); !strings.Contains(got, want) {
				t.Errorf("%s: signature %s, want %s", kind, got, want)
			}
			var body row
			decode(t, m.body, &body)
			body.filled(t, "id", "type")
			body.time(t, "timestamp")
			for field := range body.object("data") {
				if field != "advert" && field != "borough" && field != "outcome" {
					t.Errorf("%s has the field %s", kind, field)
				}
			}
		}
	})
}

// signature is that of the Standard Webhooks specification.
func signature(t *testing.T, secret string, m message) string {
	t.Helper()
	signing, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	code := hmac.New(sha256.New, signing)
	fmt.Fprintf(code, "%s.%s.%s", m.header.Get("webhook-id"), m.header.Get("webhook-timestamp"), m.body)
	return "v1," + base64.StdEncoding.EncodeToString(code.Sum(nil))
}

// A partner can ask for a message to try its endpoint.
func TestWebhookTestMessage(t *testing.T) {
	every(t, func(t *testing.T, s *server) {
		if s.own == nil {
			t.Skip("the suite's endpoint is on loopback")
		}
		in := s.own.open(t)
		id, _ := s.subscribe(t, in.url)
		if a := s.manage(t, http.MethodPost, "/"+id+"/test", ""); a.status >= 300 {
			t.Fatalf("status %d %s", a.status, a.body)
		}
		in.wait(t, "webhook.test")
	})
}

// "The labour endpoints emit no events": no event is about a figure.
func TestLabourEndpointsEmitNoEvents(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.rows(t, "/v1/events?limit=200").Data {
			known := false
			for _, kind := range eventTypes {
				known = known || r.text("type") == kind
			}
			if !known {
				t.Errorf("an event of type %s", r.text("type"))
			}
		}
	})
}
