package eventfeed

import (
	"errors"
	"io/fs"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// findBase returns base, the earlier snapshot with which the events of snapshot id are compared. This
// is the snapshot that was announced last. If that one was withdrawn, the base is the last snapshot
// before it that was not withdrawn. older is true if snapshot id is older than the base.
func (a *Announcer) findBase(id snapshots.ID, announced position) (base position, older bool, err error) {
	x, err := a.Store.Index()
	if errors.Is(err, fs.ErrNotExist) {
		return announced, id.Compare(announced.id) < 0, nil
	}
	if err != nil {
		return position{}, false, err
	}
	if announced.isMissing(x) {
		base, older = a.findBaseByTime(x, id, announced)
		return base, older, nil
	}
	base = announced
	if standing := x.LastNotWithdrawn(announced.id); standing != "" && standing != announced.id {
		a.Log.Warn("the snapshot whose events were announced last was withdrawn; new events are found from the one before it",
			"withdrawn", announced.id, "before", standing)
		if base, err = a.positionOf(standing, time.Time{}); isGone(err) {
			base, err = position{id: standing, last: announced.last}, nil
		}
		if err != nil {
			return position{}, false, err
		}
	}
	if older = isOlder(x, id, base.id); older {
		a.logOlder(id, base.id)
	}
	return base, older, nil
}

func (a *Announcer) logOlder(id, announced snapshots.ID) {
	a.Log.Info("no events are published: the snapshot is older than the one whose events were announced last",
		"snapshot", id, "announced", announced)
}

// findBaseByTime returns the base for snapshot id if the store has lost the snapshot that was announced
// last. It compares creation times, because the store may use the ids of lost snapshots for new
// ones. older is true if snapshot id is older than the lost one.
func (a *Announcer) findBaseByTime(x store.Index, id snapshots.ID, announced position) (base position, older bool) {
	if e, known := x.FindEntry(id); known && !e.CreatedAt.After(announced.created) {
		a.logOlder(id, announced.id)
		return announced, true
	}
	base = announced.lastBefore(x)
	a.Log.Warn("the snapshot whose events were announced last is not in the data directory; new events are found from "+
		"the one before it", "missing", announced.id, "before", base.id)
	return base, false
}

// isOlder reports whether snapshot id is older than snapshot baseID, according to the store's
// index. If the index does not order the two, isOlder compares their creation times. If these are
// unknown, it compares their ids.
func isOlder(x store.Index, id, baseID snapshots.ID) bool {
	switch x.Order(id, baseID) {
	case store.SnapshotOrderEarlier:
		return true
	case store.SnapshotOrderLater, store.SnapshotOrderForked: // announced events are not sent twice
		return false
	}
	one, known := x.FindEntry(id)
	other, too := x.FindEntry(baseID)
	if known && too {
		return one.CreatedAt.Before(other.CreatedAt)
	}
	return id.Compare(baseID) < 0
}
