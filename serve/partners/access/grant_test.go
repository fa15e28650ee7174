package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/state/statetest"
)

// made is a key that a partner made, as the oracle of the test knows it.
type made struct {
	id      string
	revoked time.Time // zero = never
}

// usableIn reports whether it was usable at some time of the month of a moment.
func (m made) usableIn(at time.Time) bool {
	return m.revoked.IsZero() || m.revoked.Format("2006-01") >= at.Format("2006-01")
}

// A partner gets the keys that its grant allows and no others, and no month sees
// more usable keys than were granted, whatever is revoked in between.
func TestGrantsBoundWhatAPartnerMakes(t *testing.T) {
	c := newClock()
	s := newStore(t, statetest.SQLitePath(t), c)
	partners := 0
	rapid.Check(t, func(r *rapid.T) {
		partners++
		p, err := s.CreatePartner(t.Context(), fmt.Sprint("Partner ", partners))
		if err != nil {
			r.Fatal(err)
		}
		grant, keys := DefaultGrant(), []made(nil)
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			switch rapid.SampledFrom([]string{"make", "make", "make", "revoke", "wait", "grant"}).Draw(r, "step") {
			case "make":
				n := SelfServiceKeyRequest{Plan: rapid.SampledFrom(append(Plans(), "gold")).Draw(r, "plan"),
					Scopes: rapid.SliceOfN(rapid.SampledFrom(Scopes()), 0, 2).Draw(r, "scopes")}
				key, _, err := s.CreateSelfServiceKey(t.Context(), p.ID, n)
				if want := oracle(grant, keys, n, c.at); !errors.Is(err, want) {
					r.Fatalf("%+v of %+v with %v: %v, want %v", n, grant, keys, err, want)
				}
				if err == nil {
					keys = append(keys, made{id: key.ID})
				}
			case "revoke":
				if i := slices.IndexFunc(keys, func(m made) bool { return m.revoked.IsZero() }); i >= 0 {
					keys[i].revoked = c.at
					if err := s.RevokeKey(t.Context(), keys[i].id); err != nil {
						r.Fatal(err)
					}
				}
			case "wait":
				c.at = c.at.Add(time.Duration(rapid.IntRange(1, 40).Draw(r, "days")) * 24 * time.Hour)
			case "grant":
				grant = Grant{rapid.SampledFrom(Plans()).Draw(r, "granted plan"),
					rapid.SliceOfN(rapid.SampledFrom(Scopes()), 0, 4).Draw(r, "granted scopes"),
					rapid.IntRange(1, 4).Draw(r, "keys")}
				if err := s.SetGrant(t.Context(), p.ID, grant); err != nil {
					r.Fatal(err)
				}
			}
		}
	})
}

// oracle is the error that making a key must give; nil = none.
func oracle(g Grant, keys []made, n SelfServiceKeyRequest, at time.Time) error {
	rank := map[Plan]int{PlanEvaluation: 1, PlanStandard: 2, PlanPartner: 3}
	if rank[n.Plan] == 0 || rank[n.Plan] > rank[g.Plan] {
		return ErrNotGranted
	}
	for _, s := range n.Scopes {
		if s != ScopeLabourRead && !slices.Contains(g.Scopes, s) {
			return ErrNotGranted
		}
	}
	usable := 0
	for _, k := range keys {
		if k.usableIn(at) {
			usable++
		}
	}
	if usable >= g.Keys {
		return ErrTooManyKeys
	}
	return nil
}

// A partner that asks for many keys at once gets as many as were granted; another
// partner's key is none of its own.
func TestManyKeysAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		north, err := s.CreatePartner(t.Context(), "North")
		if err != nil {
			t.Fatal(err)
		}
		var got atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				_, _, err := s.CreateSelfServiceKey(t.Context(), north.ID, SelfServiceKeyRequest{Plan: PlanEvaluation})
				if err == nil {
					got.Add(1)
				} else if !errors.Is(err, ErrTooManyKeys) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		left, err := s.NewKeysLeftThisMonth(t.Context(), north.ID)
		if err != nil || got.Load() != int64(DefaultGrant().Keys) || left != 0 {
			t.Errorf("%d keys were made, %d are left, %v", got.Load(), left, err)
		}
		other, _ := create(t, s, KeyRequest{Partner: "South"})
		if _, err := s.PartnerKey(t.Context(), north.ID, other.ID); !errors.Is(err, ErrNoKey) {
			t.Errorf("another partner's key: %v", err)
		}
		if may, err := s.MayManageWebhooks(t.Context(), north.ID); may || err != nil {
			t.Errorf("webhooks without the scope: %v, %v", may, err)
		}
		key, _ := create(t, s, KeyRequest{Partner: "North", Scopes: []Scope{ScopeWebhooksManage}})
		if may, err := s.MayManageWebhooks(t.Context(), north.ID); !may || err != nil {
			t.Errorf("webhooks with a key that has the scope: %v, %v", may, err)
		}
		if err := s.RevokeKey(t.Context(), key.ID); err != nil {
			t.Fatal(err)
		}
		if may, err := s.MayManageWebhooks(t.Context(), north.ID); may || err != nil {
			t.Errorf("webhooks with a revoked key: %v, %v", may, err)
		}
	})
}

// "Moving to Standard or Partner is agreed with the operator": the key stays the same.
func TestKeysMoveToOtherPlans(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		ctx := context.Background()
		key, _ := create(t, s, KeyRequest{Scopes: []Scope{ScopeJobsRead, ScopeEventsRead}})
		for _, tt := range []struct {
			plan   Plan
			scopes []Scope
			want   Key
		}{
			{PlanStandard, nil, Key{Plan: PlanStandard, Scopes: []Scope{ScopeEventsRead, ScopeJobsRead, ScopeLabourRead}}},
			{"", []Scope{ScopeDeveloper}, Key{Plan: PlanStandard, Scopes: []Scope{ScopeDeveloper, ScopeLabourRead}}},
			{PlanPartner, []Scope{ScopeLabourRead}, Key{Plan: PlanPartner, Scopes: []Scope{ScopeLabourRead}}},
		} {
			if err := s.ChangeKeyPlanAndScopes(ctx, key.ID, tt.plan, tt.scopes); err != nil {
				t.Fatal(err)
			}
			if got, err := s.FindKey(ctx, key.ID); err != nil || got.Plan != tt.want.Plan ||
				!cmp.Equal(got.Scopes, tt.want.Scopes) {
				t.Errorf("changed to %q %v: %v %v, %v", tt.plan, tt.scopes, got.Plan, got.Scopes, err)
			}
		}
		if err := s.ChangeKeyPlanAndScopes(ctx, key.ID, "gold", nil); !errors.Is(err, ErrNoSuchPlanOrScope) {
			t.Errorf("unknown plan: %v", err)
		}
		if err := s.ChangeKeyPlanAndScopes(ctx, key.ID, "", []Scope{"root"}); !errors.Is(err, ErrNoSuchPlanOrScope) {
			t.Errorf("unknown scope: %v", err)
		}
	})
}

// A name of a key has at most 80 characters, of any script, and none that would disguise it.
func TestNamesOfKeys(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		key, _ := create(t, s, KeyRequest{})
		for _, tt := range []struct {
			name, want string
			err        error
		}{
			{" nightly copy ", "nightly copy", nil},
			{strings.Repeat("ł", maxLabel), strings.Repeat("ł", maxLabel), nil},
			{strings.Repeat("ł", maxLabel+1), strings.Repeat("ł", maxLabel), ErrInvalidLabel},
			{"two\nlines", strings.Repeat("ł", maxLabel), ErrInvalidLabel},
			{"name\u202egnp.exe", strings.Repeat("ł", maxLabel), ErrInvalidLabel},
			{"\xff", strings.Repeat("ł", maxLabel), ErrInvalidLabel},
			{"", "", nil},
		} {
			if err := s.RenameKey(t.Context(), key.ID, tt.name); !errors.Is(err, tt.err) {
				t.Errorf("%q: %v, want %v", tt.name, err, tt.err)
			}
			if got, err := s.FindKey(t.Context(), key.ID); err != nil || got.Label != tt.want {
				t.Errorf("after %q the key is named %q, %v", tt.name, got.Label, err)
			}
		}
		if err := s.RenameKey(t.Context(), "key_none", "name"); !errors.Is(err, ErrNoKey) {
			t.Errorf("an unknown key: %v", err)
		}
	})
}

// TestGrantAloneManagesWebhooks: a partner with the scope in its grant may manage webhooks before
// it has a key.
func TestGrantAloneManagesWebhooks(t *testing.T) {
	s := newStore(t, filepath.Join(t.TempDir(), "state.db"), newClock())
	p, err := s.CreatePartner(t.Context(), "North")
	if err != nil {
		t.Fatal(err)
	}
	for _, scopes := range [][]Scope{nil, {ScopeWebhooksManage}} {
		if err := s.SetGrant(t.Context(), p.ID, Grant{Plan: PlanStandard, Scopes: scopes, Keys: 1}); err != nil {
			t.Fatal(err)
		}
		if may, err := s.MayManageWebhooks(t.Context(), p.ID); may != (scopes != nil) || err != nil {
			t.Errorf("with the scopes %v: %t, %v", scopes, may, err)
		}
	}
}

// TestErrorsNameWhatFailed: an error of the database begins with what the caller wanted.
func TestErrorsNameWhatFailed(t *testing.T) {
	db := statetest.Open(t, filepath.Join(t.TempDir(), "state.db"))
	s, err := New(t.Context(), db, newClock().now, rand.Reader)
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for want, call := range map[string]func() error{
		"find partner \"North\": ":      func() error { _, err := s.PartnerID(ctx, "North"); return err },
		"grant to partner p: ":          func() error { return s.SetGrant(ctx, "p", Grant{Plan: PlanStandard, Keys: 1}) },
		"read the grant of p: ":         func() error { _, err := s.PartnerGrant(ctx, "p"); return err },
		"count the keys of p: read the": func() error { _, err := s.NewKeysLeftThisMonth(ctx, "p"); return err },
		"create a key for \"North\": ": func() error {
			_, _,
				err := s.CreateKey(ctx, KeyRequest{Partner: "North"})
			return err
		},
		"allow key k: ":                  func() error { return s.SetKeyLimits(ctx, "k", nil, nil) },
		"revoke key k: ":                 func() error { return s.RevokeKey(ctx, "k") },
		"rotate key k: ":                 func() error { _, err := s.RotateKey(ctx, "k", 0); return err },
		"list keys: ":                    func() error { _, err := s.ListKeys(ctx, ""); return err },
		"create partner \"North\": ":     func() error { _, err := s.CreatePartner(ctx, "North"); return err },
		"list partners: ":                func() error { _, err := s.Partners(ctx); return err },
		"revoke the keys of \"North\": ": func() error { _, err := s.RevokePartner(ctx, "North"); return err },
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v does not begin with %q", err, want)
		}
	}
}

// TestKeyOfAPartnerThatCannotBeMade: the error is why the partner could not be made, not that there
// is none.
func TestKeyOfAPartnerThatCannotBeMade(t *testing.T) {
	db := statetest.Open(t, filepath.Join(t.TempDir(), "state.db"))
	s, err := New(t.Context(), db, newClock().now, rand.Reader)
	if err == nil {
		_, err = db.Exec("CREATE TRIGGER full BEFORE INSERT ON partners BEGIN SELECT RAISE(ABORT, 'no room'); END")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.CreateKey(t.Context(), KeyRequest{Partner: "North"})
	if err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("%v", err)
	}
}

// TestGrantsThatAreNotOffered: a grant of no key, of another plan or of another scope is refused, and the
// grant of the partner stays.
func TestGrantsThatAreNotOffered(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		partner, err := s.CreatePartner(t.Context(), "North")
		least := Grant{Plan: PlanStandard, Scopes: []Scope{ScopeLabourRead}, Keys: 1}
		if err == nil {
			err = s.SetGrant(t.Context(), partner.ID, least)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []Grant{{Plan: PlanStandard, Keys: 0}, {Plan: PlanStandard, Keys: -1}, {Plan: "gold", Keys: 1},
			{Plan: PlanStandard, Keys: 1, Scopes: []Scope{"all"}}} {
			if err := s.SetGrant(t.Context(), partner.ID, g); !errors.Is(err, ErrNoSuchPlanOrScope) {
				t.Errorf("%+v: %v", g, err)
			}
		}
		got, err := s.PartnerGrant(t.Context(), partner.ID)
		if diff := cmp.Diff(least, got); diff != "" || err != nil {
			t.Errorf("%s%v", diff, err)
		}
	})
}
