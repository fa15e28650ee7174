package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"labour/serve/api"
	"labour/serve/state"
	"labour/serve/stores"
	"labour/serve/webhooks"
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

// TestReceiverAccepts a message with a valid signature.
func TestReceiverAccepts(t *testing.T) {
	secret, err := standardwebhooks.NewWebhook("whsec_" + strings.Repeat("YWJj", 8))
	if err != nil {
		t.Fatal(err)
	}
	at, body := time.Now(), " {} "
	signature, err := secret.Sign("msg_1", at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := &receiver{out: &out}
	r.secret.Store(secret)
	message := httptest.NewRequest(http.MethodPost, "/events", strings.NewReader(body))
	message.Header.Set(standardwebhooks.HeaderWebhookID, "msg_1")
	message.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	message.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	w := httptest.NewRecorder()
	r.ServeHTTP(w, message)
	if w.Code != http.StatusNoContent || out.String() != "webhook received, signature verified: {}\n" {
		t.Errorf("status %d, printed %q", w.Code, out.String())
	}
}

// webhooksOf opens the webhook service of an empty state database, with one partner.
func webhooksOf(t *testing.T, a *app) (hooks *webhooks.Service, partner string) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	stores, err := stores.Open(t.Context(), filepath.Join(t.TempDir(), state.DatabaseFileName), a.now, a.random, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stores.Close(); err != nil {
			t.Error(err)
		}
	})
	p, err := stores.Keys.CreatePartner(t.Context(), "Example")
	if err == nil {
		hooks, err = stores.OpenWebhooks(t.Context(), nil, true, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return hooks, p.ID
}

// TestReceiverSubscribes: the receiver takes the place of those of earlier sandboxes, leaves the partner's
// other webhooks, and asks for a test message.
func TestReceiverSubscribes(t *testing.T) {
	a := &app{stdout: &bytes.Buffer{}, now: time.Now, random: rand.Reader}
	hooks, partner := webhooksOf(t, a)
	const other = "https://127.0.0.1:9/other"
	if _, _, err := hooks.CreateEndpoint(t.Context(), partner, api.NewWebhook{URL: other}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := a.newReceiver()
		if err != nil {
			t.Fatal(err)
		}
		defer r.listener.Close()
		if err := r.subscribe(t.Context(), hooks, partner); err != nil || r.secret.Load() == nil {
			t.Fatalf("subscribed with the secret %v: %v", r.secret.Load(), err)
		}
		list, err := hooks.ListEndpoints(t.Context(), partner)
		if err != nil {
			t.Fatal(err)
		}
		var addresses []string
		for _, e := range list {
			addresses = append(addresses, e.URL)
			deliveries, err := hooks.ListDeliveries(t.Context(), partner, e.ID, "", 10)
			if isOurs := e.URL != other; err != nil || (len(deliveries) == 1) != isOurs {
				t.Errorf("%s has %d messages, %v", e.URL, len(deliveries), err)
			}
		}
		slices.Sort(addresses)
		want := []string{other, "https://" + r.listener.Addr().String() + "/events"}
		slices.Sort(want)
		if !slices.Equal(addresses, want) {
			t.Errorf("the webhooks are %q, want %q", addresses, want)
		}
	}
}

// TestReceiverIsNotSubscribed: an error of the webhook service is returned, and no secret is kept.
func TestReceiverIsNotSubscribed(t *testing.T) {
	a := &app{stdout: &bytes.Buffer{}, now: time.Now, random: rand.Reader}
	hooks, partner := webhooksOf(t, a)
	r, err := a.newReceiver()
	if err != nil {
		t.Fatal(err)
	}
	defer r.listener.Close()
	ended, end := context.WithCancel(t.Context())
	end()
	if err := r.subscribe(ended, hooks, partner); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "list endpoints: ") {
		t.Errorf("webhooks that cannot be listed: %v", err)
	}
	for n := 0; err == nil; n++ { // until the partner may have no more
		_, _, err = hooks.CreateEndpoint(t.Context(), partner, api.NewWebhook{URL: fmt.Sprint("https://127.0.0.1:9/", n)})
	}
	if got := r.subscribe(t.Context(), hooks, partner); got == nil || got.Error() != err.Error() {
		t.Errorf("one webhook too many: %v, want %v", got, err)
	}
	if r.secret.Load() != nil {
		t.Error("there is a secret")
	}
}
