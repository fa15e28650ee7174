package access

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"labour/serve/state"
)

// A change to one partner changes no other: only the keys of that partner are revoked, and only its
// grant ends.
func TestPartnersAreApart(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		grant := Grant{PlanPartner, []Scope{ScopeLabourRead}, 3}
		keys := map[string]Key{}
		for _, name := range []string{"A", "B"} {
			key, _ := create(t, s, KeyRequest{Partner: name})
			keys[name] = key
			if err := s.SetGrant(t.Context(), key.PartnerID, grant); err != nil {
				t.Fatal(err)
			}
		}
		for name, key := range keys {
			list, err := s.PartnerKeys(t.Context(), key.PartnerID)
			if err != nil || len(list) != 1 || list[0].ID != key.ID {
				t.Errorf("keys of %s: %+v, %v", name, list, err)
			}
		}
		if n, err := s.RevokePartner(t.Context(), "A"); n != 1 || err != nil {
			t.Fatalf("%d keys revoked, %v", n, err)
		}
		for name, want := range map[string]Grant{"A": DefaultGrant(), "B": grant} {
			got, err := s.PartnerGrant(t.Context(), keys[name].PartnerID)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("grant of %s: %+v, %v; want %+v", name, got, err, want)
			}
			key, err := s.FindKey(t.Context(), keys[name].ID)
			if revoked := key.RevokedAt != nil; err != nil || revoked != (name == "A") {
				t.Errorf("the key of %s is revoked: %t, %v", name, revoked, err)
			}
		}
	})
}

// TestFiguresOfPartnersAreApart: each partner of the list has its own endpoints, disabled ones included,
// its own requests of the month and its own last use.
func TestFiguresOfPartnersAreApart(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		const endpoint = `INSERT INTO webhook_endpoints (id, partner_id, url, event_types, description, created_at,
			disabled_at, disabled_reason) VALUES ($1, $2, $1, '', '', 1, $3, '')`
		north, secret := create(t, s, KeyRequest{Partner: "North"})
		create(t, s, KeyRequest{Partner: "South"})
		_, goingErr := s.db.Exec(endpoint, "going", north.PartnerID, nil)
		_, stoppedErr := s.db.Exec(endpoint, "stopped", north.PartnerID, 7)
		month := time.Date(c.at.Year(), c.at.Month(), 1, 0, 0, 0, 0, time.UTC)
		var callsErr error
		for span, calls := range map[string]int{"month": 10, "hour": 3} {
			_, err := s.db.Exec("INSERT INTO usage_counts (key_id, span, starts_at, calls) VALUES ($1, $2, $3, $4)",
				north.ID, span, state.UnixSeconds(month), calls)
			callsErr = errors.Join(callsErr, err)
		}
		_, useErr := s.Authenticate(t.Context(), secret, c.at)
		if err := errors.Join(goingErr, stoppedErr, callsErr, useErr, s.FlushLastUses(t.Context())); err != nil {
			t.Fatal(err)
		}
		list, err := s.Partners(t.Context())
		if err != nil || len(list) != 2 {
			t.Fatalf("%+v, %v", list, err)
		}
		if n := list[0]; n.Name != "North" || n.Endpoints != 2 || n.MonthCalls != 10 || n.LastUsedAt == nil {
			t.Errorf("North: %+v", n)
		}
		if n := list[1]; n.Name != "South" || n.Endpoints != 0 || n.MonthCalls != 0 || n.LastUsedAt != nil {
			t.Errorf("South: %+v", n)
		}
	})
}

// A state database that is gone is an error of a grant, and not the grant that everybody has.
func TestGrantNeedsTheDatabase(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		key, _ := create(t, s, KeyRequest{})
		if err := s.db.Close(); err != nil {
			t.Fatal(err)
		}
		g, err := s.PartnerGrant(t.Context(), key.PartnerID)
		if err == nil || !strings.Contains(err.Error(), "read the grant of "+key.PartnerID) {
			t.Errorf("granted %+v without a database: %v", g, err)
		}
	})
}
