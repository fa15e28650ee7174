package webhooks

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"labour/serve/api"
	"labour/serve/state/statetest"
)

// If the operator opens this machine for a trial, a receiver on it needs no certificate.
// Without TLS nothing goes anywhere else.
func TestTryingOutNeedsNoCertificate(t *testing.T) {
	arrived := make(chan string, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- r.Header.Get("webhook-signature")
	}))
	defer receiver.Close()
	for _, open := range []bool{true, false} {
		f := newFixture(t, statetest.SQLitePath(t), func(o *Options) { o.AllowLoopback = open })
		for url, want := range map[string]bool{
			receiver.URL + "/hooks": open, "http://[::1]:9/hooks": open, "http://localhost:9/hooks": false,
			"http://example.com/hooks": false, "http://10.0.0.1/hooks": false, "ftp://127.0.0.1/hooks": false,
		} {
			e, _, err := f.CreateEndpoint(t.Context(), "ptn_a", api.NewWebhook{URL: url, EventTypes: []string{ClickRecorded}})
			var invalid *InvalidFieldError
			if want != (err == nil) || err != nil && !errors.As(err, &invalid) {
				t.Errorf("open %v, %s: %v", open, url, err)
			}
			if err != nil || url != receiver.URL+"/hooks" {
				continue
			}
			f.publish(click("ev-1"))
			f.due(f.deliveries(e.ID)[0].ID)
			if got := ended(f.deliveries(e.ID)[0]); got != "delivered 200" {
				t.Errorf("%s: %s", url, got)
			}
			if signature := <-arrived; signature == "" {
				t.Error("the message is not signed")
			}
		}
	}
}
