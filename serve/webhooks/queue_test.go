package webhooks

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// One slow endpoint takes no more than its share of the workers, one partner no more than
// its own, and endpoints that fail only a few of these.
func TestWorkersAreShared(t *testing.T) {
	w := &workers{running: map[claim]bool{}}
	take := func(e waiting, neighbours int) int {
		free := w.free(e, neighbours)
		for range free {
			w.reserve(claim{fmt.Sprint(len(w.running)), e})
		}
		return free
	}
	p1, p2, p3 := waiting{"p1", "p", false}, waiting{"p2", "p", false}, waiting{"p3", "p", false}
	if a, b, c := take(p1, 1), take(p2, 1), take(p3, 1); a != maxPerEndpoint || a+b != maxPerPartner || c != 0 {
		t.Errorf("%d, %d and %d workers for one partner", a, b, c)
	}
	if n := take(waiting{"q1", "q", false}, 1); n != maxPerEndpoint {
		t.Errorf("%d workers for another partner", n)
	}
	for c := range maps.Clone(w.running) {
		if c.waiting == p1 {
			w.release(c)
		}
	}
	if n := take(p3, 1); n != maxPerEndpoint {
		t.Errorf("%d workers after others were released", n)
	}
	w = &workers{running: map[claim]bool{}}
	for _, want := range []int{maxFailing, maxFailing, 0} {
		e := waiting{fmt.Sprint("f", len(w.running)), "p", true}
		if n := take(e, 1); n != want {
			t.Errorf("%d workers for an endpoint that fails, want %d", n, want)
		}
	}
	if a, b := take(p1, 3), take(p2, 3); a != maxPerPartner/3 || b != maxPerPartner/3 {
		t.Errorf("%d and %d workers for endpoints that share", a, b)
	}
}

// A long backlog of an endpoint that is down does not hide the deliveries of its neighbour.
func TestABacklogHidesNoNeighbour(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		down, good := newReceiver(t, status(500)), newReceiver(t)
		f := newFixture(t, address, func(o *Options) {
			down.trust(o)
			o.retries = []time.Duration{time.Hour}
		})
		bad, _ := f.endpoint(down.URL)
		f.publish(clicks(6 * maxPerPartner)...)
		f.due(f.deliveries(bad.ID)[0].ID)
		f.clock.pass(time.Minute)
		fine, _ := f.endpoint(good.URL)
		f.publish(click("later"))
		taken, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}})
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]int{}
		for _, c := range taken {
			of[c.endpoint]++
		}
		if of[fine.ID] != 1 || of[bad.ID] != maxFailing {
			t.Errorf("%d deliveries of the good endpoint and %d of the failing one are taken", of[fine.ID], of[bad.ID])
		}
	})
}

// A delivery that another server attempted after this one had read that it was due is not
// claimed, since the claim would keep all servers from it for two minutes.
func TestWhatIsNoLongerDueIsNotClaimed(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t, status(500))
		f := newFixture(t, address, r.trust)
		e, _ := f.endpoint(r.URL)
		f.publish(click("ev-1"))
		due, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}})
		if err != nil || len(due) != 1 {
			t.Fatalf("due: %v, %v", due, err)
		}
		pause := f.due(f.deliveries(e.ID)[0].ID) // the other server
		if ours, err := f.claim(t.Context(), due); err != nil || len(ours) != 0 {
			t.Errorf("claimed %v, %v", ours, err)
		}
		f.clock.pass(pause + time.Second)
		if again, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}}); err != nil || len(again) != 1 {
			t.Errorf("after its pause: %v, %v", again, err)
		}
	})
}

// TestClaimLastsUntilTheRescue: what a server has claimed, another one leaves alone until the server must have
// ended the attempt or failed.
func TestClaimLastsUntilTheRescue(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		f.endpoint("https://example.com/hooks")
		f.publish(click("ev-1"))
		due, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}})
		if err != nil || len(due) != 1 {
			t.Fatalf("due: %v, %v", due, err)
		}
		for _, step := range []struct {
			pass time.Duration
			ours int
		}{{0, 1}, {f.tuning.rescueAfter - time.Second, 0}, {time.Second, 1}, {f.tuning.timeout, 0}} {
			f.clock.pass(step.pass)
			if ours, err := f.claim(t.Context(), due); err != nil || len(ours) != step.ours {
				t.Errorf("after %s more: claimed %v, %v, want %d", step.pass, ours, err, step.ours)
			}
		}
	})
}

// TestClaimedEndpointsTakeNoShare: the endpoints of a partner share its attempts, but one whose deliveries are
// all claimed by another server waits for none, and leaves its share to the others.
func TestClaimedEndpointsTakeNoShare(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		claimed, _ := f.endpoint("https://example.com/claimed")
		f.endpoint("https://example.com/waiting")
		f.publish(clicks(maxPerPartner)...)
		until := state.UnixSeconds(f.clock.now())
		const setClaim = `UPDATE webhook_deliveries SET claimed_until = $1 WHERE endpoint_id = $2`
		for _, step := range []struct{ claim, want int64 }{{until, maxPerPartner}, {until + 1, maxPerEndpoint}} {
			if _, err := f.db.Exec(setClaim, step.claim, claimed.ID); err != nil {
				t.Fatal(err)
			}
			due, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}})
			if err != nil || int64(len(due)) != step.want {
				t.Errorf("claimed %d seconds longer: %d are due, want %d (%v)", step.claim-until, len(due), step.want, err)
			}
		}
	})
}

// A look for due deliveries reads what it takes from an index in the order of the queue: a long
// log or backlog is neither read whole nor sorted.
func TestALookReadsNoBacklog(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	for name, arguments := range map[string][]any{
		"waiting_endpoints": {StatusPending, 1},
		"due_deliveries":    {"whe_1", StatusPending, 1, maxPerEndpoint},
	} {
		steps, err := state.QueryAll(t.Context(), f.db, "EXPLAIN QUERY PLAN "+statement(name),
			func(scan func(...any) error) (step string, err error) {
				var n int
				err = scan(&n, &n, &n, &step)
				return step, err
			}, arguments...)
		if err != nil {
			t.Fatal(err)
		}
		plan := strings.Join(steps, "; ")
		if !strings.Contains(plan, "INDEX webhook_deliveries_next (endpoint_id=? AND status=? AND next_at<?)") ||
			strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", name, plan)
		}
	}
}

// A server that stops gives its delivery back at once, for another server to go on with; after any
// other fault on our side it waits.
func TestAStoppingServerReleasesItsDelivery(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(f *fixture, stop func())
		pause time.Duration
	}{
		{"stopped", func(_ *fixture, stop func()) { stop() }, 0},
		{"damaged secrets", func(f *fixture, _ func()) {
			if _, err := f.db.Exec(`UPDATE webhook_secrets SET secret = 'x'`); err != nil {
				t.Fatal(err)
			}
		}, faultPause},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newReceiver(t)
			f := newFixture(t, statetest.SQLitePath(t), r.trust)
			f.endpoint(r.URL)
			f.publish(click("ev-1"))
			due, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}})
			if err != nil || len(due) != 1 {
				t.Fatalf("due: %v, %v", due, err)
			}
			if ours, err := f.claim(t.Context(), due); err != nil || len(ours) != 1 {
				t.Fatalf("claimed: %v, %v", ours, err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			tt.spoil(f, stop)
			f.work(ctx, due[0])
			again := func() int {
				t.Helper()
				due, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}})
				if err != nil {
					t.Fatal(err)
				}
				return len(due)
			}
			if n := again(); n != 1 && tt.pause == 0 || n != 0 && tt.pause > 0 {
				t.Errorf("%d deliveries are due at once, with a pause of %v", n, tt.pause)
			}
			if f.clock.pass(tt.pause); again() != 1 {
				t.Errorf("nothing is due after %v", tt.pause)
			}
		})
	}
}
