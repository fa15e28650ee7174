// Package locks keeps two runs on one data directory from disturbing each other. A run locks each
// source while it fetches it, and the snapshots while it builds and promotes. A whole run has
// priority over light runs, which update only the platform's data.
package locks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"labour/snapshots/store"
	"labour/sources/archive"
)

// DefaultWait is the default of Waiter.MaxWait, which is how long a run waits for a lock.
const DefaultWait = 10 * time.Minute

// Waiter waits for locks that other runs hold.
type Waiter struct {
	// path of the protected zone of the data directory, where the locks are
	LockDir string
	// true for a whole run, false for a light run (which updates only the platform's data)
	IsWholeRun bool
	MaxWait    time.Duration     // how long the run waits for one lock; 0 = DefaultWait
	OnWait     func(name string) // called with a text such as "wait for …" before a wait
}

// pause is the time between two attempts to take a lock.
const pause = 50 * time.Millisecond

// isBusy reports whether err means that another run holds the lock.
func isBusy(err error) bool {
	return errors.Is(err, archive.ErrBusy) || errors.Is(err, store.ErrWriterActive)
}

// Wait takes a lock by calling tryLock, which must not block. While another run holds the lock,
// Wait tries again until MaxWait has passed or ctx ends. A light run, which reads only the
// platform, cannot take a lock while a whole run waits. name describes what is locked, for
// messages.
func (w Waiter) Wait(ctx context.Context, name string, tryLock func() error) error {
	err := w.try(tryLock)
	if !isBusy(err) {
		return err
	}
	w.OnWait("wait for " + name + ", which another run holds")
	if w.IsWholeRun {
		turn, err := w.openTurn(unix.LOCK_SH)
		if err != nil {
			return err
		}
		defer turn.Close() // ends the priority
	}
	limit := cmp.Or(w.MaxWait, DefaultWait)
	timeout, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for isBusy(err) {
		select {
		case <-timeout.Done():
			if ctx.Err() != nil {
				return fmt.Errorf("wait for %s: %w", name, ctx.Err())
			}
			return fmt.Errorf("another run has held %s for more than %s: %w", name, limit, err)
		case <-time.After(pause):
		}
		err = w.try(tryLock)
	}
	return err
}

// try calls tryLock once. In a light run, which reads only the platform, it fails while a whole run
// waits for a lock.
func (w Waiter) try(tryLock func() error) error {
	if !w.IsWholeRun {
		turn, err := w.openTurn(unix.LOCK_EX)
		if err != nil {
			return err
		}
		if err := turn.Close(); err != nil {
			return err
		}
	}
	return tryLock()
}

// openTurn opens and locks the file that gives whole runs priority over light runs. operation is
// unix.LOCK_SH or unix.LOCK_EX. Whole runs read all sources, and hold a shared lock on the file
// while they wait for another lock. A light run briefly takes an exclusive lock on it, and fails
// while a whole run waits.
func (w Waiter) openTurn(operation int) (*os.File, error) {
	if err := os.MkdirAll(w.LockDir, 0o700); err != nil {
		return nil, fmt.Errorf("make the protected zone: %w", err)
	}
	turn, err := os.OpenFile(filepath.Join(w.LockDir, "whole-runs-wait"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the turn of whole runs: %w", err)
	}
	if operation == unix.LOCK_EX {
		operation |= unix.LOCK_NB
	}
	err = unix.Flock(int(turn.Fd()), operation)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = fmt.Errorf("a whole run waits: %w", store.ErrWriterActive)
	}
	if err != nil {
		return nil, errors.Join(err, turn.Close())
	}
	return turn, nil
}
