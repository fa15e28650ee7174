package eventfeed

import (
	"context"
	"fmt"
	"strings"
	"time"

	"labour/snapshots"
)

// mark records which events were already published: the last announced snapshot and the time of its
// last event.
type mark struct {
	id   snapshots.ID
	last time.Time // time of the last event in the snapshot; the zero time if there is none
	// time of the last event in the deployment's first snapshot; not a part of the stored text
	start time.Time
}

// mayBeNew reports whether an event at the given time may still have to be published. If in doubt,
// it returns true, because publishing an event twice has no effect. It returns false for events of
// the deployment's first snapshot.
func (m mark) mayBeNew(at time.Time) bool {
	return at.Truncate(time.Second).After(m.start) || !at.Before(m.last)
}

// String returns the mark as the state database stores it: a snapshot id and a time, such as
// "2026-11-20.1 2026-11-20T06:00:00Z".
func (m mark) String() string { return string(m.id) + " " + m.last.UTC().Format(time.RFC3339) }

func parseMark(text string) (m mark, err error) {
	name, at, _ := strings.Cut(text, " ")
	if m.id, err = snapshots.ParseID(name); err == nil {
		m.last, err = time.Parse(time.RFC3339, at)
	}
	if err != nil {
		return mark{}, fmt.Errorf("setting %s: %w", setting, err)
	}
	return m, nil
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
