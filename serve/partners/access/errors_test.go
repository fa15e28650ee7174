package access

import (
	"testing"

	"labour/serve/state/statetest"
)

// An error of the database says what was being done, so that one line of the log is enough.
func TestErrorsOfTheDatabaseSayWhatWasDone(t *testing.T) {
	c := newClock()
	s := newStore(t, statetest.SQLitePath(t), c)
	_, secret := create(t, s, KeyRequest{})
	s = newStore(t, statetest.SQLitePath(t), c)
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, limit := t.Context(), int64(9)
	statetest.CheckErrorPrefixes(t, map[string]func() error{
		`create a key for "North": `: func() error {
			_, _, err := s.CreateKey(ctx, KeyRequest{Partner: "North"})
			return err
		},
		"create a key for partner ptn_a: ": func() error {
			_, _, err := s.CreateSelfServiceKey(ctx, "ptn_a", SelfServiceKeyRequest{Label: "x", Plan: PlanEvaluation})
			return err
		},
		"list keys: ":                  func() error { _, err := s.ListKeys(ctx, "North"); return err },
		`create partner "North": `:     func() error { _, err := s.CreatePartner(ctx, "North"); return err },
		"list partners: ":              func() error { _, err := s.Partners(ctx); return err },
		`revoke the keys of "North": `: func() error { _, err := s.RevokePartner(ctx, "North"); return err },
		"look up a key: ":              func() error { _, err := s.Authenticate(ctx, secret, c.now()); return err },
		"key key_1: ":                  func() error { _, err := s.FindKey(ctx, "key_1"); return err },
		"allow key key_1: ":            func() error { return s.SetKeyLimits(ctx, "key_1", &limit, nil) },
		"rotate key key_1: ":           func() error { _, err := s.RotateKey(ctx, "key_1", 0); return err },
		`find partner "North": `:       func() error { _, err := s.PartnerID(ctx, "North"); return err },
		"grant to partner ptn_a: ":     func() error { return s.SetGrant(ctx, "ptn_a", DefaultGrant()) },
		"read the grant of ptn_a: ":    func() error { _, err := s.PartnerGrant(ctx, "ptn_a"); return err },
		"list old secrets: ":           func() error { _, err := s.OldSecrets(ctx, ""); return err },
		"list the receiving endpoints of ptn_a: ": func() error {
			_, err := s.ReceivingEndpoints(ctx, "ptn_a")
			return err
		},
		"count the keys of ptn_a: ": func() error { _, err := s.NewKeysLeftThisMonth(ctx, "ptn_a"); return err },
	})
}
