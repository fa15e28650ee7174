package webhooks

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"labour/serve/api"
	"labour/serve/state/statetest"
)

// TestNoStatementFailsUnseen lets each statement of each call fail in turn: the call ends with the
// error, and leaves nothing half done, so that it succeeds once its statements do.
func TestNoStatementFailsUnseen(t *testing.T) {
	r := newReceiver(t, status(http.StatusInternalServerError))
	db, faults := statetest.OpenWithFaultInjector(t)
	f := fixtureOn(t, db, r.trust)
	ctx := t.Context()
	faults.FailEachStatement(t, "New", func() error {
		_, err := New(ctx, Options{DB: db, Now: f.clock.now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
		return err
	})
	var e api.WebhookEndpoint
	faults.FailEachStatement(t, "Create", func() (err error) {
		e, _, err = f.CreateEndpoint(ctx, "ptn_a", api.NewWebhook{URL: r.URL, EventTypes: []string{ClickRecorded}})
		return err
	})
	faults.FailEachStatement(t, "Publish", func() error {
		_, err := f.Publish(ctx, []Event{click("ev-1"), click("ev-2")})
		return err
	})
	var log []api.WebhookDelivery
	faults.FailEachStatement(t, "Deliveries", func() (err error) {
		log, err = f.ListDeliveries(ctx, "ptn_a", e.ID, "", MaxListedDeliveries)
		return err
	})
	if len(log) != 2 {
		t.Fatalf("deliveries of two events: %+v", log)
	}
	for _, call := range []struct {
		what string
		do   func() error
	}{
		{"Get", func() error { _, err := f.FindEndpoint(ctx, "ptn_a", e.ID); return err }},
		{"List", func() error { _, err := f.ListEndpoints(ctx, "ptn_a"); return err }},
		{"Patch", func() error {
			_, err := f.ChangeEndpoint(ctx, "ptn_a", e.ID, api.WebhookChange{Description: ptr("ours")})
			return err
		}},
		{"Backlog", func() error { _, err := f.CountPendingDeliveries(ctx); return err }},
		{"RotateSecret", func() error { _, err := f.RotateSecret(ctx, "ptn_a", e.ID, time.Hour); return err }},
		{"SendTest", func() error { _, err := f.SendTest(ctx, "ptn_a", e.ID); return err }},
		{"Redeliver", func() error { _, err := f.Redeliver(ctx, "ptn_a", e.ID, log[0].ID); return err }},
		{"deliver", func() error { return f.deliver(ctx, log[1].ID) }},
		{"Prune", func() error { return f.PruneDeliveries(ctx, f.clock.now()) }},
	} {
		faults.FailEachStatement(t, call.what, call.do)
	}
	// The two events, one test message and one that was sent again.
	if log := f.deliveries(e.ID); len(log) != 4 {
		t.Errorf("%d deliveries: %+v", len(log), log)
	}
	faults.FailEachStatement(t, "Delete", func() error { return f.DeleteEndpoint(ctx, "ptn_a", e.ID) })
}
