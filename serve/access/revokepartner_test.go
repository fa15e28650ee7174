package access

import (
	"crypto/rand"
	"testing"

	"labour/serve/state/statetest"
)

// ofPartner makes, for the partner $1, one row of each table that a revocation empties.
var ofPartner = map[string]string{
	"signin_sessions":   `INSERT INTO signin_sessions (hash, partner_id, created_at, seen_at) VALUES ($1, $1, 1, 1)`,
	"signin_links":      `INSERT INTO signin_links (hash, partner_id, mailed, created_at, expires_at) VALUES ($1, $1, 0, 1, 2)`,
	"partner_addresses": `INSERT INTO partner_addresses (address, partner_id, created_at) VALUES ($1, $1, 1)`,
	"partner_grants":    `INSERT INTO partner_grants (partner_id, plan, scopes, keys) VALUES ($1, 'standard', '', 1)`,
}

// TestRevocationIsOfOnePartner: what lets a partner sign in goes with its keys, and that of others stays.
func TestRevocationIsOfOnePartner(t *testing.T) {
	stores.Each(t, func(t *testing.T, address string) {
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
