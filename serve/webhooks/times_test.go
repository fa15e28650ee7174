package webhooks

import (
	"errors"
	"slices"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// Messages are signed with the secrets that are valid, the newest first. A secret is not valid at
// the second at which it ends, and of many the newest four are kept.
func TestSecretsAtTheirEnds(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		e, first := f.endpoint("https://127.0.0.1/hooks")
		secrets := []string{first}
		live := func(want ...string) {
			t.Helper()
			if got, err := f.validSecrets(t.Context(), e.ID); err != nil || !slices.Equal(got, want) {
				t.Errorf("%d secrets are valid, want %d, the newest first (%v)", len(got), len(want), err)
			}
		}
		rotate := func(grace time.Duration) {
			t.Helper()
			secret, err := f.RotateSecret(t.Context(), "ptn_a", e.ID, grace)
			if err != nil {
				t.Fatal(err)
			}
			secrets = slices.Insert(secrets, 0, secret)
		}
		f.clock.pass(time.Second) // the order is that of the seconds
		rotate(time.Hour)
		live(secrets...)
		f.clock.pass(time.Hour - time.Second)
		live(secrets...)
		f.clock.pass(time.Second)
		live(secrets[0])
		secrets = secrets[:1]
		for range 5 {
			f.clock.pass(time.Second)
			rotate(MaxSigningGracePeriod)
			live(secrets[:min(len(secrets), maxSecrets)]...)
		}
		var stored int
		if err := f.db.QueryRow(`SELECT COUNT(*) FROM webhook_secrets`).Scan(&stored); err != nil || stored != maxSecrets {
			t.Errorf("%d secrets are stored, want %d (%v)", stored, maxSecrets, err)
		}
	})
}

// Of 60 test messages in an hour the first makes room for another after exactly an hour. Those of
// other endpoints do not count.
func TestTestMessagesOfAnHour(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://127.0.0.1/hooks")
	other, _ := f.endpoint("https://127.0.0.1/other")
	f.publish(click("ev-1"))
	for i := range maxTests {
		if _, err := f.SendTest(t.Context(), "ptn_a", e.ID); err != nil {
			t.Fatalf("test message %d: %v", i+1, err)
		}
		if i == 0 {
			f.clock.pass(time.Second)
		}
	}
	for _, c := range []struct {
		endpoint string
		pass     time.Duration
		want     error
	}{{e.ID, 0, ErrTooManyTests}, {other.ID, 0, nil}, {e.ID, time.Hour - 2*time.Second, ErrTooManyTests},
		{e.ID, time.Second, nil}, {e.ID, 0, ErrTooManyTests}} {
		f.clock.pass(c.pass)
		if _, err := f.SendTest(t.Context(), "ptn_a", c.endpoint); !errors.Is(err, c.want) {
			t.Errorf("after %s more: %v, want %v", c.pass, err, c.want)
		}
	}
}

// A delivery that ended exactly at the time of the pruning stays, and a pending one always does.
func TestDeliveriesThatArePruned(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		e, _ := f.endpoint("https://127.0.0.1/hooks")
		f.publish(click("ev-1"), click("ev-2"))
		ended := f.clock.now()
		if err := f.end(t.Context(), f.db, f.deliveries(e.ID)[0].ID, StatusFailed); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			before time.Time
			want   int
		}{{ended, 2}, {ended.Add(time.Second), 1}, {ended.AddDate(1, 0, 0), 1}} {
			if err := f.PruneDeliveries(t.Context(), c.before); err != nil {
				t.Fatal(err)
			}
			if got := f.deliveries(e.ID); len(got) != c.want {
				t.Errorf("%d deliveries stay of those before %s, want %d", len(got), c.before, c.want)
			}
		}
		if d := f.deliveries(e.ID)[0]; d.Status != StatusPending {
			t.Errorf("%+v stays, want the pending one", d)
		}
	})
}

// A delivery is due from the second of its next attempt on, and not while a server has claimed it.
func TestWhenADeliveryIsDue(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		f.endpoint("https://127.0.0.1/hooks")
		f.publish(click("ev-1"))
		due := func() []claim {
			t.Helper()
			found, err := f.takeDue(t.Context(), &workers{running: map[claim]bool{}})
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		found := due()
		if len(found) != 1 {
			t.Fatalf("%d are due at once", len(found))
		}
		at := state.UnixSeconds(f.clock.now())
		for name, column := range map[string]string{"its next attempt": "next_at", "its claim": "claimed_until"} {
			if _, err := f.db.Exec(`UPDATE webhook_deliveries SET next_at = $1, claimed_until = 0`, at); err != nil {
				t.Fatal(err)
			}
			for wait, want := range map[int64]int{0: 1, 1: 0} {
				if _, err := f.db.Exec(`UPDATE webhook_deliveries SET `+column+` = $1`, at+wait); err != nil {
					t.Fatal(err)
				}
				if got := due(); len(got) != want {
					t.Errorf("%d are due %d seconds before %s, want %d", len(got), wait, name, want)
				}
				ours, err := f.claim(t.Context(), found)
				if err != nil || len(ours) != want {
					t.Errorf("%d are claimed %d seconds before %s, want %d (%v)", len(ours), wait, name, want, err)
				}
			}
		}
	})
}

// An event that no delivery needs any more stays whole if it is of exactly the time of the pruning. Of
// an older one the payload goes, and a test message goes altogether.
func TestEventsThatArePruned(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		e, _ := f.endpoint("https://127.0.0.1/hooks")
		if _, err := f.SendTest(t.Context(), "ptn_a", e.ID); err != nil {
			t.Fatal(err)
		}
		f.publish(click("ev-1"))
		if err := f.DeleteEndpoint(t.Context(), "ptn_a", e.ID); err != nil {
			t.Fatal(err)
		}
		at := f.clock.now()
		for _, c := range []struct {
			before        time.Time
			whole, events int
		}{{at, 2, 2}, {at.Add(time.Second), 0, 1}} {
			if err := f.PruneDeliveries(t.Context(), c.before); err != nil {
				t.Fatal(err)
			}
			var whole, events int
			const ask = `SELECT COALESCE(SUM(CASE WHEN payload <> '' THEN 1 ELSE 0 END), 0), COUNT(*) FROM webhook_events`
			err := f.db.QueryRow(ask).Scan(&whole, &events)
			if err != nil || whole != c.whole || events != c.events {
				t.Errorf("before %s: %d whole of %d events, want %d of %d (%v)", c.before, whole, events, c.whole,
					c.events, err)
			}
		}
	})
}

// A secret that ended is deleted when the next one is made, even in the second of its end.
func TestEndedSecretsAreDeleted(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		e, _ := f.endpoint("https://127.0.0.1/hooks")
		for range 3 {
			f.clock.pass(time.Hour)
			if _, err := f.RotateSecret(t.Context(), "ptn_a", e.ID, time.Hour); err != nil {
				t.Fatal(err)
			}
			var stored int
			if err := f.db.QueryRow(`SELECT COUNT(*) FROM webhook_secrets`).Scan(&stored); err != nil || stored != 2 {
				t.Errorf("%d secrets are stored, want the newest and the one before (%v)", stored, err)
			}
		}
	})
}
