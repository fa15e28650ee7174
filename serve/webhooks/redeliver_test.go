package webhooks

import (
	"errors"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

func TestRedeliver(t *testing.T) {
	r := newReceiver(t, status(500), status(200))
	f := newFixture(t, statetest.SQLitePath(t), r.trust)
	e, secret := f.endpoint(r.URL)
	f.publish(click("ev-1"))
	waits := f.deliveries(e.ID)[0].ID
	f.due(waits)
	f.clock.pass(time.Second)
	d, err := f.Redeliver(t.Context(), "ptn_a", e.ID, waits)
	if err != nil || d.EventID != "ev-1" || d.EventType != ClickRecorded || d.Status != StatusPending {
		t.Fatalf("%+v, %v", d, err)
	}
	f.due(d.ID)
	f.clock.pass(time.Hour)
	if sleep := f.due(waits); sleep != 0 {
		t.Error("the delivery that was replaced goes on")
	}
	got := r.messages()
	if len(got) != 2 || got[1].id != got[0].id || got[1].body != got[0].body {
		t.Errorf("%+v", got)
	}
	verify(t, got[1], secret)
	if log := f.deliveries(e.ID); len(log) != 2 || ended(log[0]) != "delivered 200" ||
		ended(log[1]) != "cancelled 500status" {
		t.Errorf("%+v", log)
	}
	if _, err := f.Redeliver(t.Context(), "ptn_a", e.ID, d.ID); err != nil {
		t.Fatal(err)
	}
	if log := f.deliveries(e.ID); len(log) != 3 || ended(log[1]) != "delivered 200" {
		t.Errorf("what was delivered is no longer so when it is sent again: %+v", log)
	}
}

// A message whose text is no longer stored is not sent again as an empty one, and its delivery goes on as
// it was.
func TestForgottenMessagesAreNotRedelivered(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://example.com/")
	f.publish(click("ev-1"))
	waits := f.deliveries(e.ID)[0].ID
	if _, err := f.db.Exec(`UPDATE webhook_events SET payload = ''`); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Redeliver(t.Context(), "ptn_a", e.ID, waits); !errors.Is(err, ErrNotFound) {
		t.Errorf("it is sent again: %v", err)
	}
	if log := f.deliveries(e.ID); len(log) != 1 || log[0].Status != StatusPending {
		t.Errorf("%+v", log)
	}
}

func TestSendTest(t *testing.T) {
	r := newReceiver(t)
	f := newFixture(t, statetest.SQLitePath(t), r.trust)
	e, secret := f.endpoint(r.URL, OpportunityPublished)
	other, _ := f.endpoint(r.URL + "/other")
	d, err := f.SendTest(t.Context(), "ptn_a", e.ID)
	if err != nil {
		t.Fatal(err)
	}
	f.due(d.ID)
	got := r.messages()
	want := `{"id":"` + d.EventID + `","type":"webhook.test","timestamp":"2026-11-20T06:00:00Z","data":{}}`
	if len(got) != 1 || got[0].body != want || len(f.deliveries(other.ID)) != 0 {
		t.Fatalf("%+v", got)
	}
	verify(t, got[0], secret)
}

// TestLateTestMessagesAreKept: a test message from before the cutoff that was delivered after it stays with its
// delivery.
func TestLateTestMessagesAreKept(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://example.com/")
	if _, err := f.SendTest(t.Context(), "ptn_a", e.ID); err != nil {
		t.Fatal(err)
	}
	f.clock.pass(time.Hour)
	const end = `UPDATE webhook_deliveries SET status = 'delivered', ended_at = $1`
	if _, err := f.db.Exec(end, state.UnixSeconds(f.clock.now())); err != nil {
		t.Fatal(err)
	}
	if err := f.PruneDeliveries(t.Context(), f.clock.now().Add(-time.Minute)); err != nil {
		t.Error(err)
	}
	var events int
	if err := f.db.QueryRow(`SELECT COUNT(*) FROM webhook_events`).Scan(&events); err != nil || events != 1 {
		t.Errorf("%d events are left, %v", events, err)
	}
}

// An endpoint is sent so many test messages an hour, and they leave nothing behind.
func TestTestMessagesAreLimitedAndForgotten(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://example.com/")
	for i := range maxTests {
		if _, err := f.SendTest(t.Context(), "ptn_a", e.ID); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
	if _, err := f.SendTest(t.Context(), "ptn_a", e.ID); !errors.Is(err, ErrTooManyTests) {
		t.Errorf("one too many: %v", err)
	}
	f.clock.pass(time.Hour + time.Second)
	if _, err := f.SendTest(t.Context(), "ptn_a", e.ID); err != nil {
		t.Errorf("an hour later: %v", err)
	}
	if _, err := f.db.Exec(`UPDATE webhook_deliveries SET status = 'delivered', ended_at = created_at`); err != nil {
		t.Fatal(err)
	}
	if err := f.PruneDeliveries(t.Context(), f.clock.now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	var events int
	if err := f.db.QueryRow(`SELECT COUNT(*) FROM webhook_events`).Scan(&events); err != nil || events != 0 {
		t.Errorf("%d events of test messages are left, %v", events, err)
	}
}
