package webhooks

import (
	"testing"
	"time"

	"labour/serve/api"
	"labour/serve/state/statetest"
)

// An error of the database says what was being done, so that one line of the log is enough.
func TestErrorsOfTheDatabaseSayWhatWasDone(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	if err := f.db.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	statetest.CheckErrorPrefixes(t, map[string]func() error{
		"create an endpoint: ": func() error {
			_, _, err := f.CreateEndpoint(ctx, "ptn_a", api.NewWebhook{URL: "https://127.0.0.1/hook"})
			return err
		},
		"list endpoints: ": func() error { _, err := f.ListEndpoints(ctx, "ptn_a"); return err },
		"endpoint whe_1: ": func() error { _, err := f.FindEndpoint(ctx, "ptn_a", "whe_1"); return err },
		"change endpoint whe_1": func() error {
			_, err := f.ChangeEndpoint(ctx, "ptn_a", "whe_1", api.WebhookChange{})
			return err
		},
		"delete endpoint whe_1": func() error { return f.DeleteEndpoint(ctx, "ptn_a", "whe_1") },
		"rotate the secret of endpoint whe_1: ": func() error {
			_, err := f.RotateSecret(ctx, "ptn_a", "whe_1", time.Hour)
			return err
		},
		"read the secrets of endpoint whe_1: ": func() error { _, err := f.validSecrets(ctx, "whe_1"); return err },
		"list the deliveries of whe_1: endpoint whe_1: ": func() error {
			_, err := f.ListDeliveries(ctx, "ptn_a", "whe_1", "", 10)
			return err
		},
		"redeliver whd_1: ":          func() error { _, err := f.Redeliver(ctx, "ptn_a", "whe_1", "whd_1"); return err },
		"test endpoint whe_1: ":      func() error { _, err := f.SendTest(ctx, "ptn_a", "whe_1"); return err },
		"delivery whd_1: ":           func() error { return f.deliver(ctx, "whd_1") },
		"record attempt 1: ":         func() error { return f.record(ctx, task{}, outcome{}) },
		"publish events: ":           func() error { _, err := f.Publish(ctx, []Event{click("ev-1")}); return err },
		"prune deliveries: ":         func() error { return f.PruneDeliveries(ctx, f.clock.now()) },
		"count waiting deliveries: ": func() error { _, err := f.CountPendingDeliveries(ctx); return err },
	})
}
