package pipeline

import (
	"context"
	"errors"
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
// snapshot is sealed and the current one stays. From building to promoting it is the
// only writer, so that no other run promotes in between.
func Run(ctx context.Context, o Options) (result Result, err error) {
	if o, err = o.resolved(); err != nil {
		return Result{}, err
	}
	fetched, err := o.fetch(ctx)
	if err == nil {
		err = o.requireInput(fetched)
	}
	if err != nil {
		return Result{}, err
	}
	built, err := o.build(ctx, fetched, nil)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, built.writer.Close()) }()
	result = Result{ID: built.ID, Report: built.Report, Failed: failed(fetched, built.Report)}
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
	return result, verdict.promote(ctx, o, store, built.ID)
}
