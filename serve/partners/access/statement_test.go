package access

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"labour/serve/state/statetest"
)

// TestNoStatementFailsUnseen lets each statement of each call fail in turn: the call ends with the
// error, and leaves nothing half done, so that it succeeds once its statements do.
func TestNoStatementFailsUnseen(t *testing.T) {
	db, faults := statetest.OpenWithFaultInjector(t)
	c := newClock()
	var s *Store
	ctx := t.Context()
	faults.FailEachStatement(t, "New", func() (err error) {
		s, err = New(ctx, db, c.now, rand.Reader)
		return err
	})
	var north PartnerSummary
	faults.FailEachStatement(t, "CreatePartner", func() (err error) {
		north, err = s.CreatePartner(ctx, "North")
		return err
	})
	var key Key
	var secret string
	faults.FailEachStatement(t, "Create", func() (err error) {
		key, secret, err = s.CreateKey(ctx, KeyRequest{Partner: "South", Label: "first"})
		return err
	})
	hourly := int64(10)
	for what, do := range map[string]func() error{
		"PartnerNamed":         func() error { _, err := s.PartnerID(ctx, "North"); return err },
		"SetGrant":             func() error { return s.SetGrant(ctx, north.ID, Grant{Plan: PlanStandard, Keys: 9}) },
		"GrantOf":              func() error { _, err := s.PartnerGrant(ctx, north.ID); return err },
		"NewKeysLeftThisMonth": func() error { _, err := s.NewKeysLeftThisMonth(ctx, north.ID); return err },
		"CreateSelfService": func() error {
			_, _, err := s.CreateSelfServiceKey(ctx, north.ID, SelfServiceKeyRequest{Label: "own", Plan: PlanEvaluation})
			return err
		},
		"Rename":             func() error { return s.RenameKey(ctx, key.ID, "renamed") },
		"KeysOf":             func() error { _, err := s.PartnerKeys(ctx, key.PartnerID); return err },
		"PartnerKey":         func() error { _, err := s.PartnerKey(ctx, key.PartnerID, key.ID); return err },
		"ReceivingEndpoints": func() error { _, err := s.ReceivingEndpoints(ctx, north.ID); return err },
		"MayManageWebhooks":  func() error { _, err := s.MayManageWebhooks(ctx, north.ID); return err },
		"Authenticate": func() error {
			_, err := s.Authenticate(ctx, secret, c.at)
			return errors.Join(err, s.FlushLastUses(ctx))
		},
		"Get":         func() error { _, err := s.FindKey(ctx, key.ID); return err },
		"ChangeTerms": func() error { return s.ChangeKeyPlanAndScopes(ctx, key.ID, PlanStandard, []Scope{ScopeJobsRead}) },
		"Allow":       func() error { return s.SetKeyLimits(ctx, key.ID, &hourly, nil) },
		"Rotate":      func() error { _, err := s.RotateKey(ctx, key.ID, time.Hour); return err },
		"OldSecrets":  func() error { _, err := s.OldSecrets(ctx, ""); return err },
		"List":        func() error { _, err := s.ListKeys(ctx, ""); return err },
		"Partners":    func() error { _, err := s.Partners(ctx); return err },
	} {
		faults.FailEachStatement(t, what, do)
	}
	checkAfterFailures(t, s, north.ID, key.ID)
	faults.FailEachStatement(t, "Revoke", func() error { return s.RevokeKey(ctx, key.ID) })
	faults.FailEachStatement(t, "RevokePartner", func() error { _, err := s.RevokePartner(ctx, "North"); return err })
	all, err := s.ListKeys(ctx, "")
	if err != nil || len(all) != 2 || slices.ContainsFunc(all, func(k Key) bool { return k.IsUsable(c.at) }) {
		t.Errorf("after both revocations: %+v, %v", all, err)
	}
}

// checkAfterFailures holds what one call of each kind has done, however often it failed before.
func checkAfterFailures(t *testing.T, s *Store, partner, key string) {
	t.Helper()
	ctx := context.Background()
	own, err := s.PartnerKeys(ctx, partner)
	if err != nil || len(own) != 1 {
		t.Errorf("keys of the partner's own: %+v, %v", own, err)
	}
	changed, err := s.FindKey(ctx, key)
	if err != nil || changed.Label != "renamed" || changed.Plan != PlanStandard || !changed.HasScope(ScopeJobsRead) ||
		changed.LastUsedAt == nil {
		t.Errorf("the key after its changes: %+v, %v", changed, err)
	}
}
