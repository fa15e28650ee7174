package query

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// reopen mounts a superseded snapshot for a call, one snapshot at a time, and concurrently with
// Reload. The caller waits until ctx ends; mounting continues without it, so that the next caller
// finds it.
func (l *Live) reopen(ctx context.Context, id snapshots.ID) error {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("wait to open snapshot %s: %w", id, ctx.Err())
	}
	l.mu.Lock()
	begun := !l.closed && l.open[id] == nil // another caller may have opened it
	done := make(chan error, 1)
	if begun {
		l.reopening.Go(func() {
			defer func() { <-l.turn }()
			done <- l.remount(id)
		})
	}
	l.mu.Unlock()
	if !begun {
		<-l.turn
		return nil
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("open snapshot %s: %w", id, ctx.Err())
	}
}

// remount mounts a superseded snapshot that is kept, and keeps it open.
func (l *Live) remount(id snapshots.ID) error {
	ctx, cancel := context.WithTimeout(l.running, mountLimit)
	defer cancel()
	all, err := l.store.Superseded(ctx)
	if err != nil {
		return fmt.Errorf("find when snapshot %s was superseded: %w", id, err)
	}
	if _, published := all[id]; !published {
		return api.ErrSnapshotGone
	}
	if _, err := os.Stat(l.store.Dir(id)); errors.Is(err, fs.ErrNotExist) {
		return api.ErrSnapshotGone
	}
	s, err := l.mount(ctx, l.store.Dir(id), l.options)
	if err != nil {
		l.log.Error("superseded snapshot could not be mounted", "snapshot", id, "error", err)
		return fmt.Errorf("%w: %w", api.ErrUnavailable, err)
	}
	l.change(func() { // makes room by closing others
		l.add(id, s)
		l.open[id].users++
	})
	l.mu.Lock()
	l.open[id].users--
	l.mu.Unlock()
	return nil
}

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

// report logs that the current snapshot is unknown, once while the error stays the same; Reload
// logs its other errors. It returns the text to compare the next error with.
func (l *Live) report(said string, err error) string {
	if !errors.Is(err, errUnreadable) {
		return ""
	}
	if err.Error() != said {
		l.log.Error("no newer snapshot can be taken up", "error", err)
	}
	return err.Error()
}
