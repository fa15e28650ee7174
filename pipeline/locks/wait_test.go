package locks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/snapshots/store"
)

// A wait ends with its context, and names what it waited for.
func TestWaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var steps []string
	w := Waiter{LockDir: t.TempDir(), OnWait: func(name string) { steps = append(steps, name) }}
	err := w.Wait(ctx, "a lock", func() error {
		cancel()
		return store.ErrWriterActive
	})
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "wait for a lock: ") {
		t.Errorf("the error is %v", err)
	}
	if len(steps) != 1 || steps[0] != "wait for a lock, which another run holds" {
		t.Errorf("the steps are %q", steps)
	}
	free := Waiter{LockDir: filepath.Join(t.TempDir(), "new", "zone")}
	if err := free.Wait(t.Context(), "a lock", func() error { return nil }); err != nil {
		t.Errorf("a free lock: %v", err)
	}
	if about, err := os.Stat(free.LockDir); err != nil || about.Mode().Perm() != 0o700 {
		t.Errorf("the zone is not private: %v, %v", about, err)
	}
}

// A protected zone that cannot be made or written to is an error of every kind of run.
func TestUnusableProtectedZoneIsAnError(t *testing.T) {
	for name, has := range map[string]string{
		"file": "make the protected zone: ", "folder": "open the turn of whole runs: "} {
		dir := filepath.Join(t.TempDir(), name)
		var err error
		if name == "file" {
			err = os.WriteFile(dir, nil, 0o600)
		} else {
			err = os.MkdirAll(filepath.Join(dir, "whole-runs-wait"), 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, whole := range []bool{true, false} {
			taken := 0
			w := Waiter{LockDir: dir, IsWholeRun: whole, OnWait: func(string) {}}
			err := w.Wait(t.Context(), "a lock", func() error {
				taken++
				return store.ErrWriterActive
			})
			if err == nil || !strings.HasPrefix(err.Error(), has) || taken > 1 || !whole && taken > 0 {
				t.Errorf("a %s, whole %v: %v after %d tries, want %s", name, whole, err, taken, has)
			}
		}
	}
}
