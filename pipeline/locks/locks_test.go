package locks

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"labour/sources/archive"
)

// TestWholeRunGoesFirst: while a whole run waits for a lock, no light run takes one, so that light
// runs every few seconds do not keep a whole one waiting.
func TestWholeRunGoesFirst(t *testing.T) {
	dir := t.TempDir()
	whole := Waiter{LockDir: dir, IsWholeRun: true, OnWait: func(string) {}}
	light := Waiter{LockDir: dir, OnWait: func(string) {}}
	taken := func() error { return nil }
	if err := light.try(taken); err != nil {
		t.Fatalf("nobody waits: %v", err)
	}
	tries := 0
	err := whole.Wait(context.Background(), "a lock", func() error {
		if tries++; tries < 3 {
			return archive.ErrBusy
		}
		if err := light.try(taken); !isBusy(err) {
			t.Errorf("a light run while a whole one waits: %v", err)
		}
		return nil
	})
	if err != nil || tries != 3 {
		t.Fatalf("%d tries, %v", tries, err)
	}
	if err := light.try(taken); err != nil {
		t.Fatalf("after the whole run has the lock: %v", err)
	}
}

// TestWaitEnds: a lock that another run holds for good ends the wait with its name, and an error
// that is no held lock is returned at once.
func TestWaitEnds(t *testing.T) {
	steps := 0
	w := Waiter{LockDir: t.TempDir(), IsWholeRun: true, MaxWait: time.Millisecond, OnWait: func(string) { steps++ }}
	err := w.Wait(t.Context(), "a lock", func() error { return archive.ErrBusy })
	if !errors.Is(err, archive.ErrBusy) || !strings.Contains(err.Error(), "has held a lock for more than 1ms") ||
		steps != 1 {
		t.Errorf("%d steps, %v", steps, err)
	}
	broken := errors.New("the disk is gone")
	if err := w.Wait(t.Context(), "a lock", func() error { return broken }); err != broken || steps != 1 {
		t.Errorf("%d steps, %v", steps, err)
	}
}
