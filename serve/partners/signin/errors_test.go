package signin_test

import (
	"testing"

	"labour/serve/state/statetest"
)

// An error of the database says what was being done, so that one line of the log is enough.
func TestErrorsOfTheDatabaseSayWhatWasDone(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t))
	token := f.invited(t)
	session, err := f.UseLink(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.db.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	statetest.CheckErrorPrefixes(t, map[string]func() error{
		"make a sign-in link for ptn_a: ":  func() error { _, _, err := f.CreateInvitation(ctx, "ptn_a"); return err },
		"look at a sign-in link: ":         func() error { return f.CheckLink(ctx, token) },
		"use a sign-in link: ":             func() error { _, err := f.UseLink(ctx, token); return err },
		"look up a session: ":              func() error { _, err := f.FindSession(ctx, session); return err },
		"end a session: ":                  func() error { return f.EndSession(ctx, session) },
		"forget ended links and sessions:": func() error { _, err := f.PruneExpired(ctx); return err },
		"keep an address of ptn_a: ":       func() error { return f.AddAddress(ctx, "ptn_a", "a@example.org") },
		"make a sign-in link to mail: ":    func() error { _, _, err := f.CreateEmailLink(ctx, "a@example.org"); return err },
	})
}
