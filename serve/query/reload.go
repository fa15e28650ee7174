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

// retryAfter is how long Watch waits before it tries a refused snapshot again: verifying it reads
// every byte, and few faults disappear by themselves.
const retryAfter = time.Minute

// errRefused is returned by Reload for a snapshot that was refused recently.
var errRefused = errors.New("the snapshot was refused a moment ago")

// errUnreadable is returned by Reload if it cannot read which snapshot is current.
var errUnreadable = errors.New("the name of the current snapshot cannot be read")

// Watch checks CURRENT, and for withdrawn snapshots, at every interval until ctx ends. A withdrawal
// does not wait for a snapshot that is being mounted.
func (l *Live) Watch(ctx context.Context, every time.Duration) {
	var looking sync.WaitGroup
	looking.Go(func() { repeat(ctx, every, l.dropWithdrawn) })
	var said string
	repeat(ctx, every, func() { said = l.report(said, l.Reload(ctx)) })
	looking.Wait()
}

// repeat calls f every interval until ctx ends.
func repeat(ctx context.Context, every time.Duration, f func()) {
	tick := time.NewTicker(every)
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

// report logs that the current snapshot could not be determined. The same error is logged only once
// in a row: said is what the call before returned. Reload logs all other errors.
func (l *Live) report(said string, err error) string {
	if !errors.Is(err, errUnreadable) {
		return ""
	}
	if err.Error() != said {
		l.log.Error("no newer snapshot can be taken up", "error", err)
	}
	return err.Error()
}

// Reload mounts the snapshot that CURRENT names, if it has changed. A snapshot that does not verify
// or mount is refused and logged, and the previous one stays in use. A withdrawn snapshot is
// dropped in any case.
func (l *Live) Reload(ctx context.Context) error {
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

// mountNew mounts a snapshot. A refused one is not tried again before retryAfter.
func (l *Live) mountNew(ctx context.Context, id snapshots.ID) (*Snapshot, error) {
	if l.refused == id && l.now().Before(l.refusedAt.Add(retryAfter)) {
		return nil, fmt.Errorf("%s: %w", id, errRefused)
	}
	s, err := l.mount(ctx, l.store.Dir(id), l.options)
	if err == nil {
		l.refused = ""
		if s != nil && s.withoutPartners {
			l.log.Warn("the events of partners are not in the data directory, so no partner sees its own; copy partners/ before the snapshot", "snapshot", id)
		}
		return s, nil
	}
	if ctx.Err() != nil { // the server is stopping
		return nil, err
	}
	if l.refused != id { // logged once, not at every attempt
		l.log.Error("snapshot refused; the previous one goes on answering", "snapshot", id, "error", err)
	}
	l.refused, l.refusedAt = id, l.now()
	return nil, err
}

// swap makes id current. s is nil if it is already open. After Close, and for a snapshot that has
// been withdrawn meanwhile, it only closes s.
func (l *Live) swap(id snapshots.ID, s *Snapshot) (swapped bool) {
	l.change(func() {
		l.add(id, s)
		if swapped = !l.closed && !l.store.Withdrawn(id); swapped { // it may have been withdrawn while it was mounted
			l.current = id
		} else {
			l.open[id].withdrawn = true
		}
	})
	return swapped
}

// dropWithdrawn stops serving withdrawn snapshots at once, including the current one: running
// queries finish, and no new ones begin.
func (l *Live) dropWithdrawn() {
	l.change(func() {
		for id, m := range l.open {
			if m.withdrawn || !l.store.Withdrawn(id) {
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
