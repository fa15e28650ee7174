package signin_test

import (
	"errors"
	"testing"
	"time"

	"labour/serve/partners/signin"
	"labour/serve/state/statetest"
)

// TestNoStatementFailsUnseen lets each statement of each call fail in turn: the call ends with the
// error, and leaves nothing half done, so that it succeeds once its statements do.
func TestNoStatementFailsUnseen(t *testing.T) {
	db, faults := statetest.OpenWithFaultInjector(t)
	f := fixtureOn(t, db)
	ctx := t.Context()
	var link, session string
	for _, call := range []struct {
		what string
		do   func() error
	}{
		{"Invite", func() (err error) { link, _, err = f.CreateInvitation(ctx, f.partner); return err }},
		{"AddAddress", func() error { return f.AddAddress(ctx, f.partner, "a@example.org") }},
		{"CreateEmailLink", func() error { _, _, err := f.CreateEmailLink(ctx, "a@example.org"); return err }},
		{"CheckLink", func() error { return f.CheckLink(ctx, link) }},
		{"UseLink", func() (err error) { session, err = f.UseLink(ctx, link); return err }},
		{"Session", func() error {
			f.at = f.at.Add(2 * time.Minute) // so that each use is noted
			_, err := f.FindSession(ctx, session)
			return err
		}},
		{"EndSession", func() error { return f.EndSession(ctx, session) }},
		{"Prune", func() error { _, err := f.PruneExpired(ctx); return err }},
	} {
		faults.FailEachStatement(t, call.what, call.do)
	}
	if _, err := f.FindSession(ctx, session); !errors.Is(err, signin.ErrNoSession) {
		t.Errorf("the session that was ended: %v", err)
	}
	if err := f.CheckLink(ctx, link); !errors.Is(err, signin.ErrInvalidLink) {
		t.Errorf("the link that was used: %v", err)
	}
}
