package pipeline

import (
	"context"
	"errors"

	"labour/pipeline/check"
	"labour/snapshots"
)

// Check says whether a sealed snapshot is sound and may replace the current one:
// nil, a *Refused with every fault that nobody has acknowledged, or why it could
// not be checked. Going back to a snapshot that was published before is no
// succession: only its soundness is looked at.
func Check(ctx context.Context, o Options, id snapshots.ID) error {
	_, err := judge(ctx, o, id)
	return err
}

// judge is Check, and gives the snapshot that was current when it looked.
func judge(ctx context.Context, o Options, id snapshots.ID) (current snapshots.ID, err error) {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return "", err
	}
	current, err = store.Current()
	if err != nil && !errors.Is(err, snapshots.ErrNoCurrent) {
		return "", err
	}
	if store.Withdrawn(id) {
		return "", &Refused{ID: id, Faults: []string{"it was withdrawn"}}
	}
	limits := o.Config.Limits()
	faults, err := check.Snapshot(ctx, store.Dir(id), limits)
	if err != nil {
		return "", err
	}
	if len(check.Open(faults)) == 0 && current != "" && !back(store, id, current) {
		succession, err := check.Succession(store.Dir(current), store.Dir(id), limits)
		if err != nil {
			return "", err
		}
		faults = append(faults, succession...)
	}
	for _, f := range faults {
		if f.Exception != nil {
			o.Log.Warn("a fault was acknowledged", "snapshot", id, "fault", f.String())
		}
	}
	if open := check.Open(faults); len(open) > 0 {
		return "", &Refused{ID: id, Faults: open}
	}
	return current, nil
}

// back says whether promoting id is going back, or changes nothing.
func back(store *snapshots.Store, id, current snapshots.ID) bool {
	if id == current {
		return true
	}
	x, err := store.Index()
	if err != nil {
		return false
	}
	e, known := x.Entry(id)
	return known && e.Published() && id.Compare(current) < 0
}

// Promote checks a sealed snapshot and makes it the current one, unless another run
// promoted meanwhile. An older one goes back.
func Promote(ctx context.Context, o Options, id snapshots.ID) error {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	expect, err := judge(ctx, o, id)
	if err != nil {
		return err
	}
	return store.Promote(ctx, id, expect)
}

// standing are the exceptions of the configuration on the date of the data. Those that
// have expired are named once, so that they are removed or renewed.
func (o *Options) standing() []snapshots.Exception {
	standing, expired := o.Config.Checks.Standing(day(o.AsOf))
	for _, e := range expired {
		o.Log.Warn("an acknowledged exception has expired and excuses nothing; remove or renew it", "check", e.Check, "of", e.Of, "until", e.Until)
	}
	return standing
}
