package access

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

func TestPartners(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		ctx, c := context.Background(), newClock()
		db := statetest.Open(t, address)
		s, err := New(ctx, db, c.now, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		made, err := s.CreatePartner(ctx, "South")
		if err != nil || made.Name != "South" {
			t.Fatalf("%+v, %v", made, err)
		}
		if _, err := s.CreatePartner(ctx, "South"); !errors.Is(err, ErrPartnerExists) {
			t.Errorf("a second one: %v", err)
		}
		for _, name := range []string{"", " ", "South ", " South", "So\nuth", "So\x7futh", "So\u009buth", "So\u202euth",
			"So\u200buth", "South\ufeff", "So\u00aduth", "So  uth", "So\u00a0uth", "So\ufffeuth", "So\ufffduth",
			strings.Repeat("é", 101), "\xff"} {
			if _, err := s.CreatePartner(ctx, name); !errors.Is(err, ErrInvalidPartnerName) {
				t.Errorf("partner %q: %v", name, err)
			}
			if _, _, err := s.CreateKey(ctx, KeyRequest{Partner: name}); !errors.Is(err, ErrInvalidPartnerName) {
				t.Errorf("key for %q: %v", name, err)
			}
		}
		soon := c.at.Add(time.Hour)
		var keys []Key
		for _, n := range []KeyRequest{{Partner: "North"}, {Partner: "North"}, {Partner: "North", ExpiresAt: &soon},
			{Partner: "South"}} {
			key, secret, err := s.CreateKey(ctx, n)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
			if _, err := s.Authenticate(ctx, secret, c.at); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(s.FlushLastUses(ctx), s.RevokeKey(ctx, keys[1].ID)); err != nil {
			t.Fatal(err)
		}
		month := time.Date(c.at.Year(), c.at.Month(), 1, 0, 0, 0, 0, time.UTC)
		for i, at := range []time.Time{month, month.AddDate(0, -1, 0)} {
			for _, k := range keys {
				if _, err := db.Exec(
					`INSERT INTO usage_counts (key_id, span, starts_at, calls) VALUES ($1, 'month', $2, $3)`, k.ID,
					state.UnixSeconds(at), 10+i); err != nil {
					t.Fatal(err)
				}
			}
		}
		used := state.FromUnixSeconds(c.at.Unix())
		list, err := s.Partners(ctx)
		if err != nil || len(list) != 2 || list[0].Name != "North" || list[0].Keys != 2 || list[0].MonthCalls != 30 ||
			list[0].LastUsedAt == nil ||
			!list[0].LastUsedAt.Equal(used) || list[1].ID != made.ID || list[1].Keys != 1 || list[1].MonthCalls != 10 {
			t.Errorf("%+v, %v", list, err)
		}
		c.at = soon
		if list, err := s.Partners(ctx); err != nil || list[0].Keys != 1 {
			t.Errorf("after one expired: %+v, %v", list, err)
		}
		if n, err := s.RevokePartner(ctx, "North"); err != nil || n != 2 {
			t.Errorf("%d keys revoked, %v", n, err)
		}
		if n, err := s.RevokePartner(ctx, "North"); err != nil || n != 0 {
			t.Errorf("again: %d keys revoked, %v", n, err)
		}
		if _, err := s.RevokePartner(ctx, "West"); !errors.Is(err, ErrNoPartner) {
			t.Errorf("nobody: %v", err)
		}
		if list, err := s.Partners(ctx); err != nil || list[0].Keys != 0 || list[1].Keys != 1 {
			t.Errorf("after the revocation: %+v, %v", list, err)
		}
	})
}

// TestNamesOfOldStay: a partner whose name would be refused today can be used like any other.
func TestNamesOfOldStay(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		ctx, db := t.Context(), statetest.Open(t, address)
		s, err := New(ctx, db, newClock().now, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		const name = "North  Jobs\u200b"
		if _, _, err := s.addPartner(ctx, db, name, s.now()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreatePartner(ctx, name); !errors.Is(err, ErrPartnerExists) {
			t.Errorf("a second one: %v", err)
		}
		if _, _, err := s.CreateKey(ctx, KeyRequest{Partner: name}); err != nil {
			t.Errorf("a key: %v", err)
		}
		if n, err := s.RevokePartner(ctx, name); err != nil || n != 1 {
			t.Errorf("%d keys revoked, %v", n, err)
		}
	})
}

// TestLongestNameOfAPartner: a name may have 100 characters.
func TestLongestNameOfAPartner(t *testing.T) {
	if err := checkName(strings.Repeat("é", 100)); err != nil {
		t.Error(err)
	}
	if err := checkName(strings.Repeat("e", 101)); !errors.Is(err, ErrInvalidPartnerName) {
		t.Errorf("101 characters: %v", err)
	}
}
