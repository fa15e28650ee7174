package access

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/state/statetest"
)

func TestAPartnerWithoutAGrantMakesTwoKeys(t *testing.T) {
	want := Grant{Plan: PlanEvaluation, Scopes: []Scope{ScopeLabourRead}, Keys: 2}
	if diff := cmp.Diff(want, DefaultGrant()); diff != "" {
		t.Error(diff)
	}
	s := newStore(t, statetest.SQLitePath(t), newClock())
	p, err := s.CreatePartner(t.Context(), "Example")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		_, _, err := s.CreateSelfServiceKey(t.Context(), p.ID, SelfServiceKeyRequest{Plan: PlanEvaluation})
		if i < 2 && err != nil || i == 2 && !errors.Is(err, ErrTooManyKeys) {
			t.Errorf("key %d: %v", i+1, err)
		}
	}
	_, secret, err := s.CreateSelfServiceKey(t.Context(), p.ID,
		SelfServiceKeyRequest{Label: "two\nlines", Plan: PlanEvaluation})
	if !errors.Is(err, ErrInvalidLabel) || secret != "" ||
		!strings.HasPrefix(err.Error(), "create a key for partner "+p.ID+": ") {
		t.Errorf("a name of two lines: %v", err)
	}
}

// A limit of 1 is the smallest, and a grace period of 0 the shortest.
func TestLimitsAndGracePeriodsAtTheirEdges(t *testing.T) {
	s := newStore(t, statetest.SQLitePath(t), newClock())
	key, _ := create(t, s, KeyRequest{})
	for n, want := range map[int64]string{1: "", 0: "0 calls: an allowance is at least 1", -1: "-1 calls"} {
		for _, err := range []error{s.SetKeyLimits(t.Context(), key.ID, &n, nil),
			s.SetKeyLimits(t.Context(), key.ID, nil, &n)} {
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("a limit of %d: %v", n, err)
			}
		}
	}
	got, err := s.FindKey(t.Context(), key.ID)
	if err != nil || got.Hourly != nil || got.Monthly == nil || *got.Monthly != 1 {
		t.Errorf("%+v and %v, want a monthly limit of 1 and the hourly limit of the plan", got, err)
	}
	for grace, want := range map[time.Duration]string{-time.Second: "-1s", MaxKeyGracePeriod + 1: "168h0m0.000000001s"} {
		want = "rotate key " + key.ID + ": a grace period of " + want + " is out of range: 0 to 168h0m0s"
		if _, err := s.RotateKey(t.Context(), key.ID, grace); !errors.Is(err, ErrGraceRange) || err.Error() != want {
			t.Errorf("a grace period of %v: %v, want %s", grace, err, want)
		}
	}
	for _, grace := range []time.Duration{0, MaxKeyGracePeriod} {
		if _, err := s.RotateKey(t.Context(), key.ID, grace); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.FindKey(t.Context(), "key_none"); !errors.Is(err, ErrNoKey) ||
		!strings.HasPrefix(err.Error(), "key key_none: ") {
		t.Errorf("an unknown key: %v", err)
	}
}

// Without random bytes neither ids nor secrets are made, and nothing is stored.
func TestNothingIsMadeWithoutRandomness(t *testing.T) {
	s := newStore(t, statetest.SQLitePath(t), newClock())
	p, err := s.CreatePartner(t.Context(), "Example")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no randomness")
	// the id of a key needs the first 10 bytes, its secret the next ones
	for bytesLeft := range 40 {
		s.random = io.MultiReader(bytes.NewReader(make([]byte, bytesLeft)), iotest.ErrReader(broken))
		key, secret, err := s.CreateSelfServiceKey(t.Context(), p.ID, SelfServiceKeyRequest{Plan: PlanEvaluation})
		if err == nil {
			break
		}
		if !errors.Is(err, broken) || secret != "" || key.ID != "" {
			t.Errorf("with %d random bytes: %+v %q and %v", bytesLeft, key, secret, err)
		}
	}
	s.random = iotest.ErrReader(broken)
	if _, err := s.CreatePartner(t.Context(), "Other"); !errors.Is(err, broken) {
		t.Errorf("a partner: %v", err)
	}
	if _, err := s.PartnerID(t.Context(), "Other"); !errors.Is(err, ErrNoPartner) {
		t.Errorf("the partner is stored: %v", err)
	}
	s.random = rand.Reader
	if keys, err := s.ListKeys(t.Context(), "Example"); err != nil || len(keys) > 1 {
		t.Errorf("%d keys are stored (%v), want the last at most", len(keys), err)
	}
}
