package webhooks

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"labour/serve/state/statetest"
)

func TestDefaultsOfTheService(t *testing.T) {
	got := tuning{}.withDefaults()
	if got.disableAfter != 120*time.Hour || got.timeout != 15*time.Second || got.rescueAfter != 2*time.Minute ||
		got.poll != time.Second || got.grace != 10*time.Second {
		t.Errorf("%+v", got)
	}
	want := "[5s 5m0s 30m0s 2h0m0s 5h0m0s 10h0m0s 14h0m0s 18h0m0s 22h0m0s]"
	if plan := fmt.Sprint(got.retries); plan != want {
		t.Errorf("the waits are %s, want %s", plan, want)
	}
	own := tuning{retries: []time.Duration{1}, disableAfter: 2, timeout: 3, rescueAfter: 4, poll: 5, grace: 6}
	if got := own.withDefaults(); fmt.Sprint(got) != fmt.Sprint(own) {
		t.Errorf("%+v, want %+v", got, own)
	}
}

// A delivery has one worker, also while its endpoint begins to fail.
func TestADeliveryHasOneWorker(t *testing.T) {
	w := &workers{running: map[claim]bool{}}
	first := claim{"d", waiting{"e", "p", false}}
	if !w.reserve(first) || w.reserve(first) {
		t.Error("a delivery has no worker, or two")
	}
	if w.reserve(claim{"d", waiting{"e", "p", true}}) || len(w.running) != 1 {
		t.Errorf("%d workers for one delivery", len(w.running))
	}
	if w.release(first); !w.reserve(first) {
		t.Error("a released delivery has no worker")
	}
}

// The last worker is for the endpoint with the fewest running attempts.
func TestTheIdlestEndpointIsServedFirst(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	busy, _ := f.endpoint("https://127.0.0.1/busy")
	idle, _ := f.endpoint("https://127.0.0.1/idle")
	for _, order := range [][2]string{{busy.ID, idle.ID}, {idle.ID, busy.ID}} {
		w := &workers{running: map[claim]bool{{"running", waiting{order[0], "ptn_a", false}}: true}}
		for i := range maxWorkers - 2 {
			w.running[claim{fmt.Sprint("other ", i), waiting{"other", fmt.Sprint("partner ", i), false}}] = true
		}
		f.publish(click("ev-" + order[0]))
		taken, err := f.takeDue(t.Context(), w)
		if err != nil || len(taken) == 0 || taken[0].endpoint != order[1] || len(w.running) > maxWorkers {
			t.Errorf("%+v is taken, %v, want one of %s", taken, err, order[1])
		}
	}
}

// The last label of a host name is not a number, in any form that a resolver takes for an address.
func TestHostsThatEndInANumber(t *testing.T) {
	for host, want := range map[string]bool{"1": true, "127.1": true, "a.12": true, "0x7f": true, "a.0x7f": true,
		"a.99999999999999999999999": true, "a.b": false, "a.x1": false, "a.1x": false, "1.a": false, "a1": false} {
		if got := endsInNumber(host); got != want {
			t.Errorf("%s: %v, want %v", host, got, want)
		}
	}
}

func TestErrorsNameTheirEndpoint(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	if _, err := f.ListDeliveries(t.Context(), "ptn_a", "whe_none", "", 1); !errors.Is(err, ErrNotFound) ||
		!strings.HasPrefix(err.Error(), "list the deliveries of whe_none: ") {
		t.Errorf("%v", err)
	}
	if err := f.db.Close(); err != nil {
		t.Fatal(err)
	}
	if ours, err := f.claim(t.Context(), []claim{{delivery: "d"}}); err == nil || ours != nil ||
		!strings.HasPrefix(err.Error(), "claim deliveries: ") {
		t.Errorf("%v, %v", ours, err)
	}
	if taken, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}}); err == nil || taken != nil {
		t.Errorf("%v, %v", taken, err)
	}
}

func TestRunningAttemptsAreCounted(t *testing.T) {
	w := &workers{running: map[claim]bool{}}
	for i, e := range []waiting{{"a", "p", false}, {"a", "p", true}, {"b", "p", true}, {"c", "q", true}, {"d", "q",
		false}} {
		w.reserve(claim{fmt.Sprint(i), e})
	}
	for e, want := range map[waiting][4]int{{"a", "p", false}: {5, 2, 3, 2}, {"b", "p", true}: {5, 1, 3, 2},
		{"d", "q", false}: {5, 1, 2, 1}, {"e", "r", false}: {5, 0, 0, 0}} {
		all, endpoint, partner, failing := w.count(e)
		if got := [4]int{all, endpoint, partner, failing}; got != want {
			t.Errorf("%+v: %d run in all, of the endpoint, of the partner and failing, want %d", e, got, want)
		}
	}
	if free := w.free(waiting{"a", "p", false}, 1); free != maxPerEndpoint-2 {
		t.Errorf("%d workers are free, want %d", free, maxPerEndpoint-2)
	}
}
