package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"labour/pipeline/calendar"
	"labour/snapshots"
	"labour/sources/archive"
)

// DefaultLockWait is how long a run waits for a lock that another run of the same data directory
// holds, where Options.LockWait does not say.
const DefaultLockWait = 10 * time.Minute

// lockPause is how long a run that waits for a lock pauses between two tries.
const lockPause = 50 * time.Millisecond

// busy reports whether an error means that another run holds the lock.
func busy(err error) bool {
	return errors.Is(err, archive.ErrBusy) || errors.Is(err, snapshots.ErrWriterActive)
}

// waitForLock calls take until no other run holds the lock that it needs, for at most
// Options.LockWait. A whole run has priority over light ones, which may come every few seconds:
// while one waits, no light run takes a lock.
func (o *Options) waitForLock(ctx context.Context, name string, take func() error) error {
	err := o.tryLock(take)
	if !busy(err) {
		return err
	}
	o.step("wait for " + name + ", which another run holds")
	if calendar.Day.DueAt(o.level()) {
		turn, err := o.openTurn(unix.LOCK_SH)
		if err != nil {
			return err
		}
		defer turn.Close() // which ends the turn
	}
	limit := cmp.Or(o.LockWait, DefaultLockWait)
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for busy(err) {
		select {
		case <-waiting.Done():
			if ctx.Err() != nil {
				return fmt.Errorf("wait for %s: %w", name, ctx.Err())
			}
			return fmt.Errorf("another run holds %s for more than %s: %w", name, limit, err)
		case <-time.After(lockPause):
		}
		err = o.tryLock(take)
	}
	return err
}

// tryLock calls take unless a whole run waits for a lock before this light one.
func (o *Options) tryLock(take func() error) error {
	if !calendar.Day.DueAt(o.level()) {
		turn, err := o.openTurn(unix.LOCK_EX)
		if err != nil {
			return err
		}
		if err := turn.Close(); err != nil {
			return err
		}
	}
	return take()
}

// openTurn opens and locks the file that whole runs share while they wait for a lock.
func (o *Options) openTurn(how int) (*os.File, error) {
	if err := os.MkdirAll(o.protected(), 0o700); err != nil {
		return nil, fmt.Errorf("make the protected zone: %w", err)
	}
	turn, err := os.OpenFile(o.protected("whole-runs-wait"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the turn of whole runs: %w", err)
	}
	if how == unix.LOCK_EX {
		how |= unix.LOCK_NB
	}
	err = unix.Flock(int(turn.Fd()), how)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = fmt.Errorf("a whole run waits: %w", snapshots.ErrWriterActive)
	}
	if err != nil {
		return nil, errors.Join(err, turn.Close())
	}
	return turn, nil
}
