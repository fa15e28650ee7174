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

// retryAfter is the wait before a snapshot that could not be mounted is tried again.
const retryAfter = time.Minute

// errRefused means that mounting a snapshot failed less than a minute ago and is not tried again
// yet.
var errRefused = errors.New("the snapshot was refused a moment ago")

// errUnreadable means that Reload cannot read from disk which snapshot is current.
var errUnreadable = errors.New("the name of the current snapshot cannot be read")

// Watch calls Reload at every interval until ctx ends. It also checks for withdrawn snapshots at
// every interval, even while a snapshot is being mounted.
func (l *SnapshotSource) Watch(ctx context.Context, interval time.Duration) {
	var looking sync.WaitGroup
	looking.Go(func() { repeat(ctx, interval, l.dropWithdrawn) })
	var lastText string
	repeat(ctx, interval, func() { lastText = l.report(lastText, l.Reload(ctx)) })
	looking.Wait()
}

// repeat calls f at every interval until ctx ends.
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

// report logs an error that wraps errUnreadable, unless its text equals lastText. It returns the
// text of the error. It ignores any other error and returns "".
func (l *SnapshotSource) report(lastText string, err error) string {
	if !errors.Is(err, errUnreadable) {
		return ""
	}
	if err.Error() != lastText {
		l.log.Error("no newer snapshot can be taken up", "error", err)
	}
	return err.Error()
}

// Reload mounts the current snapshot if another one has become current. If the new snapshot cannot
// be verified or mounted, the previous one stays in use. Reload also stops serving withdrawn
// snapshots.
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

// mountNew mounts a snapshot. It returns errRefused if an attempt to mount it failed less than
// retryAfter ago.
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
		l.log.Error("snapshot refused; if the one before is open, it goes on answering", "snapshot", id, "error", err)
	}
	l.failedID, l.failedAt = id, l.now()
	return nil, err
}

// swap makes the snapshot id the current one and reports whether it did so. s is the newly mounted
// snapshot; it is nil if the snapshot was open already. swap returns false if the snapshot was
// withdrawn or l is closed.
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

// dropWithdrawn stops serving withdrawn snapshots. Running requests can finish. If the current
// snapshot was withdrawn, there is no current snapshot until another one is mounted.
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
