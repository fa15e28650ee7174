package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// TestReceiverRefuses what comes before the signing secret is known, what is too long and what is
// not signed.
func TestReceiverRefuses(t *testing.T) {
	secret, err := standardwebhooks.NewWebhook("whsec_" + strings.Repeat("YWJj", 8))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		secret *standardwebhooks.Webhook
		body   string
		status int
		said   string
	}{
		{"no secret yet", nil, "{}", http.StatusServiceUnavailable, ""},
		{"too long", secret, strings.Repeat("x", maxMessage+1), http.StatusServiceUnavailable, ""},
		{"not signed", secret, "{}", http.StatusBadRequest, "SIGNATURE NOT GOOD"},
	} {
		var out bytes.Buffer
		r := &receiver{out: &out}
		r.secret.Store(c.secret)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/events", strings.NewReader(c.body)))
		if w.Code != c.status || !strings.Contains(out.String(), c.said) || c.said == "" && out.Len() > 0 {
			t.Errorf("%s: status %d, printed %q", c.name, w.Code, out.String())
		}
	}
}
