package access

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// Every change of a key, by this store, by another process or by hand, gives a new
// version; a use of it and another partner's new key do not.
func TestEveryChangeGivesANewVersion(t *testing.T) {
	stores.Each(t, func(t *testing.T, address string) {
		ctx := context.Background()
		db := statetest.Open(t, address)
		now := func() time.Time { return time.Unix(1e9, 0) }
		s, other := storeOn(t, db, now), storeOn(t, statetest.Open(t, address), now)
		key, secret, err := s.Create(ctx, NewKey{Partner: "A"})
		if err != nil {
			t.Fatal(err)
		}
		version := func() Version {
			s.Forget()
			_, v, err := s.Recognise(ctx, secret, now())
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		by := func(statement string) func() error {
			return func() error { _, err := db.Exec(statement); return err }
		}
		last := version()
		for _, c := range []struct {
			name string
			do   func() error
			same bool
		}{
			{name: "use", do: func() error { return s.FlushUsed(ctx) }, same: true},
			{name: "another key", do: func() error { _, _, err := other.Create(ctx, NewKey{Partner: "B"}); return err }, same: true},
			{name: "plan", do: func() error { return other.SetPlan(ctx, key.ID, Standard) }},
			{name: "scopes", do: func() error { return other.SetScopes(ctx, key.ID, []Scope{JobsRead}) }},
			{name: "allowance", do: func() error { return other.Allow(ctx, key.ID, &[]int64{7}[0], nil) }},
			{name: "rotation", do: func() error { _, err := other.Rotate(ctx, key.ID, time.Hour); return err }},
			{name: "an end by hand", do: by(`UPDATE access_keys SET expires_at = 2000000000`)},
			{name: "a name by hand", do: by(`UPDATE partners SET name = 'C' WHERE name = 'A'`)},
			{name: "a secret taken away by hand", do: by(`DELETE FROM key_secrets WHERE valid_until IS NULL`)},
		} {
			if err := c.do(); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if got := version(); (got == last) != c.same || got < last {
				t.Errorf("%s: version %d after %d", c.name, got, last)
			} else {
				last = got
			}
		}
	})
}

func storeOn(t *testing.T, db *state.DB, now func() time.Time) *Store {
	t.Helper()
	s, err := New(context.Background(), db, now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is remembered is the key of its version, and the clock still ends it; Identify
// never answers from memory.
func TestRecogniseRemembers(t *testing.T) {
	stores.Each(t, func(t *testing.T, address string) {
		ctx := context.Background()
		at := time.Unix(1e9, 0)
		s := storeOn(t, statetest.Open(t, address), func() time.Time { return at })
		end := at.Add(time.Hour)
		key, secret, err := s.Create(ctx, NewKey{Partner: "A", ExpiresAt: &end})
		if err != nil {
			t.Fatal(err)
		}
		_, before, err := s.Recognise(ctx, secret, at)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Recognise(ctx, secret, end); !errors.Is(err, ErrExpired) {
			t.Errorf("at its end: %v", err)
		}
		if err := s.Revoke(ctx, key.ID); err != nil {
			t.Fatal(err)
		}
		if _, v, err := s.Recognise(ctx, secret, at); err != nil || v != before {
			t.Errorf("from memory: version %d after %d, %v", v, before, err)
		}
		if _, err := s.Identify(ctx, secret, at); !errors.Is(err, ErrRevoked) {
			t.Errorf("identified: %v", err)
		}
		s.Forget()
		if _, _, err := s.Recognise(ctx, secret, at); !errors.Is(err, ErrRevoked) {
			t.Errorf("after forgetting: %v", err)
		}
	})
}
