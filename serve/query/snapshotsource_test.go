package query

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// world is a store with a live server on it and a clock that the test moves.
type world struct {
	t     *testing.T
	data  string
	clock time.Time
	live  *SnapshotSource
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, data: t.TempDir(), clock: time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)}
	snaptest.MakeRemovable(t, w.data)
	w.live = w.newLive()
	return w
}

func (w *world) newLive() *SnapshotSource {
	store, err := store.Open(w.data)
	if err != nil {
		w.t.Fatal(err)
	}
	l := NewSnapshotSource(store, func() time.Time { return w.clock }, slog.New(slog.DiscardHandler),
		Options{TempDir: w.t.TempDir()})
	w.t.Cleanup(func() {
		if err := l.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return l
}

// promote publishes the default content for a day.
func (w *world) promote(day string) snapshots.ID {
	w.t.Helper()
	return snaptest.BuildSnapshot(w.t, w.data, day, snaptest.DefaultContent(w.t, day))
}

func (w *world) reload(l *SnapshotSource) {
	w.t.Helper()
	if err := l.Reload(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

func TestSwapAndKeep(t *testing.T) {
	w := newWorld(t)
	if _, _, err := w.live.Acquire(); !errors.Is(err, api.ErrNoSnapshot) {
		t.Fatalf("before the first snapshot: %v", err)
	}
	first := w.promote("2026-11-20")
	w.reload(w.live)
	old, release, err := w.live.Acquire()
	if err != nil || old.ID() != string(first) {
		t.Fatalf("acquired %v, %v", old, err)
	}
	second := w.promote("2026-11-21")
	manifest, err := w.live.store.Manifest(second)
	if err != nil {
		t.Fatal(err)
	}
	w.clock = manifest.CreatedAt
	w.reload(w.live)
	if s, done, err := w.live.Acquire(); err != nil || s.ID() != string(second) {
		t.Fatalf("after the swap: %v, %v", s, err)
	} else {
		done()
	}
	// A cursor still finds the old one, whatever the time.
	w.clock = w.clock.Add(2 * keepFor)
	w.reload(w.live)
	if _, done, err := w.live.AcquireByID(context.Background(), string(first), false); err != nil {
		t.Fatal(err)
	} else {
		done()
	}
	w.clock = w.clock.Add(keepFor)
	// Its last reader still reads.
	if _, err := old.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 12, Limit: 5}); err != nil {
		t.Errorf("the last reader: %v", err)
	}
	release()
	release() // a second release does nothing
	w.live.mu.Lock()
	defer w.live.mu.Unlock()
	if len(w.live.open) != 1 {
		t.Errorf("%d snapshots are open, want the current one", len(w.live.open))
	}
}

// A look at which snapshots are open keeps none of them open: a list of publications is no reader.
func TestIsOpenIsNoUse(t *testing.T) {
	w := newWorld(t)
	first := string(w.promote("2026-11-20"))
	w.reload(w.live)
	w.promote("2026-11-21")
	w.reload(w.live)
	if !w.live.IsOpen(first) || w.live.IsOpen("2020-01-01.1") || w.live.IsOpen("../x") {
		t.Error("the superseded snapshot alone should be open")
	}
	w.clock = w.clock.Add(keepFor - time.Minute)
	if !w.live.IsOpen(first) {
		t.Error("it was closed too early")
	}
	w.clock = w.clock.Add(2 * time.Minute)
	w.reload(w.live)
	if w.live.IsOpen(first) {
		t.Error("the looks kept it open")
	}
}

func TestGoingBackAndUnknownIDs(t *testing.T) {
	w := newWorld(t)
	first := w.promote("2026-11-20")
	w.reload(w.live)
	second := w.promote("2026-11-21")
	w.reload(w.live)
	if err := w.live.store.Promote(context.Background(), first, second); err != nil {
		t.Fatal(err)
	}
	w.reload(w.live)
	if s, release, err := w.live.Acquire(); err != nil || s.ID() != string(first) {
		t.Errorf("after going back: %v, %v", s, err)
	} else {
		release()
	}
	for _, id := range []string{"", "2026-11-20", "2020-01-01.1", "../x"} {
		if _, _, err := w.live.AcquireByID(context.Background(), id, true); !errors.Is(err, api.ErrSnapshotGone) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestCursorSurvivesRestart(t *testing.T) {
	w := newWorld(t)
	first := w.promote("2026-11-20")
	w.promote("2026-11-21")
	manifest, err := w.live.store.Manifest("2026-11-21.1")
	if err != nil {
		t.Fatal(err)
	}
	w.clock = manifest.CreatedAt.Add(2 * keepFor)
	restarted := w.newLive()
	w.reload(restarted)
	if _, release, err := restarted.AcquireByID(context.Background(), string(first), true); err != nil {
		t.Errorf("after a restart: %v", err)
	} else {
		release()
	}
}

// With many snapshots a day only a few stay mounted; every one of them can still
// be named by a cursor.
func TestFewSupersededStayMounted(t *testing.T) {
	w := newWorld(t)
	var ids []snapshots.ID
	for range maxIdle + 2 {
		ids = append(ids, w.promote("2026-11-20"))
		w.reload(w.live)
	}
	for _, id := range append(ids, ids[0]) {
		s, release, err := w.live.AcquireByID(context.Background(), string(id), true)
		if err != nil || s.ID() != string(id) {
			t.Fatalf("%s: %v", id, err)
		}
		release()
		w.live.mu.Lock()
		if n := len(w.live.open); n > maxIdle+1 {
			t.Errorf("%d snapshots are mounted", n)
		}
		w.live.mu.Unlock()
	}
}

func TestDamagedSnapshotIsRefused(t *testing.T) {
	w := newWorld(t)
	first := w.promote("2026-11-20")
	w.reload(w.live)
	second := w.promote("2026-11-21")
	file := filepath.Join(w.live.store.SnapshotDir(second), "tables", "rankings.parquet")
	if err := errors.Join(os.Chmod(filepath.Dir(file), 0o755), os.Remove(file)); err != nil {
		t.Fatal(err)
	}
	if err := w.live.Reload(context.Background()); err == nil || errors.Is(err, errRefused) {
		t.Errorf("a damaged snapshot: %v", err)
	}
	if err := w.live.Reload(context.Background()); !errors.Is(err, errRefused) {
		t.Errorf("a moment later: %v, want it left alone", err)
	}
	w.clock = w.clock.Add(retryAfter)
	if err := w.live.Reload(context.Background()); err == nil || errors.Is(err, errRefused) {
		t.Errorf("a minute later: %v, want it tried again", err)
	}
	if s, release, err := w.live.Acquire(); err != nil || s.ID() != string(first) {
		t.Errorf("the previous one does not go on: %v, %v", s, err)
	} else {
		release()
	}
}

// TestWithdrawnIsDropped: neither a call nor a cursor gets what was withdrawn, and
// the one before it answers; with none left, nothing does.
func TestWithdrawnIsDropped(t *testing.T) {
	w, why := newWorld(t), store.Withdrawal{At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), By: "A. Analyst",
		Reason: "wrong"}
	first := w.promote("2026-11-20")
	w.reload(w.live)
	second := w.promote("2026-11-21")
	w.reload(w.live)
	reading, done, err := w.live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.live.store.Withdraw(context.Background(), second, why); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.live.AcquireByID(context.Background(), string(second), true); !errors.Is(err,
		api.ErrSnapshotWithdrawn) || !errors.Is(err, api.ErrSnapshotGone) {
		t.Errorf("a cursor of it: %v", err)
	}
	w.reload(w.live)
	if s, release, err := w.live.Acquire(); err != nil || s.ID() != string(first) {
		t.Errorf("%v answers, %v", s, err)
	} else {
		release()
	}
	if _, err := reading.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 12, Limit: 5}); err != nil {
		t.Errorf("who had begun to read it: %v", err)
	}
	done()
	if _, err := w.live.store.Withdraw(context.Background(), first, why); err != nil {
		t.Fatal(err)
	}
	if err := w.live.Reload(context.Background()); !errors.Is(err, api.ErrNoSnapshot) {
		t.Errorf("with none left: %v", err)
	}
	if _, _, err := w.live.Acquire(); !errors.Is(err, api.ErrNoSnapshot) {
		t.Errorf("with none left: %v", err)
	}
	w.live.mu.Lock()
	defer w.live.mu.Unlock()
	if len(w.live.open) != 0 {
		t.Errorf("%d snapshots are open", len(w.live.open))
	}
}
