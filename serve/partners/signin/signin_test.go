package signin_test

import (
	"crypto/rand"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"labour/serve/partners/access"
	"labour/serve/partners/signin"
	"labour/serve/state"
	"labour/serve/state/statetest"
)

var stores statetest.TestDatabases

func TestMain(m *testing.M) { os.Exit(stores.RunTests(m)) }

// fixture is a store with a clock that the test moves.
type fixture struct {
	*signin.Store
	db      *state.DB
	keys    *access.Store
	at      time.Time
	partner string
}

func newFixture(t *testing.T, address string) *fixture {
	t.Helper()
	return fixtureOn(t, statetest.Open(t, address))
}

func fixtureOn(t *testing.T, db *state.DB) *fixture {
	t.Helper()
	f := &fixture{db: db, at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	now := func() time.Time { return f.at }
	f.Store = signin.New(f.db, now, rand.Reader)
	var err error
	if f.keys, err = access.New(t.Context(), f.db, now, rand.Reader); err != nil {
		t.Fatal(err)
	}
	f.partner = f.made(t, "North")
	return f
}

func (f *fixture) made(t *testing.T, name string) string {
	t.Helper()
	p, err := f.keys.CreatePartner(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return p.ID
}

// invited is the token of a new link.
func (f *fixture) invited(t *testing.T) string {
	t.Helper()
	token, until, err := f.CreateInvitation(t.Context(), f.partner)
	if err != nil || !until.Equal(f.at.Add(signin.InvitationLifetime)) {
		t.Fatal(until, err)
	}
	return token
}

// Of many that use a link at once one is let in; looking at it changes nothing.
func TestALinkWorksOnce(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address)
		token := f.invited(t)
		for range 3 {
			if err := f.CheckLink(t.Context(), token); err != nil {
				t.Fatal(err)
			}
		}
		var in atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				session, err := f.UseLink(t.Context(), token)
				if err == nil {
					in.Add(1)
					if who, err := f.FindSession(t.Context(), session); err != nil || who.PartnerID != f.partner ||
						who.PartnerName != "North" {
						t.Errorf("%+v, %v", who, err)
					}
				} else if !errors.Is(err, signin.ErrInvalidLink) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if in.Load() != 1 || !errors.Is(f.CheckLink(t.Context(), token), signin.ErrInvalidLink) {
			t.Errorf("%d were let in", in.Load())
		}
	})
}

func TestLinksAndSessionsEnd(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address)
		late := f.invited(t)
		f.at = f.at.Add(signin.InvitationLifetime)
		if _, err := f.UseLink(t.Context(), late); !errors.Is(err, signin.ErrInvalidLink) {
			t.Errorf("a link that is too old: %v", err)
		}
		if err := f.CheckLink(t.Context(), late); !errors.Is(err, signin.ErrInvalidLink) {
			t.Errorf("a link that is too old could be used: %v", err)
		}
		for _, wrong := range []string{"", "x", late + "x"} {
			if _, err := f.UseLink(t.Context(), wrong); !errors.Is(err, signin.ErrInvalidLink) {
				t.Errorf("%q: %v", wrong, err)
			}
		}
		open := func() string {
			session, err := f.UseLink(t.Context(), f.invited(t))
			if err != nil {
				t.Fatal(err)
			}
			return session
		}
		alive := func(session string) bool {
			_, err := f.FindSession(t.Context(), session)
			if err != nil && !errors.Is(err, signin.ErrNoSession) {
				t.Fatal(err)
			}
			return err == nil
		}
		for idle, want := range map[time.Duration]bool{signin.SessionIdleTimeout - time.Second: true,
			signin.SessionIdleTimeout: false} {
			session, before := open(), f.at
			f.at = f.at.Add(idle)
			if alive(session) != want {
				t.Errorf("a session unused for %v goes on: %t", idle, !want)
			}
			if err := f.EndSession(t.Context(), session); err != nil {
				t.Fatal(err)
			}
			f.at = before
		}
		idle, busy, left := open(), open(), open()
		began := f.at
		if err := f.EndSession(t.Context(), left); err != nil || alive(left) {
			t.Errorf("an ended session goes on: %v", err)
		}
		for f.at.Sub(began) < signin.MaxSessionAge-time.Hour {
			f.at = f.at.Add(time.Hour)
			if !alive(busy) {
				t.Fatalf("a session in use ended after %v", f.at.Sub(began))
			}
		}
		if alive(idle) {
			t.Error("an idle session goes on")
		}
		f.at = began.Add(signin.MaxSessionAge)
		if alive(busy) {
			t.Error("a session goes on for ever")
		}
		if n, err := f.PruneExpired(t.Context()); err != nil || n != 3 { // the two sessions, and the link that was too old
			t.Errorf("%d pruned, %v", n, err)
		}
		if !alive(open()) {
			t.Error("a new session does not begin")
		}
	})
}

// Links and sessions are deleted from the second at which they end, and not before.
func TestOnlyWhatEndedIsForgotten(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address)
		began := f.at
		forgotten := func(what string, after time.Duration, want int64) {
			t.Helper()
			for _, c := range []struct {
				at   time.Time
				want int64
			}{{began.Add(after - time.Second), 0}, {began.Add(after), want}, {began.Add(after), 0}} {
				f.at = c.at
				if n, err := f.PruneExpired(t.Context()); err != nil || n != c.want {
					t.Errorf("%s, after %v: %d forgotten, %v", what, c.at.Sub(began), n, err)
				}
			}
			f.at = began
		}
		opened := func() string {
			session, err := f.UseLink(t.Context(), f.invited(t))
			if err != nil {
				t.Fatal(err)
			}
			return session
		}
		opened()
		forgotten("an unused session", signin.SessionIdleTimeout, 1)
		busy := opened()
		for f.at.Before(began.Add(signin.MaxSessionAge - time.Hour)) {
			f.at = f.at.Add(time.Hour)
			if _, err := f.FindSession(t.Context(), busy); err != nil {
				t.Fatal(err)
			}
		}
		forgotten("a session in use", signin.MaxSessionAge, 1)
		f.invited(t)
		forgotten("the links", signin.InvitationLifetime, 3)
	})
}

// A revoked partner is out, with every way in that it had.
func TestRevokingShutsOut(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t))
	session, err := f.UseLink(t.Context(), f.invited(t))
	waiting := f.invited(t)
	if err = errors.Join(err, f.AddAddress(t.Context(), f.partner, "one@labour.example")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.keys.RevokePartner(t.Context(), "North"); err != nil {
		t.Fatal(err)
	}
	_, bySession := f.FindSession(t.Context(), session)
	_, byLink := f.UseLink(t.Context(), waiting)
	_, _, byMail := f.CreateEmailLink(t.Context(), "one@labour.example")
	if !errors.Is(bySession, signin.ErrNoSession) || !errors.Is(byLink, signin.ErrInvalidLink) ||
		!errors.Is(byMail, signin.ErrUnknownAddress) {
		t.Error(bySession, byLink, byMail)
	}
}

func TestMailedLinks(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address)
		south := f.made(t, "South")
		if err := f.AddAddress(t.Context(), f.partner, " One@Labour.example "); err != nil {
			t.Fatal(err)
		}
		if err := f.AddAddress(t.Context(), south, "one@labour.example"); !errors.Is(err, signin.ErrAddressTaken) {
			t.Errorf("an address of two partners: %v", err)
		}
		for _, wrong := range []string{"", "one", "One <one@labour.example>", "a@b\r\nBcc: c@d",
			strings.Repeat("a", 250) + "@b.example"} {
			if err := f.AddAddress(t.Context(), south, wrong); !errors.Is(err, signin.ErrInvalidAddress) {
				t.Errorf("%q: %v", wrong, err)
			}
		}
		if _, _, err := f.CreateEmailLink(t.Context(), "two@labour.example"); !errors.Is(err, signin.ErrUnknownAddress) {
			t.Errorf("an unknown address: %v", err)
		}
		for range 3 {
			token, until, err := f.CreateEmailLink(t.Context(), "ONE@labour.example")
			if err != nil || !until.Equal(f.at.Add(signin.EmailLinkLifetime)) || f.CheckLink(t.Context(), token) != nil {
				t.Fatal(until, err)
			}
		}
		if _, _, err := f.CreateEmailLink(t.Context(), "one@labour.example"); !errors.Is(err, signin.ErrTooManyLinks) {
			t.Errorf("the fourth link: %v", err)
		}
		f.at = f.at.Add(signin.EmailLinkLifetime)
		if _, _, err := f.CreateEmailLink(t.Context(), "one@labour.example"); err != nil {
			t.Error(err)
		}
	})
}

// Neither a link's token nor a session's is in the database.
func TestTokensAreStoredAsHashes(t *testing.T) {
	address := statetest.SQLitePath(t)
	f := newFixture(t, address)
	link := f.invited(t)
	session, err := f.UseLink(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	var stored int
	for _, name := range []string{address, address + "-wal"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		stored += strings.Count(string(b), f.partner)
		if strings.Contains(string(b), link) || strings.Contains(string(b), session) {
			t.Errorf("%s holds a token", name)
		}
	}
	if stored == 0 {
		t.Error("the files that were looked at do not hold the session")
	}
}

// An error says which step failed, so that the operator finds it in the log.
func TestErrorsNameWhatFailed(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t))
	if err := f.db.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for want, call := range map[string]func() error{
		"make a sign-in link for p: ":       func() error { _, _, err := f.CreateInvitation(ctx, "p"); return err },
		"look at a sign-in link: ":          func() error { return f.CheckLink(ctx, "t") },
		"use a sign-in link: ":              func() error { _, err := f.UseLink(ctx, "t"); return err },
		"look up a session: ":               func() error { _, err := f.FindSession(ctx, "t"); return err },
		"end a session: ":                   func() error { return f.EndSession(ctx, "t") },
		"forget ended links and sessions: ": func() error { _, err := f.PruneExpired(ctx); return err },
		"keep an address of p: ":            func() error { return f.AddAddress(ctx, "p", "one@labour.example") },
		"make a sign-in link to mail: ": func() error {
			_, _, err := f.CreateEmailLink(ctx,
				"one@labour.example")
			return err
		},
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v does not begin with %q", err, want)
		}
	}
}

// A link that cannot be forgotten is an error, also if the sessions can be.
func TestPruningIsWhole(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t))
	f.invited(t)
	f.at = f.at.Add(signin.InvitationLifetime)
	const full = `CREATE TRIGGER full BEFORE DELETE ON signin_links BEGIN SELECT RAISE(ABORT, 'no room'); END`
	if _, err := f.db.Exec(full); err != nil {
		t.Fatal(err)
	}
	if n, err := f.PruneExpired(t.Context()); n != 0 || err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("%d are forgotten, %v", n, err)
	}
}
