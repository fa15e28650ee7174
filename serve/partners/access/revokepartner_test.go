package access

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// ofPartner makes, for the partner $1, one row of each table that a revocation empties.
var ofPartner = map[string]string{
	"signin_sessions": `INSERT INTO signin_sessions (hash, partner_id, created_at, seen_at) VALUES ($1, $1, 1, 1)`,
	"signin_links": `INSERT INTO signin_links (hash, partner_id, mailed, created_at, expires_at) VALUES ($1, $1, ` +
		`0, 1, 2)`,
	"partner_addresses": `INSERT INTO partner_addresses (address, partner_id, created_at) VALUES ($1, $1, 1)`,
	"partner_grants":    `INSERT INTO partner_grants (partner_id, plan, scopes, keys) VALUES ($1, 'standard', '', 1)`,
}

// TestRevocationIsOfOnePartner: what lets a partner sign in goes with its keys, and that of others stays.
func TestRevocationIsOfOnePartner(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db, c := statetest.Open(t, address), newClock()
		s, err := New(t.Context(), db, c.now, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]string{}
		for _, name := range []string{"North", "South"} {
			made, err := s.CreatePartner(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			ids[name] = made.ID
			for table, insert := range ofPartner {
				if _, err := db.Exec(insert, made.ID); err != nil {
					t.Fatalf("%s: %v", table, err)
				}
			}
		}
		if _, err := s.RevokePartner(t.Context(), "North"); err != nil {
			t.Fatal(err)
		}
		for table := range ofPartner {
			for name, want := range map[string]int{"North": 0, "South": 1} {
				var n int
				if err := db.QueryRow("SELECT count(*) FROM "+table+" WHERE partner_id = $1", ids[name]).Scan(&n); err != nil {
					t.Fatal(err)
				}
				if n != want {
					t.Errorf("%s has %d rows of %s, want %d", table, n, name, want)
				}
			}
		}
	})
}

// TestRevocationStopsWebhooks: the webhooks of a revoked partner are stopped at that time, one that was
// stopped before keeps its time, and those of others go on.
func TestRevocationStopsWebhooks(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db, c := statetest.Open(t, address), newClock()
		s, err := New(t.Context(), db, c.now, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]string{}
		const insert = `INSERT INTO webhook_endpoints (id, partner_id, url, event_types, description, created_at,
			disabled_at, disabled_reason) VALUES ($1, $2, $1, '', '', 1, $3, '')`
		for _, name := range []string{"North", "South"} {
			made, err := s.CreatePartner(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			ids[name] = made.ID
			for of, stopped := range map[string]any{" going": nil, " stopped": 7} {
				if _, err := db.Exec(insert, name+of, made.ID, stopped); err != nil {
					t.Fatal(err)
				}
			}
		}
		wantEndpoints(t, s, ids["North"], "North going")
		wantEndpoints(t, s, ids["South"], "South going")
		if _, err := s.RevokePartner(t.Context(), "North"); err != nil {
			t.Fatal(err)
		}
		wantEndpoints(t, s, ids["North"])
		wantEndpoints(t, s, ids["South"], "South going")
		now := state.UnixSeconds(c.now())
		for id, want := range map[string]int64{"North going": now, "North stopped": 7, "South going": 0,
			"South stopped": 7} {
			var got int64
			const ask = "SELECT coalesce(disabled_at, 0) FROM webhook_endpoints WHERE id = $1"
			if err := db.QueryRow(ask, id).Scan(&got); err != nil || got != want {
				t.Errorf("%s: stopped at %d, want %d, %v", id, got, want, err)
			}
		}
	})
}

// wantEndpoints checks which endpoints of a partner receive events. The tests name them by their URLs.
func wantEndpoints(t *testing.T, s *Store, partner string, want ...string) {
	t.Helper()
	got, err := s.ReceivingEndpoints(t.Context(), partner)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range got {
		names = append(names, e.URL)
	}
	if !slices.Equal(names, want) {
		t.Errorf("the endpoints %q of %s receive events, want %q", names, partner, want)
	}
}

// TestRevocationIsWhole: if the keys of a partner cannot be revoked, nothing of it is ended and the
// error says so, since it would look revoked while its keys are good.
func TestRevocationIsWhole(t *testing.T) {
	s := newStore(t, statetest.SQLitePath(t), newClock())
	key, _ := create(t, s, KeyRequest{Partner: "North"})
	const full = `CREATE TRIGGER full BEFORE UPDATE ON access_keys BEGIN SELECT RAISE(ABORT, 'no room'); END`
	_, err := s.db.Exec(ofPartner["signin_links"], key.PartnerID)
	if err == nil {
		_, err = s.db.Exec(full)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RevokePartner(t.Context(), "North"); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("revoked: %v", err)
	}
	var links int
	if err := s.db.QueryRow(`SELECT COUNT(*) FROM signin_links`).Scan(&links); err != nil || links != 1 {
		t.Errorf("%d links are left, %v", links, err)
	}
}
