package query

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestSwapUnderReaders promotes while readers ask without a pause: no question
// fails and none sees two snapshots.
func TestSwapUnderReaders(t *testing.T) {
	w := newWorld(t)
	last := w.promote("2026-11-20")
	w.reload(w.live)
	var next []snapshots.ID
	for _, day := range []string{"2026-11-21", "2026-11-22"} {
		next = append(next, snaptest.SealSnapshot(t, w.data, day, snaptest.DefaultContent(t, day)))
	}
	ctx, stop := context.WithCancel(context.Background())
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for ctx.Err() == nil {
				s, release, err := w.live.Acquire()
				if err != nil {
					t.Error(err)
					return
				}
				page, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 24, Limit: 50})
				if err != nil || len(page.Rows) == 0 {
					t.Errorf("%s: %d rows, %v", s.ID(), len(page.Rows), err)
				}
				release()
			}
		})
	}
	for _, id := range next {
		if err := w.live.store.Promote(ctx, id, last); err != nil {
			t.Error(err)
		}
		last = id
		w.reload(w.live)
	}
	stop()
	readers.Wait()
}

// TestSwapsLeaveNothingBehind swaps again and again, each time past the time that
// the old one is kept: neither goroutines nor open files pile up.
func TestSwapsLeaveNothingBehind(t *testing.T) {
	w := newWorld(t)
	first, second := w.promote("2026-11-20"), w.promote("2026-11-21")
	swap := func(to, from snapshots.ID) {
		if err := w.live.store.Promote(context.Background(), to, from); err != nil {
			t.Fatal(err)
		}
		w.clock = w.clock.Add(keepFor)
		w.reload(w.live)
		s, release, err := w.live.Acquire()
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		if _, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 24, Limit: 1}); err != nil {
			t.Fatal(err)
		}
	}
	cycle := func() {
		swap(first, second)
		swap(second, first)
		w.clock = w.clock.Add(keepFor)
		w.reload(w.live)
	}
	cycle()
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	cycle()
	for range 3000 { // database/sql ends its goroutines a moment after Close
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, %d after the first swaps", n, goroutines)
	}
	if n := openFiles(t); n > files {
		t.Errorf("%d open files, %d after the first swaps", n, files)
	}
}

// openFiles is how many files the process has open; 0 where that cannot be seen.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return len(entries)
}
