package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/check"
	"labour/pipeline/fetch"
	"labour/pipeline/report"
	"labour/snapshots"
)

// Result is the result of a run.
type Result struct {
	ID     snapshots.ID
	Report *report.Report
	// Failed lists the sources that gave nothing usable or have a failed part; their last good
	// extracts were used.
	Failed []string
}

// Refused is the error of a snapshot that was sealed and not promoted.
type Refused struct {
	ID     snapshots.ID
	Faults []string
}

// Error lists every fault.
func (r *Refused) Error() string {
	return fmt.Sprintf("snapshot %s is not promoted: %s", r.ID, strings.Join(r.Faults, "; "))
}

// Run fetches, builds, checks and promotes. A *Refused error means that the new snapshot is sealed
// and the current one stays. From building to promoting no other run can write, so that none is
// promoted in between.
func Run(ctx context.Context, o Options) (result Result, err error) {
	if o, err = o.resolved(); err != nil {
		return Result{}, err
	}
	fetched, err := o.fetch(ctx)
	if err == nil {
		err = fetch.RequireInput(fetched)
	}
	if err != nil {
		return Result{}, err
	}
	built, err := o.build(ctx, fetched, present{&o}, (*tables).seal)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, built.writer.Close()) }()
	result = Result{ID: built.ID, Report: built.Report, Failed: fetch.Failed(fetched, built.Report)}
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
	return result, verdict.promote(ctx, store, built.ID)
}

// Verdict is the result of the checks for a snapshot that may be promoted.
type Verdict struct {
	// Acknowledged are the faults that an exception of its manifest excuses.
	Acknowledged []string
	// Idle are its exceptions that excuse nothing, as "check of table or source".
	Idle   []string
	expect snapshots.ID // the snapshot that was current; empty = none
}

// Check checks whether a sealed snapshot is sound and may replace the current one. The error is nil
// if so, a *Refused with every fault that nobody has acknowledged, or the reason why it could not
// be checked. For a return to a snapshot that was published before, only soundness is checked.
func Check(ctx context.Context, o Options, id snapshots.ID) (Verdict, error) {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return Verdict{}, err
	}
	current, before, err := store.Predecessor()
	if err != nil {
		return Verdict{}, err
	}
	if store.Withdrawn(id) {
		return Verdict{}, &Refused{ID: id, Faults: []string{"it was withdrawn"}}
	}
	limits := o.Config.Checks
	limits.Sources = o.Config.Drift
	faults, err := check.Snapshot(ctx, store.Dir(id), limits)
	if err != nil {
		return Verdict{}, err
	}
	if faults, err = withoutTakenOver(store, before, id, faults); err != nil {
		return Verdict{}, err
	}
	goesBack := back(store, id, before)
	if len(check.Open(faults)) == 0 && before != "" && !goesBack {
		succession, err := check.Succession(ctx, store.Dir(before), store.Dir(id), limits)
		if err != nil {
			return Verdict{}, err
		}
		faults = append(faults, succession...)
	}
	if open := check.Open(faults); len(open) > 0 {
		return Verdict{}, &Refused{ID: id, Faults: o.sentences(open)}
	}
	m, err := store.Manifest(id)
	if err != nil {
		return Verdict{}, err
	}
	return o.verdict(m, faults, current, goesBack), nil
}

// withoutTakenOver removes the faults of too few rows for tables that were copied from the previous
// snapshot: they are already published and must not stop new data.
func withoutTakenOver(store *snapshots.Store, previous, id snapshots.ID, faults []check.Fault) ([]check.Fault, error) {
	if len(faults) == 0 || previous == "" || previous == id {
		return faults, nil
	}
	before, err := store.Manifest(previous)
	if err != nil {
		return nil, err
	}
	now, err := store.Manifest(id)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(faults, func(f check.Fault) bool {
		was, had := before.Table(f.Of)
		is, has := now.Table(f.Of)
		return f.Check == check.MinRows && had && has && was.SHA256 == is.SHA256
	}), nil
}

// verdict returns the acknowledged faults, and the exceptions that match no fault. When going back
// to an older snapshot the latter are left out, since the succession was not checked.
func (o *Options) verdict(m snapshots.Manifest, faults []check.Fault, current snapshots.ID, goesBack bool) Verdict {
	v := Verdict{expect: current}
	for _, f := range faults {
		v.Acknowledged = append(v.Acknowledged, f.String())
		o.Log.Warn("a fault was acknowledged", "snapshot", m.ID, "fault", f.String())
	}
	if goesBack {
		return v
	}
	for _, e := range check.Idle(m.Exceptions, faults) {
		v.Idle = append(v.Idle, strings.TrimSuffix(e.Check+" of "+e.Of, " of "))
		o.Log.Warn("an acknowledged exception matches nothing; remove it if it is not needed any more", "check",
			e.Check, "of", e.Of, "until", e.Until)
	}
	return v
}

// sentences describes each fault and, if the configuration has an exception for it, why that does
// not apply.
func (o *Options) sentences(open []check.Fault) []string {
	var all []string
	for _, f := range open {
		what := f.String()
		for _, e := range o.Config.Checks.Exceptions {
			if e.Check == f.Check && e.Of == f.Of {
				what += fmt.Sprintf(
					" (the exception of %s is until %s; only a snapshot of that day or before that lists it is excused)", e.Who, e.Until)
			}
		}
		all = append(all, what)
	}
	return all
}

// back reports whether promoting id goes back to an older snapshot or keeps the current one.
func back(store *snapshots.Store, id, before snapshots.ID) bool {
	if id == before {
		return true
	}
	x, err := store.Index()
	if err != nil {
		return false
	}
	e, known := x.Entry(id)
	return known && e.Published() && id.Compare(before) < 0
}

// Promote checks a sealed snapshot and makes it the current one, unless another run has promoted
// one in the meantime. Promoting an older one goes back to it.
func Promote(ctx context.Context, o Options, id snapshots.ID) error {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	v, err := Check(ctx, o, id)
	if err != nil {
		return err
	}
	return v.promote(ctx, store, id)
}

// promote makes a snapshot that passed the checks the current one.
func (v Verdict) promote(ctx context.Context, store *snapshots.Store, id snapshots.ID) error {
	return store.Promote(ctx, id, v.expect)
}

// standing returns the exceptions of the configuration that are valid on the date of the data. It
// logs the expired ones, so that they are removed or renewed.
func (o *Options) standing() []snapshots.Exception {
	standing, expired := o.Config.Checks.Standing(day(o.AsOf))
	for _, e := range expired {
		o.Log.Warn("an acknowledged exception has expired and excuses nothing; remove or renew it", "check", e.Check,
			"of", e.Of, "until", e.Until)
	}
	return standing
}
