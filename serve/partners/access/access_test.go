package access

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

var stores statetest.TestDatabases

func TestMain(m *testing.M) { os.Exit(stores.RunTests(m)) }

// newStore is one of the servers that share the database at an address.
func newStore(t testing.TB, address string, c *clock) *Store {
	t.Helper()
	s, err := New(context.Background(), statetest.Open(t, address), c.now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newClock() *clock { return &clock{time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)} }

// each runs a test with a store on every kind of database.
func each(t *testing.T, test func(t *testing.T, s *Store, c *clock)) {
	t.Helper()
	stores.RunOnEach(t, func(t *testing.T, address string) {
		c := newClock()
		test(t, newStore(t, address, c), c)
	})
}

func create(t testing.TB, s *Store, n KeyRequest) (Key, string) {
	t.Helper()
	if n.Partner == "" {
		n.Partner = "Example"
	}
	key, secret, err := s.CreateKey(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return key, secret
}

func TestCreateGivesWhatAKeyStartsWith(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		key, secret := create(t, s, KeyRequest{Label: "dashboard"})
		want := Key{
			ID: key.ID, PartnerID: key.PartnerID, PartnerName: "Example", Label: "dashboard", Mode: ModeLive,
			Plan:   PlanEvaluation,
			Scopes: []Scope{ScopeLabourRead}, Prefix: "lmk_live_", LastFour: secret[len(secret)-4:], CreatedAt: c.at,
		}
		if diff := cmp.Diff(want, key); diff != "" {
			t.Error(diff)
		}
		got, err := s.Authenticate(context.Background(), secret, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		var stored int
		row := s.db.QueryRow(`SELECT COUNT(*) FROM key_secrets WHERE hash LIKE '%' || $1 || '%' OR hash = $1`, secret)
		if err := row.Scan(&stored); err != nil || stored != 0 {
			t.Errorf("the secret itself is stored %d times (%v)", stored, err)
		}
	})
}

func TestCreateReportsEveryFault(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		_, _, err := s.CreateKey(context.Background(), KeyRequest{Partner: " ", Mode: "prod", Plan: "gold",
			Scopes: []Scope{"all"}, Label: "two\nlines"})
		for _, want := range []string{"1 to 100 characters", `"prod"`, `"gold"`, `"all"`, ErrInvalidLabel.Error()} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not name %s", err, want)
			}
		}
		if keys, err := s.ListKeys(context.Background(), ""); err != nil || len(keys) != 0 {
			t.Errorf("something was made: %v, %v", keys, err)
		}
	})
}

func TestIdentifyRefuses(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		ctx := context.Background()
		end := c.at.Add(time.Hour)
		_, expiring := create(t, s, KeyRequest{ExpiresAt: &end})
		revokedKey, revoked := create(t, s, KeyRequest{})
		if err := s.RevokeKey(ctx, revokedKey.ID); err != nil {
			t.Fatal(err)
		}
		stranger, err := newSecret(ModeLive, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			name, secret string
			at           time.Time
			want         error
		}{
			{"empty", "", c.at, ErrMalformedSecret},
			{"other service", "sk_live_abcdef", c.at, ErrMalformedSecret},
			{"never issued", stranger, c.at, ErrUnknownSecret},
			{"revoked", revoked, c.at, ErrKeyRevoked},
			{"just before the end", expiring, end.Add(-time.Nanosecond), nil},
			{"at the end", expiring, end, ErrKeyExpired},
		} {
			if _, err := s.Authenticate(ctx, tt.secret, tt.at); !errors.Is(err, tt.want) {
				t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
			}
		}
	})
}

// TestNoKeyIsGoodOnceTheDatabaseIsGone: a revocation would be written where nobody looks.
func TestNoKeyIsGoodOnceTheDatabaseIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := newStore(t, path, newClock())
	_, secret, err := s.CreateKey(t.Context(), KeyRequest{Partner: "Example"})
	if err == nil {
		_, err = s.Authenticate(t.Context(), secret, s.now())
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Authenticate(t.Context(), secret, s.now()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a key is good without its database: %v", err)
	}
}

func TestAllowOverridesThePlanWithoutChangingIt(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		ctx := context.Background()
		key, _ := create(t, s, KeyRequest{Plan: PlanPartner})
		hourly, monthly := int64(7), int64(70)
		if err := s.SetKeyLimits(ctx, key.ID, &hourly, &monthly); err != nil {
			t.Fatal(err)
		}
		got, err := s.FindKey(ctx, key.ID)
		if err != nil || got.Plan != PlanPartner || got.Allowance() != (Allowance{7, 70}) {
			t.Errorf("%+v %v %v", got.Allowance(), got.Plan, err)
		}
		if err := s.SetKeyLimits(ctx, key.ID, nil, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := s.FindKey(ctx, key.ID); err != nil || got.Allowance() != (Allowance{10_000, 0}) {
			t.Errorf("back to the plan: %+v, %v", got.Allowance(), err)
		}
		zero := int64(0)
		if err := s.SetKeyLimits(ctx, key.ID, &zero, nil); err == nil {
			t.Error("an allowance of 0 was taken")
		}
	})
}

func TestPlans(t *testing.T) {
	want := map[Plan]Allowance{PlanEvaluation: {100, 10_000}, PlanStandard: {1_000, 250_000}, PlanPartner: {10_000, 0}}
	for _, p := range Plans() {
		if got, ok := p.Allowance(); !ok || got != want[p] {
			t.Errorf("%s: %+v, want %+v", p, got, want[p])
		}
	}
	if got := (Key{Plan: "gone"}).Allowance(); got != (Allowance{1, 1}) {
		t.Errorf("unknown plan allows %+v", got)
	}
}

func TestScopesAlwaysHoldLabourRead(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		ctx := context.Background()
		key, _ := create(t, s, KeyRequest{Scopes: []Scope{ScopeJobsRead, ScopeEventsRead, ScopeJobsRead}})
		if diff := cmp.Diff([]Scope{ScopeEventsRead, ScopeJobsRead, ScopeLabourRead}, key.Scopes); diff != "" {
			t.Error(diff)
		}
		if _, _, err := s.CreateKey(ctx, KeyRequest{Partner: "A", Scopes: []Scope{"root"}}); err == nil {
			t.Error("an unknown scope was taken")
		}
	})
}

func TestChangesOfUnknownKeys(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		ctx := context.Background()
		_, rotate := s.RotateKey(ctx, "key_none", 0)
		_, get := s.FindKey(ctx, "key_none")
		for name, err := range map[string]error{
			"revoke": s.RevokeKey(ctx, "key_none"), "allow": s.SetKeyLimits(ctx, "key_none", nil, nil),
			"change": s.ChangeKeyPlanAndScopes(ctx, "key_none", PlanStandard, nil),
			"rotate": rotate, "get": get,
		} {
			if !errors.Is(err, ErrNoKey) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestListGroupsByPartner(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		ctx := context.Background()
		b1, _ := create(t, s, KeyRequest{Partner: "B"})
		c.at = c.at.Add(time.Second)
		a, _ := create(t, s, KeyRequest{Partner: "A"})
		b2, _ := create(t, s, KeyRequest{Partner: "B"})
		if _, err := s.RotateKey(ctx, b1.ID, DefaultKeyGracePeriod); err != nil {
			t.Fatal(err)
		}
		ids := func(partner string) []string {
			keys, err := s.ListKeys(ctx, partner)
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, k := range keys {
				out = append(out, k.ID)
			}
			return out
		}
		if diff := cmp.Diff([]string{a.ID, b1.ID, b2.ID}, ids("")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{b1.ID, b2.ID}, ids("B")); diff != "" {
			t.Error(diff)
		}
		if b1.PartnerID != b2.PartnerID {
			t.Error("one partner got two ids")
		}
	})
}

func TestLastUsedIsWrittenInBatchesAndNeverGoesBack(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		ctx := context.Background()
		key, secret := create(t, s, KeyRequest{})
		last := func() *time.Time {
			got, err := s.FindKey(ctx, key.ID)
			if err != nil {
				t.Fatal(err)
			}
			return got.LastUsedAt
		}
		for _, after := range []time.Duration{3 * time.Minute, time.Minute} {
			if _, err := s.Authenticate(ctx, secret, c.at.Add(after)); err != nil {
				t.Fatal(err)
			}
		}
		if last() != nil {
			t.Error("written before the batch")
		}
		if err := s.FlushLastUses(ctx); err != nil {
			t.Fatal(err)
		}
		if want := c.at.Add(3 * time.Minute); !last().Equal(want) {
			t.Errorf("last used %v, want %v", last(), want)
		}
		if _, err := s.Authenticate(ctx, secret, c.at); err != nil {
			t.Fatal(err)
		}
		if err := s.FlushLastUses(ctx); err != nil {
			t.Fatal(err)
		}
		if want := c.at.Add(3 * time.Minute); !last().Equal(want) {
			t.Errorf("went back to %v", last())
		}
	})
}

func TestRunWritesOnceMoreAtTheEnd(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		key, secret := create(t, s, KeyRequest{})
		if _, err := s.Authenticate(context.Background(), secret, c.at); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			state.FlushEvery(ctx, time.Hour, s.FlushLastUses, func(err error) { t.Error(err) })
		}()
		stop()
		<-ended
		if got, err := s.FindKey(context.Background(), key.ID); err != nil || got.LastUsedAt == nil {
			t.Errorf("last used %v, %v", got.LastUsedAt, err)
		}
	})
}

// A revocation by another process counts at once.
func TestRevocationIsSeenAcrossProcesses(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		ctx, c := context.Background(), newClock()
		one, other := newStore(t, address, c), newStore(t, address, c)
		key, secret := create(t, one, KeyRequest{})
		if _, err := other.Authenticate(ctx, secret, c.at); err != nil {
			t.Fatal(err)
		}
		if err := one.RevokeKey(ctx, key.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := other.Authenticate(ctx, secret, c.at); !errors.Is(err, ErrKeyRevoked) {
			t.Errorf("the other process: %v", err)
		}
	})
}

func BenchmarkIdentify(b *testing.B) {
	c := newClock()
	s := newStore(b, statetest.SQLitePath(b), c)
	_, secret := create(b, s, KeyRequest{})
	for b.Loop() {
		if _, err := s.Authenticate(context.Background(), secret, c.at); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNoStoreOnADatabaseThatIsClosed: calls would be authenticated with nothing.
func TestNoStoreOnADatabaseThatIsClosed(t *testing.T) {
	db := statetest.Open(t, statetest.SQLitePath(t))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := New(t.Context(), db, newClock().now, rand.Reader)
	if err == nil || s != nil || !strings.Contains(err.Error(), "the look-up of keys") {
		t.Errorf("%v, %v", s, err)
	}
}
