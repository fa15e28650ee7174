package eventfeed

import (
	"context"
	"fmt"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// mark records which events were already published: the last announced snapshot and the time of its
// last event.
type mark struct {
	id   snapshots.ID
	last time.Time // time of the last event in the snapshot; the zero time if there is none
	// creation time of the snapshot; the zero time in a mark that an earlier version of the program
	// stored
	created time.Time
	// time of the last event in the deployment's first snapshot; not a part of the stored text
	start time.Time
}

// mayBeNew reports whether an event at the given time may still have to be published. If in doubt,
// it returns true, because publishing an event twice has no effect. It returns false for events of
// the deployment's first snapshot.
func (m mark) mayBeNew(at time.Time) bool {
	return at.Truncate(time.Second).After(m.start) || !at.Before(m.last)
}

// String returns the mark as the state database stores it: the snapshot's id, the time of its last
// event and its creation time, such as
// "2026-11-20.1 2026-11-20T06:00:00Z 2026-11-20T06:05:00Z".
func (m mark) String() string {
	text := string(m.id) + " " + m.last.UTC().Format(time.RFC3339)
	if !m.created.IsZero() {
		text += " " + m.created.UTC().Format(time.RFC3339)
	}
	return text
}

func parseMark(text string) (m mark, err error) {
	name, times, _ := strings.Cut(text, " ")
	last, created, hasCreated := strings.Cut(times, " ")
	if m.id, err = snapshots.ParseID(name); err == nil {
		m.last, err = time.Parse(time.RFC3339, last)
	}
	if err == nil && hasCreated {
		m.created, err = time.Parse(time.RFC3339, created)
	}
	if err != nil {
		return mark{}, fmt.Errorf("setting %s: %w", setting, err)
	}
	return m, nil
}

// isMissing reports whether the store does not have the marked snapshot: its id is not in the
// index, or belongs to another snapshot. This happens if the data directory was restored from a
// backup that is older than the state database.
func (m mark) isMissing(x store.Index) bool {
	if m.created.IsZero() {
		return false
	}
	e, known := x.FindEntry(m.id)
	return !known || !e.CreatedAt.Equal(m.created)
}

// lastBefore returns a mark for the newest snapshot in the index x that was created before the
// snapshot of m and was not withdrawn. If there is no such snapshot, the mark has no id.
func (m mark) lastBefore(x store.Index) mark {
	base, created := mark{last: m.last}, time.Time{}
	for _, e := range x.Snapshots {
		if e.Withdrawn == nil && !e.CreatedAt.After(m.created) && !e.CreatedAt.Before(created) {
			base.id, created = e.ID, e.CreatedAt
		}
	}
	return base
}

// start returns the time of the last event in the deployment's first snapshot. The state database
// stores this time. If it is not stored yet, start stores and returns the time in marked.
func (a *Announcer) start(ctx context.Context, marked mark) (time.Time, error) {
	text, err := a.Settings.LoadOrStoreSetting(ctx, startSetting,
		func() (string, error) { return marked.last.UTC().Format(time.RFC3339), nil })
	if err != nil {
		return time.Time{}, err
	}
	start, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("setting %s: %w", startSetting, err)
	}
	return start, nil
}
