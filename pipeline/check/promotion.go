package check

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"labour/pipeline/check/limits"
	"labour/snapshots"
	"labour/snapshots/store"
)

// RefusedError is the error for a sealed snapshot that may not be promoted.
type RefusedError struct {
	ID     snapshots.ID
	Faults []string
}

// Error returns a message that lists every fault.
func (r *RefusedError) Error() string {
	return fmt.Sprintf("snapshot %s is not promoted: %s", r.ID, strings.Join(r.Faults, "; "))
}

// PromotionPermit permits making a snapshot the current one. Only CheckPromotion issues it, after
// the snapshot has passed its checks.
type PromotionPermit struct {
	// AcknowledgedFaults has a text for each fault that the operator has acknowledged with an
	// exception.
	AcknowledgedFaults []string
	// UnusedExceptions are the exceptions in the manifest that match no fault, each as "CHECK of
	// SUBJECT", such as "shrink of jobs".
	UnusedExceptions []string
	// id of the snapshot that was current during the checks; empty = none
	expect snapshots.ID
}

// CheckPromotion checks whether a sealed snapshot may replace the current one. The error is a
// *RefusedError if the snapshot was withdrawn or has unacknowledged faults. When an older published
// snapshot is promoted again, CheckPromotion does not compare it with the current one.
func CheckPromotion(ctx context.Context, store *store.Store, id snapshots.ID, l limits.Checks,
	log *slog.Logger) (PromotionPermit, error) {
	current, predecessor, err := store.CurrentAndPredecessor()
	if err != nil {
		return PromotionPermit{}, err
	}
	if store.IsWithdrawn(id) {
		return PromotionPermit{}, &RefusedError{ID: id, Faults: []string{"it was withdrawn"}}
	}
	faults, err := FindFaults(ctx, store, id, l)
	if err != nil {
		return PromotionPermit{}, err
	}
	if faults, err = withoutFaultsOfCopiedTables(store, predecessor, id, faults); err != nil {
		return PromotionPermit{}, err
	}
	m, err := store.Manifest(id)
	if err != nil {
		return PromotionPermit{}, err
	}
	goesBack := isPromotedAgain(store, id, predecessor)
	isSound := len(UnacknowledgedFaults(faults)) == 0
	if isSound && predecessor != "" && !goesBack {
		succession, err := FindSuccessionFaults(ctx, store.SnapshotDir(predecessor), store.SnapshotDir(id), l)
		if err != nil {
			return PromotionPermit{}, err
		}
		faults = append(faults, succession...)
	}
	if isSound {
		faults = append(faults, quarterMadeAgain(store, predecessor, m)...)
	}
	if open := UnacknowledgedFaults(faults); len(open) > 0 {
		return PromotionPermit{}, &RefusedError{ID: id, Faults: describeFaults(open, l.Exceptions)}
	}
	return newPermit(m, faults, current, goesBack, log), nil
}

// withoutFaultsOfCopiedTables returns the faults without those about too few rows in tables that have not
// changed since the previous snapshot. The rows of these tables are already published.
func withoutFaultsOfCopiedTables(store *store.Store, previous, id snapshots.ID, faults []Fault) ([]Fault, error) {
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
	return slices.DeleteFunc(faults, func(f Fault) bool {
		was, had := before.Table(f.Subject)
		is, has := now.Table(f.Subject)
		isUnchanged := had && has && was.SHA256 == is.SHA256
		return f.Check == limits.CheckMinRows && isUnchanged
	}), nil
}

// newPermit returns a permit that lists the acknowledged faults and the unused exceptions. If
// goesBack is true, an older snapshot is promoted again. In this case the permit lists no unused
// exceptions, because not all checks were made. current is the snapshot that is current now.
func newPermit(m snapshots.Manifest, faults []Fault, current snapshots.ID, goesBack bool,
	log *slog.Logger) PromotionPermit {
	p := PromotionPermit{expect: current}
	for _, f := range faults {
		p.AcknowledgedFaults = append(p.AcknowledgedFaults, f.String())
		log.Warn("a fault was acknowledged", "snapshot", m.ID, "fault", f.String())
	}
	if goesBack {
		return p
	}
	for _, e := range UnusedExceptions(m.Exceptions, faults) {
		p.UnusedExceptions = append(p.UnusedExceptions, strings.TrimSuffix(e.Check+" of "+e.Subject, " of "))
		log.Warn("an acknowledged exception matches nothing; remove it if it is not needed any more", "check",
			e.Check, "of", e.Subject, "until", e.ValidUntil)
	}
	return p
}

// describeFaults returns a text for each fault in open. If the configuration has an exception for a
// fault, the text explains why the exception does not apply.
func describeFaults(open []Fault, exceptions []limits.Exception) []string {
	var all []string
	for _, f := range open {
		what := f.String()
		for _, e := range exceptions {
			if e.Check == f.Check && e.Subject == f.Subject {
				what += fmt.Sprintf(
					" (the exception of %s ends on %s; it excuses only snapshots up to that day that list it)",
					e.AcceptedBy, e.ValidUntil)
			}
		}
		all = append(all, what)
	}
	return all
}

// isPromotedAgain reports whether the snapshot id was published before, so that its promotion makes
// an older snapshot current again. It returns true if id is predecessor, the snapshot with which a
// new one is compared. It also returns true if the store's index has id as published and id is
// older than predecessor.
func isPromotedAgain(store *store.Store, id, predecessor snapshots.ID) bool {
	if id == predecessor {
		return true
	}
	x, err := store.Index()
	if err != nil {
		return false
	}
	e, found := x.FindEntry(id)
	return found && e.Published() && id.Compare(predecessor) < 0
}

// Promote makes the checked snapshot the current one. It fails if another snapshot was promoted
// since the check.
func (p PromotionPermit) Promote(ctx context.Context, store *store.Store, id snapshots.ID) error {
	return store.Promote(ctx, id, p.expect)
}
