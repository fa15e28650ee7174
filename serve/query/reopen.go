package query

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// mountLimit is the time limit for mounting an earlier snapshot that a request needs.
const mountLimit = 2 * time.Minute

// AcquireByID returns the snapshot with an id, and a function that releases it. If the snapshot is
// not open and reopen is true, AcquireByID mounts it. The errors are:
//
//   - api.ErrSnapshotWithdrawn if the operator withdrew the snapshot;
//   - api.ErrSnapshotGone if it is unknown or no longer on disk, or not open and reopen is false;
//   - api.ErrSnapshotUnavailable if mounting fails.
func (l *SnapshotSource) AcquireByID(ctx context.Context, name string, reopen bool) (api.Snapshot, func(), error) {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", api.ErrSnapshotGone, err)
	}
	for {
		if l.store.IsWithdrawn(id) { // it may have been withdrawn since it was opened
			return nil, nil, api.ErrSnapshotWithdrawn
		}
		l.mu.Lock()
		s, release, ok := l.use(id)
		l.mu.Unlock()
		if ok {
			return s, release, nil
		}
		if !reopen {
			return nil, nil, api.ErrSnapshotGone
		}
		if err := l.reopen(ctx, id); err != nil {
			return nil, nil, err
		}
		reopen = false
	}
}

// IsOpen reports whether the snapshot with the given id is mounted and not withdrawn. It returns
// false if the text is not a valid id. The call does not count as a use of the snapshot.
func (l *SnapshotSource) IsOpen(idText string) bool {
	id, err := snapshots.ParseID(idText)
	if err != nil || l.store.IsWithdrawn(id) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.open[id]
	return m != nil && !m.withdrawn && !l.closed
}

// reopen mounts an earlier snapshot and waits until it is open. It mounts one snapshot at a time.
// If ctx ends, reopen returns an error, but mounting continues for later requests.
func (l *SnapshotSource) reopen(ctx context.Context, id snapshots.ID) error {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("wait to open snapshot %s: %w", id, ctx.Err())
	}
	l.mu.Lock()
	begun := !l.closed && l.open[id] == nil // another caller may have opened it
	done := make(chan error, 1)
	if begun {
		l.reopens.Go(func() {
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

// remount mounts an earlier snapshot that is still on disk and adds it to the open snapshots.
func (l *SnapshotSource) remount(id snapshots.ID) error {
	ctx, cancel := context.WithTimeout(l.running, mountLimit)
	defer cancel()
	all, err := l.store.SupersededTimes(ctx)
	if err != nil {
		return fmt.Errorf("find when snapshot %s was superseded: %w", id, err)
	}
	if _, published := all[id]; !published {
		return api.ErrSnapshotGone
	}
	if _, err := os.Stat(l.store.SnapshotDir(id)); errors.Is(err, fs.ErrNotExist) {
		return api.ErrSnapshotGone
	}
	s, err := l.mount(ctx, l.store.SnapshotDir(id), l.options)
	if err != nil {
		l.log.Error("superseded snapshot could not be mounted", "snapshot", id, "error", err)
		return fmt.Errorf("%w: %w", api.ErrSnapshotUnavailable, err)
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
