package query

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/store"
)

// retryAfter is how long Watch waits before it tries a second time to mount a snapshot that could
// not be mounted.
const retryAfter = time.Minute

// errRefused is the error of Reload for a snapshot that could not be mounted a short time ago.
var errRefused = errors.New("the snapshot was refused a moment ago")

// errUnreadable is the error of Reload if it cannot read which snapshot is current.
var errUnreadable = errors.New("the name of the current snapshot cannot be read")

// Watch calls Reload after every interval until ctx ends. A second goroutine checks for withdrawn
// snapshots, so that a withdrawal takes effect while a snapshot is being mounted.
func (l *SnapshotSource) Watch(ctx context.Context, interval time.Duration) {
	var looking sync.WaitGroup
	looking.Go(func() { repeat(ctx, interval, l.dropWithdrawn) })
	var lastText string
	repeat(ctx, interval, func() { lastText = l.report(lastText, l.Reload(ctx)) })
	looking.Wait()
}

// repeat calls f after every interval until ctx ends.
func repeat(ctx context.Context, interval time.Duration, f func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f()
		}
	}
}

// report logs an error of Reload that wraps errUnreadable, and returns the error's text. lastText
// is the text that was logged last; an equal text is not logged again. For any other error, report
// returns "".
func (l *SnapshotSource) report(lastText string, err error) string {
	if !errors.Is(err, errUnreadable) {
		return ""
	}
	if err.Error() != lastText {
		l.log.Error("no newer snapshot can be taken up", "error", err)
	}
	return err.Error()
}

// Reload mounts the store's current snapshot if that has changed. If the new snapshot cannot be
// verified or mounted, the previous one stays in use. Reload also drops withdrawn snapshots.
func (l *SnapshotSource) Reload(ctx context.Context) error {
	l.dropWithdrawn()
	l.mounting.Lock()
	defer l.mounting.Unlock()
	id, err := l.store.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		return api.ErrNoSnapshot
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	l.mu.Lock()
	same := id == l.current
	_, unpin, kept := l.use(id) // keeps it open until it is current again
	l.mu.Unlock()
	if kept {
		defer unpin()
	}
	if same {
		return nil
	}
	var s *Snapshot
	if !kept {
		if s, err = l.mountNew(ctx, id); err != nil {
			return err
		}
	}
	if l.swap(id, s) {
		l.log.Info("snapshot taken up", "snapshot", id)
	}
	return nil
}

// mountNew mounts a snapshot. The error is errRefused if mounting it failed less than retryAfter
// ago.
func (l *SnapshotSource) mountNew(ctx context.Context, id snapshots.ID) (*Snapshot, error) {
	if l.failedID == id && l.now().Before(l.failedAt.Add(retryAfter)) {
		return nil, fmt.Errorf("%s: %w", id, errRefused)
	}
	s, err := l.mount(ctx, l.store.SnapshotDir(id), l.options)
	if err == nil {
		l.failedID = ""
		if s != nil && s.withoutPartners {
			l.log.Warn("the events of partners are not in the data directory, so no partner sees its own; copy partners/ "+
				"before the snapshot", "snapshot", id)
		}
		return s, nil
	}
	if ctx.Err() != nil { // the server is stopping
		return nil, err
	}
	if l.failedID != id { // logged once, not at every attempt
		l.log.Error("snapshot refused; the previous one goes on answering", "snapshot", id, "error", err)
	}
	l.failedID, l.failedAt = id, l.now()
	return nil, err
}

// swap makes id the current snapshot and reports whether it did. s is the newly mounted snapshot,
// or nil if id is already open. swap does nothing after Close, or if id has been withdrawn.
func (l *SnapshotSource) swap(id snapshots.ID, s *Snapshot) (swapped bool) {
	l.change(func() {
		l.add(id, s)
		if swapped = !l.closed && !l.store.IsWithdrawn(id); swapped { // it may have been withdrawn while it was mounted
			l.current = id
		} else {
			l.open[id].withdrawn = true
		}
	})
	return swapped
}

// dropWithdrawn stops serving withdrawn snapshots, including the current one. Running queries
// finish, but no new ones begin.
func (l *SnapshotSource) dropWithdrawn() {
	l.change(func() {
		for id, m := range l.open {
			if m.withdrawn || !l.store.IsWithdrawn(id) {
				continue
			}
			m.withdrawn = true
			if id == l.current {
				l.current = ""
			}
			l.log.Warn("snapshot was withdrawn and is not served any more", "snapshot", id)
		}
	})
}
