package query

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/store"
)

// stalled is a live server that has taken up a newer snapshot, and whose next mounts
// wait until release is called or their context ends.
type stalled struct {
	*world
	old     snapshots.ID
	mounts  atomic.Int32
	release context.CancelFunc
}

func newStalled(t *testing.T) *stalled {
	w := newWorld(t)
	s := &stalled{world: w, old: w.promote("2026-11-20")}
	w.promote("2026-11-21")
	w.reload(w.live)
	free, release := context.WithCancel(context.Background())
	s.release = release
	t.Cleanup(release)
	mount := w.live.mount
	w.live.mount = func(ctx context.Context, dir string, o Options) (*Snapshot, error) {
		s.mounts.Add(1)
		select {
		case <-free.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return mount(ctx, dir, o)
	}
	return s
}

// soon is a context that ends soon.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// TestReopeningIsBounded: without reopen nothing is mounted; with it one snapshot at a
// time is, the caller waits for its deadline only, and the mount ends without it.
func TestReopeningIsBounded(t *testing.T) {
	s := newStalled(t)
	name := string(s.old)
	if _, _, err := s.live.AcquireByID(context.Background(), name, false); !errors.Is(err, api.ErrSnapshotGone) ||
		s.mounts.Load() != 0 {
		t.Errorf("without reopen: %v after %d mounts", err, s.mounts.Load())
	}
	for range 3 {
		if _, _, err := s.live.AcquireByID(soon(t), name, true); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("past the deadline: %v", err)
		}
	}
	if n := s.mounts.Load(); n > 1 { // on a busy machine it has not begun yet
		t.Errorf("%d mounts at once", n)
	}
	s.release()
	_, done, err := s.live.AcquireByID(context.Background(), name, true)
	if err != nil {
		t.Fatalf("once it is mounted: %v", err)
	}
	done()
	if n := s.mounts.Load(); n != 1 {
		t.Errorf("%d mounts of one snapshot", n)
	}
}

// TestReloadDoesNotWaitForCursors: a newer snapshot is taken up while an older one is
// being mounted for a cursor.
func TestReloadDoesNotWaitForCursors(t *testing.T) {
	s := newStalled(t)
	mount := s.live.mount
	s.live.mount = func(ctx context.Context, dir string, o Options) (*Snapshot, error) {
		if filepath.Base(dir) == string(s.old) {
			return mount(ctx, dir, o)
		}
		return Mount(ctx, dir, o)
	}
	if _, _, err := s.live.AcquireByID(soon(t), string(s.old), true); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	newer := s.promote("2026-11-22")
	s.reload(s.live)
	if id, _ := s.live.CurrentID(); id != newer {
		t.Errorf("%s is current", id)
	}
}

// TestWithdrawnWhileItIsOpened: a caller that waits for a snapshot does not get it if it is
// withdrawn meanwhile.
func TestWithdrawnWhileItIsOpened(t *testing.T) {
	s := newStalled(t)
	mount := s.live.mount
	s.live.mount = func(ctx context.Context, dir string, o Options) (*Snapshot, error) {
		why := store.Withdrawal{At: s.clock, By: "A. Analyst", Reason: "wrong"}
		if _, err := s.live.store.Withdraw(ctx, s.old, why); err != nil {
			t.Error(err)
		}
		return mount(ctx, dir, o)
	}
	s.release()
	_, done, err := s.live.AcquireByID(context.Background(), string(s.old), true)
	if err == nil {
		done()
	}
	if !errors.Is(err, api.ErrSnapshotWithdrawn) {
		t.Errorf("error %v", err)
	}
}

// TestWithdrawalDoesNotWaitForAMount: what is withdrawn is dropped while another
// snapshot is being mounted.
func TestWithdrawalDoesNotWaitForAMount(t *testing.T) {
	s := newStalled(t)
	current, _ := s.live.CurrentID()
	s.promote("2026-11-22")
	ctx, stop := context.WithCancel(context.Background())
	watched := make(chan struct{})
	go func() { s.live.Watch(ctx, time.Millisecond); close(watched) }()
	defer func() { stop(); <-watched }()
	wait(t, "the mount of a newer snapshot", func() bool { return s.mounts.Load() > 0 })
	why := store.Withdrawal{At: s.clock, By: "A. Analyst", Reason: "wrong"}
	if _, err := s.live.store.Withdraw(ctx, current, why); err != nil {
		t.Fatal(err)
	}
	wait(t, "the withdrawal", func() bool {
		_, _, err := s.live.Acquire()
		return errors.Is(err, api.ErrNoSnapshot)
	})
}

// TestWithdrawnWhileItIsMounted: a snapshot that was withdrawn meanwhile does not
// become current.
func TestWithdrawnWhileItIsMounted(t *testing.T) {
	w := newWorld(t)
	w.promote("2026-11-20")
	w.reload(w.live)
	newer := w.promote("2026-11-21")
	mount := w.live.mount
	w.live.mount = func(ctx context.Context, dir string, o Options) (*Snapshot, error) {
		s, err := mount(ctx, dir, o)
		_, withdrawn := w.live.store.Withdraw(ctx, newer, store.Withdrawal{At: w.clock, By: "A. Analyst",
			Reason: "wrong"})
		return s, errors.Join(err, withdrawn)
	}
	w.reload(w.live)
	if id, _ := w.live.CurrentID(); id == newer {
		t.Error("the withdrawn snapshot answers")
	}
}

// wait waits until something holds.
func wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 100_000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%s has not come", what)
}

// TestMountFailureIsNoFaultOfTheCursor: a disk that is full here is not reported as a
// cursor that expired; a snapshot that was removed is.
func TestMountFailureIsNoFaultOfTheCursor(t *testing.T) {
	s := newStalled(t)
	s.live.mount = func(context.Context, string, Options) (*Snapshot, error) { return nil, errors.New("disk full") }
	_, _, err := s.live.AcquireByID(context.Background(), string(s.old), true)
	if !errors.Is(err, api.ErrSnapshotUnavailable) || errors.Is(err, api.ErrSnapshotGone) {
		t.Errorf("with a full disk: %v", err)
	}
	if err := os.Rename(s.live.store.SnapshotDir(s.old), filepath.Join(t.TempDir(), "removed")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.live.AcquireByID(context.Background(), string(s.old), true); !errors.Is(err, api.ErrSnapshotGone) {
		t.Errorf("once it was removed: %v", err)
	}
}

// TestUnreadableCurrentIsLogged: nobody would know otherwise why the data grows old.
func TestUnreadableCurrentIsLogged(t *testing.T) {
	w := newWorld(t)
	w.promote("2026-11-20")
	w.reload(w.live)
	var lines bytes.Buffer
	w.live.log = slog.New(slog.NewTextHandler(&lines, nil))
	current := filepath.Join(w.live.store.RootDir(), snapshots.CurrentFileName)
	if err := errors.Join(os.Chmod(current, 0o600), os.WriteFile(current, []byte("no snapshot\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	said := ""
	for range 3 {
		said = w.live.report(said, w.live.Reload(context.Background()))
	}
	if n := strings.Count(lines.String(), "level=ERROR"); n != 1 {
		t.Errorf("%d lines, want one: %s", n, lines.String())
	}
}

// TestPublishedSnapshotsAreOpenedHoweverOld: by its name a snapshot is opened as long as it
// is kept, and stays so; what was never published is not.
func TestPublishedSnapshotsAreOpenedHoweverOld(t *testing.T) {
	s := newStalled(t)
	s.release()
	s.clock = s.clock.Add(30 * keepFor)
	name := string(s.old)
	for range 2 {
		snapshot, done, err := s.live.AcquireByID(context.Background(), name, true)
		if err != nil || snapshot.ID() != name {
			t.Fatalf("by its name: %v", err)
		}
		done()
	}
	if n := s.mounts.Load(); n != 1 {
		t.Errorf("%d mounts of one snapshot", n)
	}
	for _, none := range []string{"2020-01-01.1", "yesterday"} {
		if _, _, err := s.live.AcquireByID(context.Background(), none, true); !errors.Is(err, api.ErrSnapshotGone) {
			t.Errorf("%s: %v", none, err)
		}
	}
}

// TestMountedTwiceIsClosed: of a snapshot that becomes current while it is being mounted for
// a cursor, the second copy is closed at once.
func TestMountedTwiceIsClosed(t *testing.T) {
	w := newWorld(t)
	old, newer := w.promote("2026-11-20"), w.promote("2026-11-21")
	w.reload(w.live)
	mount := w.live.mount
	w.live.mount = func(ctx context.Context, dir string, o Options) (*Snapshot, error) {
		w.live.mount = mount
		if err := w.live.store.Promote(ctx, old, newer); err != nil {
			t.Error(err)
		}
		w.reload(w.live)
		return mount(ctx, dir, o)
	}
	s, done, err := w.live.AcquireByID(context.Background(), string(old), true)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	l := w.live.options.library
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, p := range s.(*Snapshot).parts {
		if p.users != 1 {
			t.Errorf("%s: %d snapshots use it, want the one that is open", name, p.users)
		}
	}
}
