package pipeline

import (
	"context"
	"fmt"
	"strings"

	"labour/snapshots"
)

// Result is what a run did.
type Result struct {
	ID     snapshots.ID
	Report *Report
	// Failed lists the sources that gave nothing usable or of which a part failed;
	// their last good extracts were used.
	Failed []string
}

// Refused says why a snapshot was sealed and not promoted.
type Refused struct {
	ID     snapshots.ID
	Faults []string
}

// Error names every fault.
func (r *Refused) Error() string {
	return fmt.Sprintf("snapshot %s is not promoted: %s", r.ID, strings.Join(r.Faults, "; "))
}

// Run fetches, builds, checks and promotes. A *Refused error means that the
// snapshot is sealed and the current one stays.
func Run(ctx context.Context, o Options) (Result, error) {
	fetched, err := Fetch(ctx, o)
	if err != nil {
		return Result{}, err
	}
	built, err := Build(ctx, o, fetched)
	if err != nil {
		return Result{}, err
	}
	result := Result{ID: built.ID, Report: built.Report, Failed: failed(fetched, built.Report)}
	o.step("check " + string(built.ID))
	verdict, err := Check(ctx, o, built.ID)
	if err != nil {
		return result, err
	}
	o.step("promote " + string(built.ID))
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return result, err
	}
	return result, store.Promote(ctx, built.ID, verdict.expect)
}
