package webhooks

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"labour/serve/api"
	"labour/serve/state/statetest"
)

// ended is a delivery's fate: status, and status and fault of each attempt.
func ended(d api.WebhookDelivery) string {
	text := string(d.Status)
	for _, a := range d.Attempts {
		status, fault := 0, FaultNone
		if a.HTTPStatus != nil {
			status = *a.HTTPStatus
		}
		if a.Fault != nil {
			fault = *a.Fault
		}
		text += " " + strconv.Itoa(status) + fault
	}
	return text
}

func TestMessageIsWhatTheContractSays(t *testing.T) {
	r := newReceiver(t)
	f := newFixture(t, statetest.SQLitePath(t), r.trust)
	e, secret := f.endpoint(r.URL + "/hooks?a=b")
	f.publish(Event{ID: "ev-1", Type: OutcomeRecorded, Partner: "Partner A",
		At:   time.Date(2026, 10, 20, 9, 0, 0, 5, time.FixedZone("", 3600)),
		Data: api.EventData{Advert: ptr("ad<1>"), Borough: ptr("camden"), Outcome: ptr("turned_down")}})
	f.clock.pass(90 * time.Second)
	f.due(f.deliveries(e.ID)[0].ID)
	got := r.messages()
	if len(got) != 1 {
		t.Fatalf("%d messages", len(got))
	}
	want := `{"id":"ev-1","type":"outcome.recorded","timestamp":"2026-10-20T08:00:00Z","data":{"advert":"ad<1>",` +
		`"borough":"camden","outcome":"turned_down"}}`
	if diff := cmp.Diff(want, got[0].body); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"webhook-id": "ev-1", "content-type": "application/json",
		"user-agent":        userAgent,
		"webhook-timestamp": strconv.FormatInt(f.clock.now().Unix(), 10)} {
		if h := got[0].header.Get(name); h != want {
			t.Errorf("%s: %q, want %q", name, h, want)
		}
	}
	verify(t, got[0], secret)
	got[0].body = strings.Replace(got[0].body, "camden", "barnet", 1)
	w, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if w.VerifyIgnoringTimestamp([]byte(got[0].body), got[0].header) == nil {
		t.Error("a changed message verifies")
	}
}

func TestFaultsOfReceivers(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "https://" + closed.Addr().String()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	elsewhere := newReceiver(t)
	hang := func(w http.ResponseWriter, _ *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			c.Close()
		}
	}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		url    string // instead of the receiver's
		want   string
	}{
		{"ok", status(200), "", "delivered 200"},
		{"accepted", status(202), "", "delivered 202"},
		{"client error", status(404), "", "pending 404status"},
		{"server error", status(503), "", "pending 503status"},
		{"redirect", status(307, "Location: "+elsewhere.URL), "", "pending 307redirect"},
		{"gone", status(410), "", "cancelled 410status"},
		{"slow", silent, "", "pending 0timeout"},
		{"hangs up", hang, "", "pending 0network"},
		{"refused", nil, refused, "pending 0connection_refused"},
		{"other certificate", nil, strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1), "pending 0tls"},
		{"no such name", nil, "https://nowhere.invalid/", "pending 0address_refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newReceiver(t, tt.answer)
			f := newFixture(t, statetest.SQLitePath(t), func(o *Options) {
				r.trust(o)
				if tt.name == "slow" { // the others answer in time, however busy the machine is
					o.timeout = 200 * time.Millisecond
				}
			})
			if tt.url == "" {
				tt.url = r.URL
			}
			e, _ := f.endpoint(tt.url)
			f.publish(click("ev-1"))
			f.due(f.deliveries(e.ID)[0].ID)
			if got := ended(f.deliveries(e.ID)[0]); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	if got := elsewhere.messages(); len(got) > 0 {
		t.Errorf("a redirect was followed: %v", got)
	}
}

// A receiver that fails and then recovers gets the same message, whole, with the
// same id; waits follow the plan or Retry-After, whichever is later.
func TestTriesAgain(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t, status(500), status(429, "Retry-After: 7200"),
			status(503, "Retry-After: Fri, 20 Nov 2026 06:00:01 GMT"), status(200))
		f := newFixture(t, address, r.trust)
		e, secret := f.endpoint(r.URL)
		f.publish(click("ev-1"))
		id := f.deliveries(e.ID)[0].ID
		for i, least := range []time.Duration{4 * time.Second, 7200 * time.Second, 24 * time.Minute} {
			before := f.clock.now()
			sleep := f.due(id)
			if sleep < least || sleep > 2*least {
				t.Errorf("wait %d is %v, want %v or a little more", i+1, sleep, least)
			}
			f.clock.pass(sleep / 2) // the queue may ask too early
			if left := f.due(id); left <= 0 || left > sleep/2 {
				t.Errorf("asked at half of %v, %v are left", sleep, left)
			}
			f.clock.pass(before.Add(sleep).Sub(f.clock.now()))
		}
		if sleep := f.due(id); sleep != 0 {
			t.Errorf("delivered, and again in %v", sleep)
		}
		if got, want := ended(f.deliveries(e.ID)[0]), "delivered 500status 429status 503status 200"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		f.due(id) // a server that was killed before it told the queue
		got := r.messages()
		if len(got) != 4 {
			t.Fatalf("%d messages", len(got))
		}
		for _, m := range got {
			if verify(t, m, secret); m.id != "ev-1" || m.body != got[0].body {
				t.Errorf("message %+v differs from the first", m)
			}
		}
		if e, err := f.FindEndpoint(t.Context(), "ptn_a", e.ID); err != nil || e.FailingSince.T != nil {
			t.Errorf("still failing: %+v, %v", e, err)
		}
	})
}

// A delivery is given up after about three days; the endpoint is disabled by the
// first failure that is five days after the first one, not earlier, and what
// waits for it is cancelled.
func TestGivesUp(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t, status(500))
		f := newFixture(t, address, r.trust)
		e, _ := f.endpoint(r.URL)
		f.publish(click("ev-1"))
		first, start := f.deliveries(e.ID)[0].ID, f.clock.now()
		for sleep := f.due(first); sleep > 0; sleep = f.due(first) {
			f.clock.pass(sleep)
		}
		took := f.clock.now().Sub(start)
		if days := took.Hours() / 24; days < 2.3 || days > 3.7 {
			t.Errorf("given up after %.2f days", days)
		}
		if got := f.deliveries(e.ID)[0]; got.Status != StatusFailed || len(got.Attempts) != len(retries())+1 ||
			got.EndedAt.T == nil {
			t.Errorf("%+v", got)
		}
		f.publish(click("ev-2"), click("ev-3"), click("ev-4"))
		waiting := f.deliveries(e.ID)
		f.clock.pass(24 * time.Hour)
		f.due(waiting[2].ID) // less than two days after the last attempt, so the series goes on
		f.clock.pass(disableAfter - took - 24*time.Hour - time.Second)
		f.due(waiting[0].ID)
		if e, err := f.FindEndpoint(t.Context(), "ptn_a", e.ID); err != nil || !e.Enabled || !e.FailingSince.T.Equal(start) {
			t.Fatalf("before five days: %+v, %v", e, err)
		}
		f.clock.pass(time.Minute)
		f.due(waiting[0].ID)
		if e, err := f.FindEndpoint(t.Context(), "ptn_a", e.ID); err != nil || e.Enabled ||
			*e.DisabledReason != DisabledByFailures ||
			!e.DisabledAt.T.Equal(f.clock.now()) {
			t.Fatalf("after five days: %+v, %v", e, err)
		}
		sent := len(r.messages())
		f.due(waiting[1].ID)
		if got := f.deliveries(e.ID); len(r.messages()) != sent ||
			!slices.ContainsFunc(got, func(d api.WebhookDelivery) bool { return ended(d) == "cancelled" }) {
			t.Errorf("a disabled endpoint: %+v", got)
		}
		if !strings.Contains(f.log.String(), e.ID) {
			t.Error("the operator is not told")
		}
	})
}

func TestGoneDisables(t *testing.T) {
	r := newReceiver(t, status(410), status(200))
	f := newFixture(t, statetest.SQLitePath(t), r.trust)
	e, _ := f.endpoint(r.URL)
	f.publish(click("ev-1"), click("ev-2"))
	for _, d := range f.deliveries(e.ID) {
		f.due(d.ID)
	}
	f.publish(click("ev-3"))
	if got := f.deliveries(e.ID); len(got) != 2 || got[0].Status != StatusCancelled || got[1].Status != StatusCancelled ||
		len(r.messages()) != 1 {
		t.Errorf("after 410: %+v", got)
	}
	enable := true
	if e, err := f.ChangeEndpoint(t.Context(), "ptn_a", e.ID, api.WebhookChange{Enabled: &enable}); err != nil ||
		!e.Enabled ||
		e.DisabledAt.T != nil {
		t.Fatalf("enabled again: %+v, %v", e, err)
	}
	f.clock.pass(time.Second) // ids of one millisecond are in no order
	again, err := f.Redeliver(t.Context(), "ptn_a", e.ID, f.deliveries(e.ID)[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if f.due(again.ID); ended(f.deliveries(e.ID)[0]) != "delivered 200" {
		t.Errorf("%+v", f.deliveries(e.ID)[0])
	}
}

// Both secrets sign during the grace period, the old one no longer after it.
func TestTwoSecretsSignDuringTheGrace(t *testing.T) {
	r := newReceiver(t)
	f := newFixture(t, statetest.SQLitePath(t), r.trust)
	e, first := f.endpoint(r.URL)
	second, err := f.RotateSecret(t.Context(), "ptn_a", e.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	signedBy := func(event string) (by []string) {
		t.Helper()
		f.publish(click(event))
		f.due(f.deliveries(e.ID)[0].ID)
		m := r.messages()[len(r.messages())-1]
		for _, secret := range []string{first, second} {
			w, err := standardwebhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			if w.VerifyIgnoringTimestamp([]byte(m.body), m.header) == nil {
				by = append(by, secret)
			}
		}
		return by
	}
	if by := signedBy("ev-1"); !slices.Equal(by, []string{first, second}) {
		t.Errorf("signed by %d secrets in the grace period", len(by))
	}
	f.clock.pass(time.Hour)
	if by := signedBy("ev-2"); !slices.Equal(by, []string{second}) {
		t.Errorf("signed by %d secrets after it", len(by))
	}
	// A longer grace at the next rotation does not lengthen the one that runs.
	first = second
	if second, err = f.RotateSecret(t.Context(), "ptn_a", e.ID, time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := f.RotateSecret(t.Context(), "ptn_a", e.ID, time.Hour); err != nil {
		t.Fatal(err)
	}
	f.clock.pass(time.Minute)
	if by := signedBy("ev-3"); !slices.Equal(by, []string{second}) {
		t.Errorf("signed by %d of the old secrets, want the one whose grace is longer", len(by))
	}
	for range 9 {
		if second, err = f.RotateSecret(t.Context(), "ptn_a", e.ID, time.Hour); err != nil {
			t.Fatal(err)
		}
		f.clock.pass(time.Second)
	}
	if by := signedBy("ev-4"); len(by) != 1 {
		t.Error("the newest secret of many does not sign")
	}
	m := r.messages()[len(r.messages())-1]
	if n := len(strings.Fields(m.header.Get("webhook-signature"))); n != maxSecrets {
		t.Errorf("%d signatures", n)
	}
}
