package webhooks

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
)

// attemptAll makes the attempts of a delivery, each when it is due, until there is no further one.
func (f *fixture) attemptAll(delivery string) {
	f.t.Helper()
	for sleep := f.due(delivery); sleep > 0; sleep = f.due(delivery) {
		f.clock.pass(sleep)
	}
}

// newest returns the newest delivery to an endpoint of partner A.
func (f *fixture) newest(endpoint string) api.WebhookDelivery {
	f.t.Helper()
	return f.deliveries(endpoint)[0]
}

// stored returns an endpoint of partner A as it is stored now.
func (f *fixture) stored(endpoint string) api.WebhookEndpoint {
	f.t.Helper()
	e, err := f.FindEndpoint(f.t.Context(), "ptn_a", endpoint)
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

// onFailingEndpoint runs a test on every kind of database, with an endpoint of partner A whose receiver
// answers every message with status 500.
func onFailingEndpoint(t *testing.T, test func(t *testing.T, f *fixture, e api.WebhookEndpoint, r *receiver)) {
	t.Helper()
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t, status(500))
		f := newFixture(t, address, r.trust)
		e, _ := f.endpoint(r.URL)
		test(t, f, e, r)
	})
}

// TestIdleEndpointIsNotDisabled checks that one failed attempt after weeks without events does not
// disable an endpoint whose last delivery failed, too. Its events get all their attempts.
func TestIdleEndpointIsNotDisabled(t *testing.T) {
	onFailingEndpoint(t, func(t *testing.T, f *fixture, e api.WebhookEndpoint, r *receiver) {
		f.publish(click("x1"))
		f.attemptAll(f.newest(e.ID).ID)
		f.clock.pass(25 * 24 * time.Hour)
		f.publish(click("x2"))
		second, start := f.newest(e.ID).ID, f.clock.now()
		if f.due(second) == 0 {
			t.Error("the second event is not sent again")
		}
		if got := f.stored(e.ID); !got.Enabled || !got.FailingSince.T.Equal(start) {
			t.Fatalf("after one failure, at %v: %+v", start, got)
		}
		f.clock.pass(time.Minute)
		f.attemptAll(second)
		if got, want := ended(f.newest(e.ID)), "failed"+strings.Repeat(" 500status", len(retries())+1); got != want {
			t.Errorf("the second event: %s, want %s", got, want)
		}
		f.publish(click("x3"))
		f.due(f.newest(e.ID).ID)
		if got := r.messages(); got[len(got)-1].id != "x3" {
			t.Error("the third event is not sent")
		}
		if got := f.stored(e.ID); !got.Enabled || !got.FailingSince.T.Equal(start) {
			t.Errorf("after the second event, failing since %v: %+v", start, got)
		}
	})
}

// TestForgottenAttemptsEndASeries checks that an endpoint is idle when its earlier attempts have
// been deleted.
func TestForgottenAttemptsEndASeries(t *testing.T) {
	onFailingEndpoint(t, func(t *testing.T, f *fixture, e api.WebhookEndpoint, _ *receiver) {
		f.publish(click("x1"))
		f.attemptAll(f.newest(e.ID).ID)
		f.clock.pass(DeliveryRetention + time.Second)
		if err := f.PruneDeliveries(t.Context(), f.clock.now().Add(-DeliveryRetention)); err != nil {
			t.Fatal(err)
		}
		f.publish(click("x2"))
		f.due(f.newest(e.ID).ID)
		if got := f.stored(e.ID); !got.Enabled || !got.FailingSince.T.Equal(f.clock.now()) {
			t.Errorf("after one failure, at %v: %+v", f.clock.now(), got)
		}
	})
}

// TestSeriesEndsAfterIdleTime checks the second at which a series of failures ends without an
// attempt. Attempts of another endpoint do not continue it.
func TestSeriesEndsAfterIdleTime(t *testing.T) {
	onFailingEndpoint(t, func(t *testing.T, f *fixture, e api.WebhookEndpoint, r *receiver) {
		other, _ := f.endpoint(r.URL+"/other", OutcomeRecorded)
		fail := func(event Event, endpoint string) {
			t.Helper()
			f.publish(event)
			f.due(f.newest(endpoint).ID)
		}
		start := f.clock.now()
		fail(click("ev-1"), e.ID)
		f.clock.pass(idleAfter - time.Second)
		fail(click("ev-2"), e.ID)
		if got := f.stored(e.ID); !got.FailingSince.T.Equal(start) {
			t.Errorf("a second before the idle time: %+v, want failing since %v", got, start)
		}
		f.clock.pass(idleAfter - time.Hour)
		outcome := Event{ID: "ev-3", Type: OutcomeRecorded, At: start, Partner: "Partner A"}
		fail(outcome, other.ID)
		f.clock.pass(time.Hour)
		fail(click("ev-4"), e.ID)
		if got := f.stored(e.ID); !got.FailingSince.T.Equal(f.clock.now()) {
			t.Errorf("after the idle time: %+v, want failing since %v", got, f.clock.now())
		}
	})
}

// TestContinuousFailureDisables checks that an endpoint with an event every day is disabled by the
// first attempt that fails five days after the first one.
func TestContinuousFailureDisables(t *testing.T) {
	onFailingEndpoint(t, func(t *testing.T, f *fixture, e api.WebhookEndpoint, _ *receiver) {
		start := f.clock.now()
		for _, event := range []string{"day-0", "day-1", "day-2", "day-3", "day-4"} {
			f.publish(click(event))
			f.due(f.newest(e.ID).ID)
			if got := f.stored(e.ID); !got.Enabled || !got.FailingSince.T.Equal(start) {
				t.Fatalf("%s, failing since %v: %+v", event, start, got)
			}
			f.clock.pass(24 * time.Hour)
		}
		f.publish(click("day-5"))
		f.due(f.newest(e.ID).ID)
		got := f.stored(e.ID)
		if got.Enabled || *got.DisabledReason != DisabledByFailures || !got.FailingSince.T.Equal(start) {
			t.Errorf("after five days, failing since %v: %+v", start, got)
		}
	})
}

// An attempt that was under way when the endpoint was disabled keeps the time and the reason of that.
func TestADisabledEndpointKeepsItsReason(t *testing.T) {
	onFailingEndpoint(t, func(t *testing.T, f *fixture, e api.WebhookEndpoint, _ *receiver) {
		disable := func(reason string) {
			t.Helper()
			err := f.db.Transact(t.Context(), func(tx *sql.Tx) error { return f.disable(t.Context(), tx, e.ID, reason) })
			if err != nil {
				t.Fatal(err)
			}
		}
		at := f.clock.now()
		disable(DisabledByPartner)
		f.clock.pass(time.Minute)
		disable(DisabledByFailures)
		if got := f.stored(e.ID); *got.DisabledReason != DisabledByPartner || !got.DisabledAt.T.Equal(at) {
			t.Errorf("disabled at %v as %q, want at %v by the partner", got.DisabledAt.T, *got.DisabledReason, at)
		}
	})
}
