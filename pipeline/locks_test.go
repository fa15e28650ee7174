package pipeline

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/pipeline/options"
	"labour/pipeline/protected"
	"labour/snapshots/store"
	"labour/sources/archive"
)

// again returns the options of the last run with another clock, for runs at the same time.
func (s *small) again(only string) Options {
	o := *s.last
	o.IsLight = only != ""
	o.OnStep = nil
	return o
}

// TestRunWaitsForTheArchive: a light run that fetches is no fault of the platform's feed.
func TestRunWaitsForTheArchive(t *testing.T) {
	s := newSmall(t)
	s.run()
	a, err := archive.Open(protected.ArchiveDir(s.data))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.PutBody("platform", strings.NewReader("x"), 10); err != nil {
		t.Fatal(err)
	}
	s.change(1)
	var steps []string
	s.progress = func(step string) {
		if steps = append(steps, step); strings.HasPrefix(step, "wait for the archive of platform") {
			time.AfterFunc(100*time.Millisecond, func() { a.Close() })
		}
	}
	r := s.run()
	if len(r.FailedSources) > 0 {
		t.Errorf("failed sources: %v", r.FailedSources)
	}
	if !strings.Contains(strings.Join(steps, "\n"), "wait for the archive of platform") {
		t.Errorf("the run does not say that it waits: %q", steps)
	}
}

// TestRunWaitsForTheWriter: the lock of the snapshots is waited for, as long as asked, and the
// error says what was waited for.
func TestRunWaitsForTheWriter(t *testing.T) {
	s := newSmall(t)
	s.run()
	w, err := s.store().Begin(s.clock)
	if err != nil {
		t.Fatal(err)
	}
	o := s.again("")
	o.LockWait = 60 * time.Millisecond
	_, err = Run(context.Background(), o)
	if !errors.Is(err, store.ErrWriterActive) ||
		!strings.Contains(err.Error(), "has held the lock of the snapshots for more than 60ms") {
		t.Fatalf("a lock that is never free: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	o.LockWait = time.Hour
	o.OnStep = func(step string) {
		if strings.HasPrefix(step, "wait for the lock") {
			stop()
		}
	}
	if _, err = Run(stopped, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("a run that is stopped while it waits: %v", err)
	}
	o.OnStep = func(step string) {
		if strings.HasPrefix(step, "wait for the lock") {
			time.AfterFunc(100*time.Millisecond, func() { w.Close() })
		}
	}
	if _, err = Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
}

// TestRunsAtOnce starts whole and light runs in the same moment: each ends without an error and
// with every source.
func TestRunsAtOnce(t *testing.T) {
	s := newSmall(t)
	s.run()
	var runs sync.WaitGroup
	for i, only := range []string{"", options.OnlyPlatform, "", options.OnlyPlatform, options.OnlyPlatform, ""} {
		o := s.again(only)
		runs.Go(func() {
			r, err := Run(context.Background(), o)
			if err != nil || len(r.FailedSources) > 0 {
				t.Errorf("run %d %q: failed %v, %v", i, only, r.FailedSources, err)
			}
		})
	}
	runs.Wait()
}
