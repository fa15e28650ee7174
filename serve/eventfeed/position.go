package eventfeed

import (
	"context"
	"fmt"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// position records which events were already published: those of the last announced snapshot. It has
// the id of this snapshot and the time of its last event.
type position struct {
	id   snapshots.ID
	last time.Time // time of the last event in the snapshot; the zero time if there is none
	// creation time of the snapshot; the zero time in a position that an earlier version of the
	// program stored
	created time.Time
	// time of the last event in the deployment's first snapshot; not a part of the stored text
	start time.Time
}

// mayBeNew reports whether an event at the given time may still have to be published. If in doubt,
// it returns true, because publishing an event twice has no effect. It returns false for events of
// the deployment's first snapshot.
func (p position) mayBeNew(at time.Time) bool {
	return at.Truncate(time.Second).After(p.start) || !at.Before(p.last)
}

// String returns the position as the state database stores it: the snapshot's id, the time of its
// last event and its creation time, such as
// "2026-11-20.1 2026-11-20T06:00:00Z 2026-11-20T06:05:00Z".
func (p position) String() string {
	text := string(p.id) + " " + p.last.UTC().Format(time.RFC3339)
	if !p.created.IsZero() {
		text += " " + p.created.UTC().Format(time.RFC3339)
	}
	return text
}

func parsePosition(text string) (p position, err error) {
	name, times, _ := strings.Cut(text, " ")
	last, created, hasCreated := strings.Cut(times, " ")
	if p.id, err = snapshots.ParseID(name); err == nil {
		p.last, err = time.Parse(time.RFC3339, last)
	}
	if err == nil && hasCreated {
		p.created, err = time.Parse(time.RFC3339, created)
	}
	if err != nil {
		return position{}, fmt.Errorf("setting %s: %w", setting, err)
	}
	return p, nil
}

// isMissing reports whether the store does not have the announced snapshot: its id is not in the
// index, or belongs to another snapshot. This happens if the data directory was restored from a
// backup that is older than the state database.
func (p position) isMissing(x store.Index) bool {
	if p.created.IsZero() {
		return false
	}
	e, known := x.FindEntry(p.id)
	return !known || !e.CreatedAt.Equal(p.created)
}

// lastBefore returns a position for the newest snapshot in the index x that was created before the
// snapshot of p and was not withdrawn. If there is no such snapshot, the position has no id.
func (p position) lastBefore(x store.Index) position {
	base, created := position{last: p.last}, time.Time{}
	for _, e := range x.Snapshots {
		if e.Withdrawn == nil && !e.CreatedAt.After(p.created) && !e.CreatedAt.Before(created) {
			base.id, created = e.ID, e.CreatedAt
		}
	}
	return base
}

// start returns the time of the last event in the deployment's first snapshot. The state database
// stores this time. If it is not stored yet, start stores and returns the time of the last
// event in the announced snapshot.
func (a *Announcer) start(ctx context.Context, announced position) (time.Time, error) {
	text, err := a.Settings.LoadOrStoreSetting(ctx, startSetting,
		func() (string, error) { return announced.last.UTC().Format(time.RFC3339), nil })
	if err != nil {
		return time.Time{}, err
	}
	start, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("setting %s: %w", startSetting, err)
	}
	return start, nil
}
