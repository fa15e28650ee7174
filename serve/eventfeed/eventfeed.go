// Package eventfeed sends the events of each new snapshot to the partners' webhooks. An event is an
// application, a click, a recorded outcome or a new opportunity.
//
// # What is published
//
// When the server switches to a new snapshot, the package publishes the events that the last
// announced snapshot did not have. An event is identified by its time and its id. The events of a
// deployment's first snapshot are not published, so that no partner receives years of events at
// once. They are at /v1/events. A return to an older snapshot publishes nothing, since its events
// were announced before. The store's index decides which snapshot is older, because a clock may
// have been wrong. After a withdrawal, the snapshot before the withdrawn one counts as the last
// announced. A snapshot that was replaced while no server ran is skipped.
//
// # Progress
//
// The state database stores a position: the last announced snapshot and the time of its last event.
// The position is updated after all events are published. A killed server publishes the rest after
// its restart; publishing an event again changes nothing. Several servers on one database may do the
// same work at the same time. If the announced snapshot was deleted meanwhile, all events since the
// deployment's first snapshot are published again. Otherwise an event that arrived late would be lost.
//
// If the data directory was restored from an older backup, the announced snapshot is missing, and new
// snapshots may have its id. The creation time in the position shows this. New events are then those that
// the newest snapshot from before that time does not have.
package eventfeed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"labour/serve/api"
	"labour/serve/state"
	"labour/serve/webhooks"
	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// Publisher sends events to webhooks. *webhooks.Service implements it. Publish returns the number
// of events that it has sent for the first time. An event whose id was published before must have
// no effect.
type Publisher interface {
	Publish(ctx context.Context, events []webhooks.Event) (int, error)
}

// Settings stores named texts in the state database. *state.DB implements it. The Announcer stores
// there which snapshot it announced last. LoadOrStoreSetting returns a setting, and first stores
// the value of initial if the setting does not exist. ReplaceSetting returns false, and changes
// nothing, if the current value is not oldValue.
type Settings interface {
	LoadOrStoreSetting(ctx context.Context, name string, initial func() (string, error)) (string, error)
	ReplaceSetting(ctx context.Context, name, oldValue, newValue string) (bool, error)
}

// Announcer sends the new events of each new snapshot to webhooks. Only one goroutine may use it.
type Announcer struct {
	Store     *store.Store
	Settings  Settings
	Publisher Publisher
	// CurrentSnapshot returns the id of the snapshot that the server uses; false if there is none.
	CurrentSnapshot func() (snapshots.ID, bool)
	Log             *slog.Logger

	lastError string // last logged error; the same error is not logged twice in a row
}

const (
	// setting is the name of a setting in the state database. Its value is the id of the last
	// announced snapshot, the time of its last event and its creation time.
	setting = "announced_events"
	// startSetting is the name of a setting in the state database. Its value is the time of the
	// last event in the deployment's first snapshot, such as "2026-11-20T06:00:00Z".
	startSetting = "announced_events_start"
	// chunk is the largest number of events that are passed to one call of Publish.
	chunk = 1000
)

// Run announces each new current snapshot until ctx ends. It checks for a new snapshot at every
// interval. After an error it tries again at the next interval. It does not log the same error
// twice in a row.
func (a *Announcer) Run(ctx context.Context, interval time.Duration) {
	var done snapshots.ID
	state.RunEvery(ctx, interval, func() {
		if id, ok := a.CurrentSnapshot(); ok && id != done {
			if _, err := a.Announce(ctx, id); err == nil {
				done, a.lastError = id, ""
			} else if ctx.Err() == nil && err.Error() != a.lastError {
				a.lastError = err.Error()
				a.Log.Error("events could not be published; they are tried again", "snapshot", id, "error", err)
			}
		}
	})
}

// Announce publishes the events of a snapshot that were not in the last announced snapshot. It
// returns the number of published events.
func (a *Announcer) Announce(ctx context.Context, id snapshots.ID) (published int, err error) {
	defer state.WrapError(&err, "announce snapshot %s", id)
	text, err := a.Settings.LoadOrStoreSetting(ctx, setting, func() (string, error) {
		first, err := a.positionOf(id, time.Time{})
		return first.String(), err
	})
	if err != nil {
		return 0, err
	}
	announced, err := parsePosition(text)
	if err != nil {
		return 0, err
	}
	start, err := a.start(ctx, announced)
	if err != nil {
		return 0, err
	}
	base, isOlder, err := a.findBase(id, announced)
	if err != nil || isOlder {
		return 0, err
	}
	base.start = start
	last := base.last
	if id != base.id {
		published, last, err = a.publish(ctx, id, base)
	}
	if err != nil {
		return published, err
	}
	if published > 0 {
		a.Log.Info("events published", "snapshot", id, "events", published)
	}
	m, err := a.Store.Manifest(id)
	if err != nil {
		return published, err
	}
	if next := (position{id: id, last: last, created: m.CreatedAt}).String(); next != text {
		// If another server was faster, its position is kept.
		_, err = a.Settings.ReplaceSetting(ctx, setting, text, next)
	}
	return published, err
}

// isGone reports whether err means that the event files of a snapshot no longer exist.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrNoPartnerFiles)
}

// publish publishes the events of snapshot id that are not in the earlier snapshot base. It returns
// the number of published events and the time of the last event.
func (a *Announcer) publish(ctx context.Context, id snapshots.ID,
	base position) (published int, lastEvent time.Time, err error) {
	lastEvent = base.last
	var batch []webhooks.Event
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := a.Publisher.Publish(ctx, batch)
		published += n
		batch = batch[:0]
		return err
	}
	handle := func(row snapshots.EventsRow, fresh bool) error {
		if row.OccurredAt.After(lastEvent) {
			lastEvent = row.OccurredAt
		}
		if !fresh || !row.IsVisible() {
			return nil
		}
		e := eventOf(row)
		if err := e.Validate(); err != nil { // an invalid row must not block the others
			a.Log.Error("an event of the snapshot cannot be sent", "snapshot", id, "error", err)
			return nil
		}
		if batch = append(batch, e); len(batch) == chunk {
			return flush()
		}
		return nil
	}
	files, err := a.events(id)
	if err != nil { // another server that has the events of partners may announce them
		return 0, lastEvent, err
	}
	if err := a.compare(files, base, handle); err != nil {
		return published, lastEvent, err
	}
	err = flush()
	return published, lastEvent, err
}

// compare calls handle for every event in files. The argument fresh is true if the earlier snapshot
// base does not have the event. If the event files of base no longer exist, fresh is true for every
// event that may be new.
func (a *Announcer) compare(files []string, base position,
	handle func(row snapshots.EventsRow, fresh bool) error) error {
	baseFiles, err := a.events(base.id)
	gone := isGone(err)
	if gone {
		a.Log.Warn("the events announced before are gone; those since the first announced snapshot are published",
			"snapshot", base.id, "since", base.start)
	} else if err != nil {
		return err
	}
	for _, f := range files {
		if gone {
			err = parquetio.ForEachRow(f,
				func(row snapshots.EventsRow) error { return handle(row, base.mayBeNew(row.OccurredAt)) })
		} else {
			err = difference(f, olderOf(f, baseFiles), handle)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// olderOf returns the path in baseFiles that has the same file name as f. It returns "" if there is
// no such path.
func olderOf(f string, baseFiles []string) string {
	if i := slices.IndexFunc(baseFiles, func(o string) bool { return filepath.Base(o) == filepath.Base(f) }); i >= 0 {
		return baseFiles[i]
	}
	return ""
}

// events returns the paths of a snapshot's event files. The first path is the public table of
// events.
func (a *Announcer) events(id snapshots.ID) ([]string, error) {
	m, err := a.Store.Manifest(id)
	if err != nil {
		return nil, err
	}
	return eventfiles.FindFiles(a.Store.SnapshotDir(id), m)
}

// positionOf returns the position after all events of a snapshot were announced. It has the time of
// the last event, or minTime if that is later.
func (a *Announcer) positionOf(id snapshots.ID, minTime time.Time) (position, error) {
	files, err := a.events(id)
	if err != nil {
		return position{}, err
	}
	for _, f := range files {
		for row, err := range parquetio.Rows[snapshots.EventsRow](f) {
			if err != nil {
				return position{}, err
			}
			if row.OccurredAt.After(minTime) {
				minTime = row.OccurredAt
			}
		}
	}
	return position{id: id, last: minTime}, nil
}

func eventOf(row snapshots.EventsRow) webhooks.Event {
	return webhooks.Event{ID: row.ID, Type: string(row.Type), Partner: row.Partner, At: row.OccurredAt,
		Data: api.EventData{Advert: row.Advert, Borough: row.Borough, Outcome: row.Outcome}}
}

// name identifies an event by its time and id. An event has the same name in every snapshot. Event
// files are sorted by name.
type name struct {
	OccurredAt time.Time `col:"occurred_at" is:"moment"`
	ID         string    `col:"id"`
}

func (n name) compare(o name) int {
	return cmp.Or(n.OccurredAt.Compare(o.OccurredAt), strings.Compare(n.ID, o.ID))
}

// difference calls handle for every event in file. The argument fresh is true if baseFile, the
// event file of an earlier snapshot, does not have the event. If baseFile is "", all events are
// fresh. Both files are sorted and read in parallel, so they need not fit in memory.
func difference(file, baseFile string, handle func(row snapshots.EventsRow, fresh bool) error) error {
	baseNames := func(func(name, error) bool) {}
	if baseFile != "" {
		baseNames = parquetio.Rows[name](baseFile)
	}
	next, stop := iter.Pull2(baseNames)
	defer stop()
	old, err, more := next()
	return parquetio.ForEachRow(file, func(row snapshots.EventsRow) error {
		this := name{row.OccurredAt, row.ID}
		for more && err == nil && old.compare(this) < 0 {
			old, err, more = next()
		}
		if more && err != nil {
			return fmt.Errorf("read the events announced before: %w", err)
		}
		return handle(row, !more || old.compare(this) != 0)
	})
}
