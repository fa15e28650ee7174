// Package check stands between a sealed snapshot and the public, with two doors:
// is it sound, and may it replace the one that is there? All faults are reported
// at once, and a snapshot with one is not promoted.
package check

import (
	"context"
	"fmt"

	"labour/snapshots"
	"labour/snapshots/verify"
)

// Limits are the bounds of succession.
type Limits struct {
	// MaxShrinkPct is how much fewer rows than before a table may have, per cent.
	MaxShrinkPct int
}

// shrinkFrom is how many rows a table had before its shrinking means anything.
const shrinkFrom = 20

// Snapshot says what is unsound in a sealed snapshot: hashes, strangers, schemas,
// small numbers.
func Snapshot(ctx context.Context, dir string) ([]string, error) {
	report, err := verify.Dir(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", dir, err)
	}
	var faults []string
	for _, f := range report.Faults {
		faults = append(faults, f.String())
	}
	return faults, nil
}

// Succession says why next may not replace previous: its date goes back, it is of
// another platform, or a table shrank past its limit.
func Succession(previous, next snapshots.Manifest, l Limits) []string {
	var faults []string
	if next.AsOf.Before(previous.AsOf.Time) {
		faults = append(faults, fmt.Sprintf("as_of goes back from %s to %s", previous.AsOf, next.AsOf))
	}
	if next.PlatformName != previous.PlatformName {
		faults = append(faults, fmt.Sprintf("platform changes from %q to %q", previous.PlatformName, next.PlatformName))
	}
	for _, before := range previous.Tables {
		after, ok := next.Table(before.Name)
		if !ok {
			faults = append(faults, fmt.Sprintf("table %s vanished", before.Name))
			continue
		}
		if before.Rows >= shrinkFrom && after.Rows*100 < before.Rows*int64(100-l.MaxShrinkPct) {
			faults = append(faults, fmt.Sprintf("table %s shrinks from %d to %d rows, more than %d %%", before.Name, before.Rows, after.Rows, l.MaxShrinkPct))
		}
	}
	return faults
}
