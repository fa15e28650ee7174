package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"labour/pipeline/check"
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
	if err := Check(ctx, o, built.ID); err != nil {
		return result, err
	}
	o.step("promote " + string(built.ID))
	return result, Promote(ctx, o, built.ID)
}

// Check says whether a sealed snapshot is sound and may replace the current one:
// nil, a *Refused with every fault, or why it could not be checked.
func Check(ctx context.Context, o Options, id snapshots.ID) error {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	faults, err := check.Snapshot(ctx, store.Dir(id))
	if err != nil {
		return err
	}
	if len(faults) == 0 {
		succession, err := succession(store, o, id)
		if err != nil {
			return err
		}
		faults = succession
		drifted, err := drifted(store, o, id)
		if err != nil {
			return err
		}
		for _, b := range drifted {
			faults = append(faults, b.What)
		}
	}
	if len(faults) > 0 {
		return &Refused{ID: id, Faults: faults}
	}
	return nil
}

func succession(store *snapshots.Store, o Options, id snapshots.ID) ([]string, error) {
	current, err := store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) || current == id {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	previous, err := store.Manifest(current)
	if err != nil {
		return nil, err
	}
	next, err := store.Manifest(id)
	if err != nil {
		return nil, err
	}
	return check.Succession(previous, next, check.Limits{MaxShrinkPct: o.Config.Checks.MaxShrinkPct}), nil
}

// Promote makes a sealed snapshot the current one, unless another run promoted
// meanwhile.
func Promote(ctx context.Context, o Options, id snapshots.ID) error {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	expect, err := store.Current()
	if err != nil && !errors.Is(err, snapshots.ErrNoCurrent) {
		return err
	}
	return store.Promote(ctx, id, expect)
}
