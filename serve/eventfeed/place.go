package eventfeed

import (
	"errors"
	"io/fs"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// place returns base, the earlier snapshot with which the events of snapshot id are compared. It is
// marked, the last announced snapshot. If that one was withdrawn, the base is the last snapshot
// before it that was not withdrawn. older is true if snapshot id is older than the base.
func (a *Announcer) place(id snapshots.ID, marked mark) (base mark, older bool, err error) {
	x, err := a.Store.Index()
	if errors.Is(err, fs.ErrNotExist) {
		return marked, id.Compare(marked.id) < 0, nil
	}
	if err != nil {
		return mark{}, false, err
	}
	if marked.isMissing(x) {
		base, older = a.placeByTime(x, id, marked)
		return base, older, nil
	}
	base = marked
	if standing := x.LastNotWithdrawn(marked.id); standing != "" && standing != marked.id {
		a.Log.Warn("the snapshot whose events were announced last was withdrawn; what is new is found from the one before it",
			"withdrawn", marked.id, "before", standing)
		if base, err = a.markOf(standing, time.Time{}); isGone(err) {
			base, err = mark{id: standing, last: marked.last}, nil
		}
		if err != nil {
			return mark{}, false, err
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

// placeByTime returns the base for snapshot id if the store has lost the last announced snapshot,
// marked. It compares creation times, because the store may use the ids of lost snapshots for new
// ones. older is true if snapshot id is older than the lost one.
func (a *Announcer) placeByTime(x store.Index, id snapshots.ID, marked mark) (base mark, older bool) {
	if e, known := x.FindEntry(id); known && !e.CreatedAt.After(marked.created) {
		a.logOlder(id, marked.id)
		return marked, true
	}
	base = marked.lastBefore(x)
	a.Log.Warn("the snapshot whose events were announced last is not in the data directory; what is new is found from "+
		"the one before it", "missing", marked.id, "before", base.id)
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
