package usage

import (
	"testing"
	"time"

	"labour/serve/state/statetest"
)

// TestNoStatementFailsUnseen lets each statement of each call fail in turn: the call ends with the
// error, and a partner's call is counted in both of its windows or in neither.
func TestNoStatementFailsUnseen(t *testing.T) {
	db, faults := statetest.OpenWithFaultInjector(t)
	key, at, ctx := keyOf(t, db, "A"), time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC), t.Context()
	var c *Counter
	faults.FailEachStatement(t, "NewCounter", func() (err error) { c, err = NewCounter(ctx, db); return err })
	var counts Counts
	faults.FailEachStatement(t, "Count", func() (err error) { counts, err = c.Count(ctx, key, at); return err })
	r := NewReader(db)
	faults.FailEachStatement(t, "CurrentCounts",
		func() (err error) { counts, err = r.CurrentCounts(ctx, key, at); return err })
	if counts.Hour < 1 || counts.Hour != counts.Month {
		t.Errorf("calls of one hour are counted as %+v", counts)
	}
	faults.FailEachStatement(t, "Report", func() error { _, err := r.Report(ctx, "", key, at); return err })
	faults.FailEachStatement(t, "Prune", func() error { return PruneCounts(ctx, db, at) })
}
