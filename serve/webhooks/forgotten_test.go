package webhooks

import (
	"testing"
	"time"

	"labour/serve/state"
)

// A test message that still waits to be delivered keeps its event, however old it is: only those
// that every delivery has ended are forgotten.
func TestWaitingTestMessagesAreKept(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		e, _ := f.endpoint("https://example.com/")
		ended, err := f.SendTest(t.Context(), "ptn_a", e.ID)
		if err != nil {
			t.Fatal(err)
		}
		waits, err := f.SendTest(t.Context(), "ptn_a", e.ID)
		if err != nil {
			t.Fatal(err)
		}
		const end = `UPDATE webhook_deliveries SET status = 'delivered', ended_at = $2 WHERE id = $1`
		if _, err := f.db.Exec(end, ended.ID, state.UnixSeconds(f.clock.now())); err != nil {
			t.Fatal(err)
		}
		f.clock.pass(100 * 24 * time.Hour)
		if err := f.PruneDeliveries(t.Context(), f.clock.now()); err != nil {
			t.Fatal(err)
		}
		for event, want := range map[string]int{ended.EventID: 0, waits.EventID: 1} {
			var events int
			err := f.db.QueryRow(`SELECT COUNT(*) FROM webhook_events WHERE id = $1 AND payload <> ''`, event).Scan(
				&events)
			if err != nil || events != want {
				t.Errorf("%d events with a payload, want %d; %v", events, want, err)
			}
		}
	})
}
