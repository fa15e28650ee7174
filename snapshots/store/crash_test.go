package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"labour/snapshots"
)

var errKilled = errors.New("killed")

// killAt makes the store stop after its n-th step, and counts the steps.
func killAt(s *Store, n int) *int {
	steps := new(int)
	s.fault = func(string) error {
		*steps++
		if *steps == n {
			return errKilled
		}
		return nil
	}
	return steps
}

// sealAndPromote is a run that may be killed: then it does nothing more, and the
// system gives back its locks.
func sealAndPromote(t *testing.T, s *Store, expect snapshots.ID) error {
	t.Helper()
	w, err := s.Begin(asOfTest)
	if err != nil {
		return err
	}
	defer func() {
		if err := w.lock.Close(); err != nil {
			t.Error(err)
		}
	}()
	id, err := w.Seal(context.Background(), fill(t, w, "new"), []byte("{}\n"))
	if err != nil {
		return err
	}
	return s.Promote(context.Background(), id, expect)
}

func TestKilledAnywhereLeavesOldOrNew(t *testing.T) {
	const steps = 14 // one of beginning, nine of sealing, four of promoting
	for n := 1; n <= steps+1; n++ {
		t.Run(fmt.Sprint("step ", n), func(t *testing.T) {
			data := t.TempDir()
			s := openStore(t, data)
			old := sealOne(t, s, "old")
			if err := s.Promote(context.Background(), old, ""); err != nil {
				t.Fatal(err)
			}
			count := killAt(s, n)
			err := sealAndPromote(t, s, old)
			if killed := errors.Is(err, errKilled); killed != (n <= steps) || !killed && err != nil || !killed &&
				*count != steps {
				t.Fatalf("after %d steps: %v", *count, err)
			}
			afterKill(t, data, old, n)
		})
	}
}

// afterKill looks at the store as the next process finds it, and runs it again.
func afterKill(t *testing.T, data string, old snapshots.ID, n int) {
	t.Helper()
	s := openStore(t, data)
	current, err := s.Current()
	const moved = 13 // CURRENT is renamed
	if err != nil || n < moved && current != old || n > moved && current == old {
		t.Fatalf("current is %q, %v", current, err)
	}
	list, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.ManifestErr != nil {
			t.Errorf("%s is not whole: %v", e.ID, e.ManifestErr)
		}
		requireWhole(t, s, e.ID)
	}
	if err := sealAndPromote(t, s, current); err != nil {
		t.Fatalf("the next run: %v", err)
	}
	entries, err := os.ReadDir(s.RootDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), hiddenPrefix) {
			t.Errorf("%s was not swept", e.Name())
		}
	}
}

// TestKilledWhileRemoving stops a removal after each of its steps: what is in sight
// is whole, the current one is where it was, and the removal can be done again.
func TestKilledWhileRemoving(t *testing.T) {
	ctx := context.Background()
	for n := 1; ; n++ {
		data := t.TempDir()
		s := openStore(t, data)
		old, current := sealOne(t, s, "old"), sealOne(t, s, "current")
		if err := s.Promote(ctx, current, ""); err != nil {
			t.Fatal(err)
		}
		killAt(s, n)
		err := s.Remove(ctx, old)
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		next := openStore(t, data)
		list, listErr := next.List(ctx)
		if now, err := next.Current(); err != nil || now != current || listErr != nil {
			t.Fatalf("step %d: current is %q, %v, %v", n, now, err, listErr)
		}
		for _, e := range list {
			requireWhole(t, next, e.ID)
			if e.ID == old {
				if err := next.Remove(ctx, old); err != nil {
					t.Errorf("step %d: a second removal: %v", n, err)
				}
			}
		}
		if err := sealAndPromote(t, next, current); err != nil {
			t.Fatalf("step %d: the next run: %v", n, err)
		}
		entries, err2 := os.ReadDir(next.RootDir())
		for _, e := range entries {
			if err2 != nil || e.Name() == string(old) || strings.HasPrefix(e.Name(), hiddenPrefix) {
				t.Errorf("step %d: %s is left, %v", n, e.Name(), err2)
			}
		}
		if err == nil {
			if n < 5 {
				t.Errorf("a removal has %d steps", n-1)
			}
			return
		}
	}
}

func TestConcurrentPromotionsOneWins(t *testing.T) {
	data := t.TempDir()
	s := openStore(t, data)
	const n = 8
	var ids []snapshots.ID
	for range n {
		ids = append(ids, sealOne(t, s, "x"))
	}
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		own := openStore(t, data)
		all.Go(func() { errs[i] = own.Promote(context.Background(), ids[i], "") })
	}
	all.Wait()
	winner := snapshots.ID("")
	for i, err := range errs {
		switch {
		case err == nil && winner == "":
			winner = ids[i]
		case err == nil:
			t.Errorf("both %s and %s won", winner, ids[i])
		case !errors.Is(err, ErrCurrentChanged):
			t.Error(err)
		}
	}
	if current, err := s.Current(); err != nil || current != winner {
		t.Errorf("current is %q, %v; %q won", current, err, winner)
	}
}

func TestPromoteBackAndRemove(t *testing.T) {
	s, ctx := openStore(t, t.TempDir()), context.Background()
	if _, err := s.Current(); !errors.Is(err, ErrNoCurrent) {
		t.Fatalf("current of nothing: %v", err)
	}
	first, second := sealOne(t, s, "a"), sealOne(t, s, "b")
	if err := s.Promote(ctx, "2026-11-20.3", ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("promoted what is not there: %v", err)
	}
	for _, step := range [][2]snapshots.ID{{second, ""}, {first, second}} {
		if err := s.Promote(ctx, step[0], step[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Remove(ctx, first); !errors.Is(err, ErrIsCurrent) {
		t.Errorf("removed the current one: %v", err)
	}
	if err := s.Remove(ctx, second); err != nil {
		t.Fatal(err)
	}
	list, err := s.List(ctx)
	if err != nil || len(list) != 1 || list[0].ID != first || !list[0].Current {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestListShowsWhatItCannotRead(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := sealOne(t, s, "a")
	if err := os.MkdirAll(s.SnapshotDir("2026-11-21.1"), 0o755); err != nil {
		t.Fatal(err)
	}
	newer := []byte(`{"format": "labour/99"}`)
	if err := os.WriteFile(snapshots.JoinPath(s.SnapshotDir("2026-11-21.1"), snapshots.ManifestFileName), newer,
		0o600); err != nil {
		t.Fatal(err)
	}
	list, err := s.List(context.Background())
	if err != nil || len(list) != 2 || list[0].ID != id || list[0].ManifestErr != nil ||
		!errors.Is(list[1].ManifestErr, snapshots.ErrUnsupportedFormat) {
		t.Errorf("list: %v, %v", list, err)
	}
}

// TestPublishedIsKnownAfterAKill stops a promotion when CURRENT names the new snapshot and the index does not
// have it yet. Going back, or withdrawing it, must not lose that it was published.
func TestPublishedIsKnownAfterAKill(t *testing.T) {
	ctx := context.Background()
	for name, goBack := range map[string]func(s *Store, old, killed snapshots.ID) error{
		"promote": func(s *Store, old, killed snapshots.ID) error { return s.Promote(ctx, old, killed) },
		"withdraw": func(s *Store, _, killed snapshots.ID) error {
			_, err := s.Withdraw(ctx, killed, Withdrawal{At: asOfTest, By: "x", Reason: "y"})
			return err
		},
	} {
		s := openStore(t, t.TempDir())
		old, killed := publish(t, s, "old"), sealOne(t, s, "new")
		s.fault = func(step string) error {
			if step == "CURRENT renamed" {
				return errKilled
			}
			return nil
		}
		if err := s.Promote(ctx, killed, old); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		s.fault = nil
		if err := goBack(s, old, killed); err != nil {
			t.Fatal(name, err)
		}
		x, err := s.Index()
		if e, _ := x.FindEntry(killed); err != nil || !e.Published() {
			t.Errorf("%s: the snapshot that was current is not published: %+v, %v", name, e, err)
		}
		if now, err := s.Current(); now != old || err != nil {
			t.Errorf("%s: %q is current, %v", name, now, err)
		}
	}
}

// TestPublishedIsKnownWithoutIndexAndCurrent: a snapshot that another one follows was published, even if
// index.json and CURRENT are lost. One that was only sealed was not.
func TestPublishedIsKnownWithoutIndexAndCurrent(t *testing.T) {
	s := openStore(t, t.TempDir())
	first, refused := publish(t, s, "a"), sealOne(t, s, "b")
	publish(t, s, "c")
	for _, name := range []string{snapshots.IndexFileName, snapshots.CurrentFileName} {
		if err := os.Remove(filepath.Join(s.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RebuildIndex(context.Background()); err != nil {
		t.Fatal(err)
	}
	x, err := s.Index()
	a, _ := x.FindEntry(first)
	b, _ := x.FindEntry(refused)
	if err != nil || !a.Published() || b.Published() || !x.Rebuilt {
		t.Errorf("%+v, %v", x, err)
	}
}
