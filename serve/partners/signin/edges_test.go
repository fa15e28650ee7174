package signin_test

import (
	"errors"
	"testing"
	"testing/iotest"
	"time"

	"labour/serve/partners/signin"
	"labour/serve/state/statetest"
)

// Links that the operator makes do not count as mailed.
func TestInvitationsLeaveTheLimitOfMail(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t))
	for range 4 {
		f.invited(t)
	}
	if err := f.AddAddress(t.Context(), f.partner, "one@labour.example"); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		_, _, err := f.CreateEmailLink(t.Context(), "one@labour.example")
		if i < 3 && err != nil || i == 3 && !errors.Is(err, signin.ErrTooManyLinks) {
			t.Errorf("mailed link %d: %v", i+1, err)
		}
	}
}

// A use a minute after the last one that was noted is noted, and keeps the session.
func TestUsesOfASessionAreNotedOnceAMinute(t *testing.T) {
	for after, kept := range map[time.Duration]bool{time.Minute - time.Second: false, time.Minute: true} {
		f := newFixture(t, statetest.SQLitePath(t))
		session, err := f.UseLink(t.Context(), f.invited(t))
		if err != nil {
			t.Fatal(err)
		}
		f.at = f.at.Add(after)
		if _, err := f.FindSession(t.Context(), session); err != nil {
			t.Fatal(err)
		}
		f.at = f.at.Add(signin.SessionIdleTimeout - 10*time.Second)
		if _, err := f.FindSession(t.Context(), session); (err == nil) != kept {
			t.Errorf("used after %s: %v, want it to be kept: %v", after, err, kept)
		}
	}
}

// Without random bytes there are neither links nor sessions.
func TestNoTokensWithoutRandomness(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t))
	token := f.invited(t)
	broken := errors.New("no randomness")
	bad := signin.New(f.db, func() time.Time { return f.at }, iotest.ErrReader(broken))
	if link, _, err := bad.CreateInvitation(t.Context(), f.partner); !errors.Is(err, broken) || link != "" {
		t.Errorf("a link %q, %v", link, err)
	}
	if session, err := bad.UseLink(t.Context(), token); !errors.Is(err, broken) || session != "" {
		t.Errorf("a session %q, %v", session, err)
	}
	if _, err := f.UseLink(t.Context(), token); err != nil {
		t.Errorf("the link after the fault: %v", err)
	}
}
