package pipeline

import (
	"context"
	"fmt"

	"labour/snapshots"
	"labour/snapshots/diff"
)

// changes writes what differs from the current snapshot, without which a snapshot
// is not promoted. m is the manifest that will be sealed: what was received says why
// a figure differs.
func (t *tables) changes(ctx context.Context, store *snapshots.Store, m snapshots.Manifest) error {
	t.o.step("compare with the current snapshot")
	totals, err := diff.Write(ctx, store, t.writer, m, t.listed)
	if err != nil {
		return fmt.Errorf("build %s: %w", m.ID, err)
	}
	for _, one := range totals {
		if one.Changes() > 0 {
			t.report.Changes = append(t.report.Changes, one)
		}
	}
	return nil
}
