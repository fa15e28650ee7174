package webhooks

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/serve/api"
	"labour/serve/state/statetest"
)

// An event goes to every enabled endpoint that asked for its type, of its own
// partner or, if it belongs to none, of every partner.
func TestWhoIsTold(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		ctx, f := t.Context(), newFixture(t, address, nil)
		make := func(partner, url string, types ...string) string {
			t.Helper()
			e, _, err := f.CreateEndpoint(ctx, partner, api.NewWebhook{URL: url, EventTypes: types})
			if err != nil {
				t.Fatal(err)
			}
			return e.ID
		}
		a, clicks := make("ptn_a", "https://example.com/a"), make("ptn_a", "https://example.com/c", ClickRecorded)
		b, off := make("ptn_b", "https://example.com/b"), make("ptn_b", "https://example.com/o")
		if _, err := f.ChangeEndpoint(ctx, "ptn_b", off, api.WebhookChange{Enabled: ptr(false)}); err != nil {
			t.Fatal(err)
		}
		event := func(id string, kind string, partner string) Event {
			return Event{ID: id, Type: kind, Partner: partner, At: f.clock.now()}
		}
		f.publish(event("1", ClickRecorded, ""), event("2", OpportunityPublished, ""),
			event("3", ClickRecorded, "Partner A"),
			event("4", OutcomeRecorded, "Partner B"), event("5", ClickRecorded, "Nobody"))
		for _, tt := range []struct{ partner, endpoint, want string }{
			{"ptn_a", a, "1 2 3"}, {"ptn_a", clicks, "1 3"}, {"ptn_b", b, "1 2 4"}, {"ptn_b", off, ""},
		} {
			log, err := f.ListDeliveries(ctx, tt.partner, tt.endpoint, "", MaxListedDeliveries)
			if err != nil {
				t.Fatal(err)
			}
			told := map[string]bool{}
			for _, d := range log {
				told[d.EventID] = true
			}
			if want := strings.Fields(tt.want); len(told) != len(want) || len(log) != len(want) {
				t.Errorf("%s was told %v, want %v", tt.endpoint, told, want)
			}
			for _, id := range strings.Fields(tt.want) {
				if !told[id] {
					t.Errorf("%s was not told %s", tt.endpoint, id)
				}
			}
		}
	})
}

// Publishing again, also by several servers at once and after pruning, makes no
// second delivery; an endpoint that came later gets nothing old.
func TestPublishOnce(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		one, other := newFixture(t, address, nil), newFixture(t, address, nil)
		e, _ := one.endpoint("https://example.com/")
		events := clicks(batchSize + 50)
		var total int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, f := range []*fixture{one, other, one, other} {
			wg.Go(func() {
				n, err := f.Publish(t.Context(), events)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				total += n
			})
		}
		wg.Wait()
		late, _ := one.endpoint("https://example.com/late")
		if n, err := one.Publish(t.Context(), events); n != 0 || err != nil || total != len(events) {
			t.Errorf("%d and then %d published, %v", total, n, err)
		}
		if n, err := one.CountPendingDeliveries(t.Context()); err != nil || n != int64(len(events)) {
			t.Errorf("%d deliveries wait, %v", n, err)
		}
		if got := one.deliveries(late.ID); len(got) != 0 {
			t.Errorf("old events for a new endpoint: %v", got)
		}
		if err := one.DeleteEndpoint(t.Context(), "ptn_a", e.ID); err != nil {
			t.Fatal(err)
		}
		if n, err := one.CountPendingDeliveries(t.Context()); err != nil || n != 0 {
			t.Errorf("%d deliveries of a deleted endpoint wait, %v", n, err)
		}
	})
}

func TestPrune(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t, status(200), status(500))
		ctx, f := t.Context(), newFixture(t, address, r.trust)
		e, _ := f.endpoint(r.URL)
		f.publish(click("old"))
		f.due(f.deliveries(e.ID)[0].ID)
		f.clock.pass(time.Second)
		f.publish(click("waits"))
		f.due(f.deliveries(e.ID)[0].ID)
		if err := f.PruneDeliveries(ctx, f.clock.now()); err != nil {
			t.Fatal(err)
		}
		if log := f.deliveries(e.ID); len(log) != 1 || ended(log[0]) != "pending 500status" {
			t.Errorf("%+v", log)
		}
		for id, want := range map[string]bool{"old": false, "waits": true} {
			var payload string
			if err := f.db.QueryRow(`SELECT payload FROM webhook_events WHERE id = $1`, id).Scan(
				&payload); err != nil || (payload != "") != want {
				t.Errorf("%s: payload %q, %v", id, payload, err)
			}
		}
		if n, err := f.Publish(ctx, []Event{click("old")}); n != 0 || err != nil {
			t.Errorf("published a second time: %d, %v", n, err)
		}
	})
}

func TestPublishRefusesAll(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	good := click("ev-1")
	bad := []Event{{}, click("a b"), click("ümlaut"), click(strings.Repeat("x", 201)), click("line\nbreak"),
		click("ev-2"), click("ev-3"), click("ev-4")}
	bad[5].Type, bad[6].At, bad[7].Data.Outcome = TestEventType, time.Time{}, ptr("dismissed")
	for _, e := range bad {
		if n, err := f.Publish(t.Context(), []Event{good, e}); n != 0 || err == nil {
			t.Errorf("%+v: %d published, %v", e, n, err)
		}
	}
	if n, err := f.Publish(t.Context(), []Event{good}); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if err := f.db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Publish(t.Context(), []Event{click("ev-9")}); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("on a closed database: %v", err)
	}
}

// A batch of events for ten endpoints.
func BenchmarkPublish(b *testing.B) {
	for name, address := range map[string]string{"sqlite": statetest.SQLitePath(b),
		"postgres": stores.PostgresAddress(b)} {
		b.Run(name, func(b *testing.B) {
			f := newFixture(b, address, nil)
			for i := range 10 {
				f.endpoint(fmt.Sprintf("https://example.com/%d/%d", b.N, i))
			}
			made := 0
			for b.Loop() {
				events := clicks(batchSize)
				for i := range events {
					events[i].ID = fmt.Sprintf("ev-%d-%d", b.N, made)
					made++
				}
				f.publish(events...)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(made), "µs/event")
		})
	}
}

// One attempt from the look-up to the log, with the receiver in this process.
func BenchmarkDeliver(b *testing.B) {
	r := newReceiver(b)
	f := newFixture(b, statetest.SQLitePath(b), r.trust)
	e, _ := f.endpoint(r.URL)
	for b.Loop() {
		b.StopTimer()
		d, err := f.SendTest(b.Context(), "ptn_a", e.ID)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		f.due(d.ID)
	}
}
