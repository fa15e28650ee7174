package access

import (
	"reflect"
	"strings"
	"testing"
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
