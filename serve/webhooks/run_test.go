package webhooks

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/state/statetest"
)

// Servers that start at once.
func TestStartingTogether(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		var wg sync.WaitGroup
		for range 4 {
			db := statetest.Open(t, address)
			wg.Go(func() {
				o := Options{DB: db, Now: newClock().now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
				if _, err := New(t.Context(), o); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

// run delivers until the test ends or the returned function is called.
func (f *fixture) run() func() {
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	end := sync.OnceFunc(func() {
		stop()
		if err := <-ended; err != nil {
			f.t.Errorf("run: %v", err)
		}
	})
	f.t.Cleanup(end)
	return end
}

// real makes a service that lives in real time, with short waits.
func real(r *receiver) func(*Options) {
	return func(o *Options) {
		r.trust(o)
		o.Now = func() time.Time { return time.Now().UTC() }
		o.poll = 100 * time.Millisecond
		o.retries = slices.Repeat([]time.Duration{20 * time.Millisecond}, 9)
	}
}

// settled waits until nothing waits for an attempt.
func (f *fixture) settled() {
	f.t.Helper()
	for range 2400 {
		n, err := f.CountPendingDeliveries(f.t.Context())
		if err != nil {
			f.t.Fatal(err)
		}
		if n == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	f.t.Fatalf("deliveries still wait: %s", f.log)
}

func clicks(n int) []Event {
	events := make([]Event, n)
	for i := range events {
		events[i] = click(fmt.Sprintf("ev-%04d", i))
	}
	return events
}

// perEvent is how often each event arrived.
func perEvent(messages []received) map[string]int {
	n := map[string]int{}
	for _, m := range messages {
		n[m.id]++
	}
	return n
}

// The queue makes the attempts by itself, over failures.
func TestRunDelivers(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t, status(500), status(502), status(200))
		f := newFixture(t, address, real(r))
		e, secret := f.endpoint(r.URL)
		f.run()
		f.publish(click("ev-1"))
		f.settled()
		if got := ended(f.deliveries(e.ID)[0]); got != "delivered 500status 502status 200" {
			t.Error(got)
		}
		for _, m := range r.messages() {
			verify(t, m, secret)
		}
		if strings.Contains(f.log.String(), strings.TrimPrefix(secret, "whsec_")) {
			t.Error("the secret is in the log")
		}
	})
}

// Two servers that both deliver send each event once.
func TestTwoServersSendOnce(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t)
		one, other := newFixture(t, address, real(r)), newFixture(t, address, real(r))
		one.endpoint(r.URL)
		var both sync.WaitGroup
		for _, f := range []*fixture{one, other} {
			f.run()
			both.Go(func() { // both see the new events
				if _, err := f.Publish(t.Context(), clicks(100)); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		one.settled()
		got := perEvent(r.messages())
		for _, e := range clicks(100) {
			if got[e.ID] != 1 {
				t.Errorf("%s was sent %d times", e.ID, got[e.ID])
			}
		}
	})
}

// The log is pruned by the server that runs.
func TestRunPrunes(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t)
		f := newFixture(t, address, func(o *Options) { r.trust(o); o.poll = 100 * time.Millisecond })
		e, _ := f.endpoint(r.URL)
		f.publish(click("ev-1"))
		f.due(f.deliveries(e.ID)[0].ID)
		f.clock.pass(DeliveryRetention + time.Second)
		f.run()
		for tries := 0; len(f.deliveries(e.ID)) > 0; tries++ {
			if tries == 2400 {
				t.Fatalf("still there: %s", f.log)
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
}

// A server that stops cuts off a slow attempt after its grace, and the attempt
// is not held against the endpoint.
func TestStopIsNoFailureOfTheEndpoint(t *testing.T) {
	begun := make(chan struct{})
	r := newReceiver(t, func(w http.ResponseWriter, r *http.Request) { close(begun); silent(w, r) })
	f := newFixture(t, stores.PostgresAddress(t), func(o *Options) { real(r)(o); o.grace = 100 * time.Millisecond })
	e, _ := f.endpoint(r.URL)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	f.publish(click("ev-1"))
	<-begun
	stop()
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("run: %v", err)
	}
	if d := f.deliveries(e.ID)[0]; d.Status != StatusPending || len(d.Attempts) != 0 {
		t.Errorf("%+v", d)
	}
	if e, err := f.FindEndpoint(t.Context(), "ptn_a", e.ID); err != nil || e.FailingSince.T != nil {
		t.Errorf("%+v, %v", e, err)
	}
}

// An answer of 101 ends the attempt: the body after it is the connection, which no
// deadline ends.
func TestAnAnswerOf101EndsTheAttempt(t *testing.T) {
	release := make(chan struct{})
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		fmt.Fprint(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
		<-release
	})
	t.Cleanup(func() { close(release) })
	f := newFixture(t, statetest.SQLitePath(t), r.trust)
	e, _ := f.endpoint(r.URL)
	f.publish(click("ev-1"))
	attempted := make(chan struct{})
	go func() {
		defer close(attempted)
		f.due(f.deliveries(e.ID)[0].ID)
	}()
	select {
	case <-attempted:
	case <-time.After(2 * time.Minute):
		t.Fatal("the attempt still runs")
	}
	if got := ended(f.deliveries(e.ID)[0]); got != "pending 101status" {
		t.Error(got)
	}
}

// A partner whose endpoints all are slow delays nobody else.
func TestOnePartnerDoesNotDelayAnother(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		release := make(chan struct{})
		slow, good := newReceiver(t, func(http.ResponseWriter, *http.Request) { <-release }), newReceiver(t)
		f := newFixture(t, address, func(o *Options) {
			real(slow)(o)
			o.RootCAs.AddCert(good.Certificate())
			o.timeout, o.grace = time.Minute, time.Millisecond // no attempt ends by itself
		})
		t.Cleanup(func() { close(release) }) // before the receivers close
		for i := range maxEndpoints {
			f.endpoint(fmt.Sprintf("%s/%d", slow.URL, i))
		}
		f.publish(clicks(maxWorkers)...) // enough for every worker, many times over
		victim, _, err := f.CreateEndpoint(t.Context(), "ptn_b", api.NewWebhook{URL: good.URL})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- f.Run(ctx) }()
		defer func() { stop(); <-ended }()
		for len(slow.messages()) < maxPerPartner {
			time.Sleep(25 * time.Millisecond)
		}
		d, err := f.SendTest(t.Context(), "ptn_b", victim.ID)
		if err != nil {
			t.Fatal(err)
		}
		for tries := 0; len(good.messages()) == 0; tries++ {
			if tries == 4800 {
				t.Fatalf("%s was not sent; the other partner has %d attempts under way", d.ID, len(slow.messages()))
			}
			time.Sleep(25 * time.Millisecond)
		}
		if n := len(slow.messages()); n != maxPerPartner {
			t.Errorf("%d attempts of one partner at once, want %d", n, maxPerPartner)
		}
	})
}

// ListDeliveries begin when the database answers again, however long it did not.
func TestRunOutlivesABusyDatabase(t *testing.T) {
	r := newReceiver(t)
	f := newFixture(t, statetest.SQLitePath(t), real(r))
	e, _ := f.endpoint(r.URL)
	f.publish(click("ev-1"))
	if _, err := f.db.Exec(`ALTER TABLE webhook_deliveries RENAME TO away`); err != nil {
		t.Fatal(err)
	}
	f.run()
	for tries := 0; !strings.Contains(f.log.String(), "look for due webhook deliveries"); tries++ {
		if tries == 4800 {
			t.Fatalf("no fault in the log: %s", f.log)
		}
		time.Sleep(25 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond) // five more tries
	if n := strings.Count(f.log.String(), "look for due webhook deliveries"); n != 1 {
		t.Errorf("%d lines in the log within a minute, want 1", n)
	}
	if _, err := f.db.Exec(`ALTER TABLE away RENAME TO webhook_deliveries`); err != nil {
		t.Fatal(err)
	}
	f.settled()
	if got := ended(f.deliveries(e.ID)[0]); got != "delivered 204" {
		t.Error(got)
	}
}

// A revoked partner gets no more messages: neither pending deliveries nor later
// events.
func TestARevokedPartnerGetsNothing(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t)
		f := newFixture(t, address, real(r))
		e, _ := f.endpoint(r.URL)
		f.publish(click("ev-1"))
		keys, err := access.New(t.Context(), f.db, f.clock.now, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := keys.RevokePartner(t.Context(), "Partner A"); err != nil {
			t.Fatal(err)
		}
		if n, err := f.Publish(t.Context(), []Event{click("ev-2")}); err != nil || n != 1 {
			t.Fatal(n, err)
		}
		if log := f.deliveries(e.ID); len(log) != 1 || ended(log[0]) != "cancelled" {
			t.Errorf("%+v", log)
		}
		if d, err := f.FindEndpoint(t.Context(), "ptn_a", e.ID); err != nil || d.Enabled {
			t.Errorf("%+v, %v", d, err)
		}
		f.run()
		f.settled()
		if got := r.messages(); len(got) != 0 {
			t.Errorf("%d messages were sent", len(got))
		}
	})
}
