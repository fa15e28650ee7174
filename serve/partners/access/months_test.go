package access

import (
	"fmt"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// A key counts in a month if it was usable at any second of it.
func TestKeysOfAMonth(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		s := newStore(t, address, newClock())
		month := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		first, _ := create(t, s, KeyRequest{})
		create(t, s, KeyRequest{Partner: "Other"})
		if err := s.SetGrant(t.Context(), first.PartnerID, Grant{Plan: PlanEvaluation, Keys: 10}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			column string
			at     time.Time
			counts bool
		}{
			{"revoked_at", month, false}, {"revoked_at", month.Add(time.Second), true},
			{"expires_at", month, false}, {"expires_at", month.Add(time.Second), true},
			{"expires_at", month.AddDate(1, 0, 0), true},
		} {
			if _, err := s.db.Exec(`UPDATE access_keys SET revoked_at = NULL, expires_at = NULL`); err != nil {
				t.Fatal(err)
			}
			if _, err := s.db.Exec(`UPDATE access_keys SET `+c.column+` = $1`, state.UnixSeconds(c.at)); err != nil {
				t.Fatal(err)
			}
			want := map[bool]int{true: 9, false: 10}[c.counts]
			if left, err := s.NewKeysLeftThisMonth(t.Context(), first.PartnerID); err != nil || left != want {
				t.Errorf("with %s %s, %d keys are left (%v), want %d", c.column, c.at, left, err, want)
			}
		}
	})
}

// A second revocation keeps the time of the first, for one key and for all of a partner.
func TestTheFirstRevocationCounts(t *testing.T) {
	c := newClock()
	s := newStore(t, statetest.SQLitePath(t), c)
	first, _ := create(t, s, KeyRequest{})
	second, _ := create(t, s, KeyRequest{})
	began := c.at
	revokedAt := func(id string) time.Duration {
		t.Helper()
		key, err := s.FindKey(t.Context(), id)
		if err != nil || key.RevokedAt == nil {
			t.Fatalf("%+v, %v", key, err)
		}
		return key.RevokedAt.Sub(began)
	}
	for range 2 {
		if err := s.RevokeKey(t.Context(), first.ID); err != nil || revokedAt(first.ID) != 0 {
			t.Errorf("revoked after %s, %v", revokedAt(first.ID), err)
		}
		c.at = c.at.Add(time.Minute)
	}
	if n, err := s.RevokePartner(t.Context(), "Example"); err != nil || n != 1 {
		t.Errorf("%d keys are revoked, %v", n, err)
	}
	if a, b := revokedAt(first.ID), revokedAt(second.ID); a != 0 || b != 2*time.Minute {
		t.Errorf("revoked after %s and %s, want 0 and 2 minutes", a, b)
	}
}

// Keys are listed by partner, then in the order in which they were made.
func TestOrderOfKeys(t *testing.T) {
	c := newClock()
	s := newStore(t, statetest.SQLitePath(t), c)
	made := map[string]string{}
	for _, one := range []struct{ partner, label string }{{"South", "s1"}, {"North", "n2"}, {"South", "s3"},
		{"North", "n4"}} {
		c.at = c.at.Add(-time.Minute) // so that the ids are not in the order of the clock
		key, _ := create(t, s, KeyRequest{Partner: one.partner, Label: one.label})
		made[one.partner] = key.PartnerID
	}
	labels := func(keys []Key, err error) (text string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			text += k.Label
		}
		return text
	}
	for want, got := range map[string]string{"n4n2s3s1": labels(s.ListKeys(t.Context(), "")),
		"s3s1": labels(s.ListKeys(t.Context(), "South")), "n4n2": labels(s.PartnerKeys(t.Context(), made["North"]))} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if _, err := s.db.Exec(`UPDATE access_keys SET created_at = 5`); err != nil {
		t.Fatal(err)
	}
	if got := labels(s.ListKeys(t.Context(), "")); got != "n4n2s3s1" { // equal times: by id, which is the order in time
		t.Errorf("%s", got)
	}
}

// Of a key that is rotated often the newest four secrets are kept. Those of other keys stay.
func TestTheNewestSecretsAreKept(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c := newClock()
		s := newStore(t, address, c)
		key, first := create(t, s, KeyRequest{})
		_, other := create(t, s, KeyRequest{})
		secrets := []string{first}
		for range 5 {
			c.at = c.at.Add(time.Minute)
			secret, err := s.RotateKey(t.Context(), key.ID, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			secrets = append(secrets, secret)
		}
		for i, secret := range append(secrets, other) {
			_, err := s.Authenticate(t.Context(), secret, c.at)
			if good := i >= 2; (err == nil) != good {
				t.Errorf("secret %d of %d is good: %v, want %v", i+1, len(secrets), err, good)
			}
		}
		var stored int
		if err := s.db.QueryRow(`SELECT COUNT(*) FROM key_secrets`).Scan(&stored); err != nil || stored != maxSecrets+1 {
			t.Errorf("%d secrets are stored (%v), want 4 and that of the other key", stored, err)
		}
	})
}

// A later use replaces the time of an earlier one.
func TestALaterUseIsTheLastUse(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		key, secret := create(t, s, KeyRequest{})
		for _, after := range []time.Duration{time.Minute, time.Hour} {
			if _, err := s.Authenticate(t.Context(), secret, c.at.Add(after)); err != nil {
				t.Fatal(err)
			}
			if err := s.FlushLastUses(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, err := s.FindKey(t.Context(), key.ID)
			if want := c.at.Add(after); err != nil || !got.LastUsedAt.Equal(want) {
				t.Errorf("last used %v (%v), want %v", got.LastUsedAt, err, want)
			}
		}
	})
}

// The secret in use stays valid for the grace period, also if all secrets were made in one second and the
// last rotation gave them the same end. Which one is dropped then is a matter of chance, so many keys are rotated.
func TestTheSecretInUseIsKept(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		for range 20 {
			key, inUse := create(t, s, KeyRequest{})
			for _, grace := range []time.Duration{48 * time.Hour, 48 * time.Hour, 48 * time.Hour, time.Hour} {
				next, err := s.RotateKey(t.Context(), key.ID, grace)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Authenticate(t.Context(), inUse, c.at); err != nil {
					t.Errorf("the secret that was in use until this rotation: %v", err)
				}
				inUse = next
			}
		}
	})
}

// Of several secrets of the same second, those that end last are kept.
func TestSecretsOfOneSecond(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		key, first := create(t, s, KeyRequest{})
		secrets := []string{first}
		for hours := range 5 {
			secret, err := s.RotateKey(t.Context(), key.ID, time.Duration(hours+1)*time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			secrets = append(secrets, secret)
		}
		for i, secret := range secrets {
			_, err := s.Authenticate(t.Context(), secret, c.at)
			if good := i >= 2; (err == nil) != good {
				t.Errorf("secret %d of %d is good: %v, want %v", i+1, len(secrets), err, good)
			}
		}
	})
}

// Revoking a partner cancels its pending deliveries. Those that have ended and those of others stay.
func TestRevocationCancelsPendingDeliveries(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c := newClock()
		s := newStore(t, address, c)
		run := func(statement string, arguments ...any) {
			t.Helper()
			if _, err := s.db.Exec(statement, arguments...); err != nil {
				t.Fatal(err)
			}
		}
		run(`INSERT INTO webhook_events (id, type, payload, created_at) VALUES ('ev', 'click.recorded', '{}', 1)`)
		for _, name := range []string{"North", "South"} {
			made, err := s.CreatePartner(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			run(`INSERT INTO webhook_endpoints (id, partner_id, url, event_types, description, created_at, disabled_reason)
				VALUES ($1, $2, $1, '', '', 1, '')`, name, made.ID)
			run(`INSERT INTO webhook_deliveries (id, endpoint_id, event_id, status, attempts, created_at, next_at)
				VALUES ($1 || ' waits', $1, 'ev', 'pending', 0, 1, 1)`, name)
			run(`INSERT INTO webhook_deliveries (id, endpoint_id, event_id, status, attempts, created_at, ended_at)
				VALUES ($1 || ' ended', $1, 'ev', 'delivered', 1, 1, 7)`, name)
		}
		if _, err := s.RevokePartner(t.Context(), "North"); err != nil {
			t.Fatal(err)
		}
		now := state.UnixSeconds(c.now())
		for id, want := range map[string]string{"North waits": fmt.Sprint("cancelled ", now, " 0"),
			"North ended": "delivered 7 0", "South waits": "pending 0 1", "South ended": "delivered 7 0"} {
			var status string
			var ended, next int64
			const ask = `SELECT status, coalesce(ended_at, 0), coalesce(next_at, 0) FROM webhook_deliveries WHERE id = $1`
			err := s.db.QueryRow(ask, id).Scan(&status, &ended, &next)
			if got := fmt.Sprint(status, " ", ended, " ", next); err != nil || got != want {
				t.Errorf("%s: %s, want %s (%v)", id, got, want, err)
			}
		}
	})
}
