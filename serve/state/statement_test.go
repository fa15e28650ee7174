package state_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// TestNoStatementFailsUnseen lets each statement of each call fail in turn: the call ends with the
// error, and leaves nothing half done, so that it succeeds once its statements do.
func TestNoStatementFailsUnseen(t *testing.T) {
	db, faults := statetest.OpenWithFaultInjector(t)
	ctx, dir := t.Context(), t.TempDir()
	faults.FailEachStatement(t, "Setting", func() error {
		value, err := db.LoadOrStoreSetting(ctx, "colour", fixed("red"))
		if err == nil && value != "red" {
			t.Errorf("the setting is %q", value)
		}
		return err
	})
	faults.FailEachStatement(t, "ReplaceSetting", func() error {
		_, err := db.ReplaceSetting(ctx, "colour", "red", "blue")
		return err
	})
	faults.FailEachStatement(t, "CheckWritable", func() error { return db.CheckWritable(ctx, time.Unix(1e9, 0)) })
	faults.FailEachStatement(t, "Backup", func() error { return db.Backup(ctx, filepath.Join(dir, "copy.db")) })
	copies := 0
	faults.FailEachStatement(t, "Copy from", func() error {
		copies++
		to := statetest.Open(t, filepath.Join(dir, strconv.Itoa(copies)+".db"))
		return copied(t, db, to)
	})
	other, faulty := statetest.OpenWithFaultInjector(t)
	faulty.FailEachStatement(t, "Copy to", func() error { return copied(t, db, other) })
	if value, err := other.LoadOrStoreSetting(ctx, "colour", fixed("green")); value != "blue" || err != nil {
		t.Errorf("the copied setting is %q, %v", value, err)
	}
}

// copied copies a database that holds two settings.
func copied(t *testing.T, from, to *state.DB) error {
	rows, err := state.CopyDatabase(t.Context(), from, to)
	if err == nil && rows != 2 {
		t.Errorf("%d rows copied, want two settings", rows)
	}
	return err
}
