package webhooks

import (
	"crypto/rand"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"labour/serve/api"
	"labour/serve/state/statetest"
)

// Without random bytes neither ids nor secrets are made, and nothing is stored.
func TestNothingIsMadeWithoutRandomness(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://127.0.0.1/hooks")
	f.publish(click("ev-1"))
	delivery := f.deliveries(e.ID)[0].ID
	broken := errors.New("no randomness")
	for name, call := range map[string]func() error{
		"Create": func() error {
			_, _, err := f.CreateEndpoint(t.Context(), "ptn_a", api.NewWebhook{URL: "https://127.0.0.1/other"})
			return err
		},
		"RotateSecret": func() error { _, err := f.RotateSecret(t.Context(), "ptn_a", e.ID, 0); return err },
		"SendTest":     func() error { _, err := f.SendTest(t.Context(), "ptn_a", e.ID); return err },
		"Redeliver":    func() error { _, err := f.Redeliver(t.Context(), "ptn_a", e.ID, delivery); return err },
		"Publish":      func() error { _, err := f.Publish(t.Context(), []Event{click("ev-2")}); return err },
	} {
		failed := 0
		for bytesLeft := int64(0); bytesLeft < 60; bytesLeft += 5 {
			f.random = io.MultiReader(io.LimitReader(rand.Reader, bytesLeft), iotest.ErrReader(broken))
			err := call()
			if err == nil {
				break
			}
			if failed++; !errors.Is(err, broken) {
				t.Errorf("%s with %d random bytes: %v", name, bytesLeft, err)
			}
		}
		if failed == 0 {
			t.Errorf("%s needs no randomness", name)
		}
	}
	f.random = rand.Reader
	if list, err := f.ListEndpoints(t.Context(), "ptn_a"); err != nil || len(list) > 2 {
		t.Errorf("%d endpoints are stored (%v), want the first and the last at most", len(list), err)
	}
}

func TestDescriptionsAreTexts(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		strings.Repeat("é", 200): "",
		strings.Repeat("é", 201): "description: give at most 200 characters",
		"a\xff":                  "description: give text in UTF-8",
		"a\x00":                  "description: leave out the character U+0000",
	} {
		err := checkDescription(text)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A message that cannot be signed or addressed is a fault of this server, which discloses no secret
// and counts as no attempt.
func TestMessagesThatCannotBeMade(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	at := f.clock.now()
	if _, err := sign(t.Context(), task{url: "https://a b/"}, nil, at); err == nil ||
		!strings.HasPrefix(err.Error(), "make a request: ") {
		t.Errorf("a broken address: %v", err)
	}
	bad := task{url: "https://127.0.0.1/", event: "ev-1", body: "{}"}
	if _, err := sign(t.Context(), bad, []string{"whsec_geheim!"}, at); err == nil ||
		err.Error() != "a webhook secret cannot be used" {
		t.Errorf("a broken secret: %v", err)
	}
	if o, err := f.send(t.Context(), bad, []string{"whsec_geheim!"}); err == nil || o.status != 0 {
		t.Errorf("a broken secret: %+v, %v", o, err)
	}
	e, _ := f.endpoint("https://127.0.0.1/hooks")
	f.publish(click("ev-1"))
	if _, err := f.db.Exec(`DELETE FROM webhook_secrets`); err != nil {
		t.Fatal(err)
	}
	id := f.deliveries(e.ID)[0].ID
	if err := f.deliver(t.Context(), id); err == nil ||
		err.Error() != "delivery "+id+": read the secrets of endpoint "+e.ID+": it has none" {
		t.Errorf("without a secret: %v", err)
	}
	if d := f.deliveries(e.ID)[0]; len(d.Attempts) != 0 || d.Status != StatusPending {
		t.Errorf("%+v, want no attempt", d)
	}
}

// Only an address of this machine may be called without TLS, and only if the operator allows it.
func TestAddressesWithoutTLS(t *testing.T) {
	for _, c := range []struct {
		loopback bool
		address  string
		want     bool
	}{
		{true, "http://127.0.0.1/", true}, {true, "http://[::1]:80/", true}, {false, "http://127.0.0.1/", false},
		{true, "https://127.0.0.1/", false}, {true, "ftp://127.0.0.1/", false}, {true, "http://10.0.0.1/", false},
		{true, "http://localhost/", false},
	} {
		u, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := (guard{loopback: c.loopback}).plain(u); got != c.want {
			t.Errorf("%s with loopback allowed %v: %v, want %v", c.address, c.loopback, got, c.want)
		}
	}
}

// A new delivery is looked for at once, and tells its event.
func TestNewDeliveriesWakeTheWorkers(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://127.0.0.1/hooks")
	awake := func() bool {
		select {
		case <-f.wake:
			return true
		default:
			return false
		}
	}
	test, err := f.SendTest(t.Context(), "ptn_a", e.ID)
	if err != nil || !awake() || test.EventType != TestEventType || test.Status != StatusPending {
		t.Errorf("a test message: %+v, %v", test, err)
	}
	again, err := f.Redeliver(t.Context(), "ptn_a", e.ID, test.ID)
	if err != nil || !awake() || again.EventType != TestEventType || again.EventID != test.EventID || again.ID == test.ID {
		t.Errorf("the message again: %+v, %v", again, err)
	}
	if n, err := f.Publish(t.Context(), []Event{click("ev-1")}); err != nil || n != 1 || !awake() {
		t.Errorf("%d events, %v", n, err)
	}
	if awake() {
		t.Error("the workers are woken twice")
	}
	if err := f.db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.record(t.Context(), task{attempts: 2}, outcome{}); err == nil ||
		!strings.HasPrefix(err.Error(), "record attempt 3: ") {
		t.Errorf("the third attempt: %v", err)
	}
}
