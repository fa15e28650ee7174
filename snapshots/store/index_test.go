package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
)

func promote(t *testing.T, s *Store, id snapshots.ID) {
	t.Helper()
	current, err := s.Current()
	if err != nil && !errors.Is(err, ErrNoCurrent) {
		t.Fatal(err)
	}
	if err := s.Promote(context.Background(), id, current); err != nil {
		t.Fatal(err)
	}
}

func publish(t *testing.T, s *Store, content string) snapshots.ID {
	t.Helper()
	id := sealOne(t, s, content)
	promote(t, s, id)
	return id
}

func chain(t *testing.T, s *Store) (Index, []ManifestChainMessage) {
	t.Helper()
	x, links, err := s.CheckChain(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return x, links
}

// found reports whether the chain shows exactly one thing, with the words.
func found(links []ManifestChainMessage, id snapshots.ID, fault bool, words string) bool {
	return len(links) == 1 && links[0].ID == id && links[0].Fault == fault && strings.Contains(links[0].Text, words)
}

// spoil writes a file of a sealed snapshot again.
func spoil(t *testing.T, path string, change func(string) string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = errors.Join(os.Chmod(filepath.Dir(path), openDir), os.Remove(path),
			os.WriteFile(path, []byte(change(string(b))), openFile))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestIndexHoldsEverySnapshot(t *testing.T) {
	s := openStore(t, t.TempDir())
	if _, links := chain(t, s); len(links) != 0 {
		t.Fatalf("of nothing: %v", links)
	}
	first, refused, third := publish(t, s, "a"), sealOne(t, s, "b"), publish(t, s, "c")
	x, links := chain(t, s)
	if len(links) != 0 || len(x.Snapshots) != 3 || x.Rebuilt {
		t.Fatalf("%+v, %v", x, links)
	}
	a, _ := x.FindEntry(first)
	b, _ := x.FindEntry(refused)
	c, _ := x.FindEntry(third)
	if !a.Published() || b.Published() || !c.Published() || c.Previous.ManifestSHA256 != a.ManifestSHA256 {
		t.Errorf("%+v", x.Snapshots)
	}
	if err := s.Remove(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	x, links = chain(t, s)
	if e, known := x.FindEntry(first); !known || !e.Removed || len(links) != 0 {
		t.Errorf("what was removed is not told from a gap: %+v, %v", x.Snapshots, links)
	}
	if err := s.Remove(context.Background(), refused); err != nil {
		t.Fatal(err)
	}
	if id, err := s.NextID(asOfTest); err != nil || id != "2026-11-20.4" {
		t.Errorf("the next is %s, %v: a name was given twice", id, err)
	}
}

func TestChainShowsGapsForksAndChanges(t *testing.T) {
	tests := []struct {
		name   string
		breaks func(t *testing.T, s *Store, ids []snapshots.ID)
		id     snapshots.ID
		fault  bool
		words  string
	}{
		{"sound", func(*testing.T, *Store, []snapshots.ID) {}, "", false, ""},
		{"a directory is gone", func(t *testing.T, s *Store, ids []snapshots.ID) {
			if err := removeTree(s.SnapshotDir(ids[1])); err != nil {
				t.Fatal(err)
			}
		}, "2026-11-20.2", true, "directory is missing"},
		{"an entry is gone", func(t *testing.T, s *Store, ids []snapshots.ID) {
			if err := errors.Join(removeTree(s.SnapshotDir(ids[0])),
				s.updateIndex("", func(x *Index) { x.Snapshots = x.Snapshots[1:] })); err != nil {
				t.Fatal(err)
			}
		}, "2026-11-20.2", true, "a gap: it follows 2026-11-20.1"},
		{"a manifest changed", func(t *testing.T, s *Store, ids []snapshots.ID) {
			spoil(t, snapshots.JoinPath(s.SnapshotDir(ids[2]), snapshots.ManifestFileName),
				func(b string) string { return strings.Replace(b, "London", "Londen", 1) })
		}, "2026-11-20.3", true, "not the one that was sealed"},
		{"a manifest changed before the index is written", func(t *testing.T, s *Store, ids []snapshots.ID) {
			spoil(t, snapshots.JoinPath(s.SnapshotDir(ids[2]), snapshots.ManifestFileName),
				func(b string) string { return strings.Replace(b, "London", "Londen", 1) })
			if err := s.updateIndex("", func(*Index) {}); err != nil {
				t.Fatal(err)
			}
		}, "2026-11-20.3", true, "not the one that was sealed"},
		{"published from an older one", func(t *testing.T, s *Store, ids []snapshots.ID) {
			promote(t, s, ids[0])
			publish(t, s, "fork")
		}, "2026-11-20.4", false, "a fork: 2026-11-20.2 was published after 2026-11-20.1 too"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := openStore(t, t.TempDir())
			tt.breaks(t, s, []snapshots.ID{publish(t, s, "a"), publish(t, s, "b"), publish(t, s, "c")})
			_, links := chain(t, s)
			if tt.name == "an entry is gone" && len(links) == 2 { // its run number is missed too
				links = links[:1]
			}
			if tt.words == "" && len(links) > 0 || tt.words != "" && !found(links, tt.id, tt.fault, tt.words) {
				t.Errorf("%+v", links)
			}
		})
	}
}

// TestLostIndexDoesNotStopPublishing: the index is made again and marked as such.
func TestLostIndexDoesNotStopPublishing(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"removed": os.Remove,
		"damaged": func(path string) error { return os.WriteFile(path, []byte("{"), openFile) },
	} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t, t.TempDir())
			publish(t, s, "a")
			if err := lose(filepath.Join(s.RootDir(), snapshots.IndexFileName)); err != nil {
				t.Fatal(err)
			}
			if _, links := chain(t, s); len(links) == 0 || !links[0].Fault || !strings.Contains(links[0].Text,
				"index cannot be read") {
				t.Errorf("not shown: %v", links)
			}
			publish(t, s, "b")
			x, links := chain(t, s)
			if !x.Rebuilt || len(x.Snapshots) != 2 || !found(links, "", false, "made again") {
				t.Errorf("%+v, %v", x, links)
			}
		})
	}
}

// TestMissingSnapshotsAreExplained: who names a snapshot that was removed, or never was, reads that it is
// not there, and where the others are listed.
func TestMissingSnapshotsAreExplained(t *testing.T) {
	s := openStore(t, t.TempDir())
	removed := publish(t, s, "a")
	publish(t, s, "b")
	if err := s.Remove(t.Context(), removed); err != nil {
		t.Fatal(err)
	}
	for _, id := range []snapshots.ID{removed, "2026-11-20.9"} {
		want := "there is no snapshot " + string(id) + " in " + s.root + "; labour snapshot list shows the others: "
		_, err := s.Withdraw(t.Context(), id, Withdrawal{At: asOfTest, By: "A", Reason: "wrong"})
		if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "withdraw "+string(id)+": "+want) {
			t.Errorf("withdrawn: %v, want %s", err, want)
		}
		if _, err := s.Manifest(id); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("manifest: %v, want %s", err, want)
		}
	}
}

func TestWithdrawnIsNeverPromotedAgain(t *testing.T) {
	s, ctx := openStore(t, t.TempDir()), context.Background()
	why := Withdrawal{At: time.Date(2026, 11, 21, 9, 0, 0, 5, time.UTC), By: "A. Analyst",
		Reason: "the feed of that day was wrong"}
	first, second, third := publish(t, s, "a"), publish(t, s, "b"), publish(t, s, "c")
	for _, bad := range []Withdrawal{{}, {At: why.At, By: "x"}, {At: why.At, Reason: "x"}, {By: "x", Reason: "x"}} {
		if _, err := s.Withdraw(ctx, first, bad); err == nil {
			t.Errorf("withdrawn without who, why or when: %+v", bad)
		}
	}
	if now, err := s.Withdraw(ctx, second, why); err != nil || now != third {
		t.Fatalf("current is %s, %v", now, err)
	}
	if err := s.Promote(ctx, second, third); !errors.Is(err, ErrWithdrawn) {
		t.Errorf("promoted: %v", err)
	}
	if _, err := s.Withdraw(ctx, second, why); !errors.Is(err, ErrWithdrawn) {
		t.Errorf("withdrawn twice: %v", err)
	}
	// The current one: what was published before it, and is not withdrawn, takes its place.
	if now, err := s.Withdraw(ctx, third, why); err != nil || now != first {
		t.Fatalf("current is %s, %v", now, err)
	}
	if at, err := s.SupersededTimes(ctx); err != nil || len(at) != 0 {
		t.Errorf("cursors may name %v, %v", at, err)
	}
	if now, err := s.Withdraw(ctx, first, why); err != nil || now != "" {
		t.Fatalf("current is %s, %v", now, err)
	}
	if _, err := s.Current(); !errors.Is(err, ErrNoCurrent) {
		t.Errorf("current: %v", err)
	}
	x, _ := chain(t, s)
	for _, e := range x.Snapshots {
		if e.Withdrawn == nil || e.Withdrawn.Reason != why.Reason ||
			!e.Withdrawn.At.Equal(why.At.Truncate(time.Second)) {
			t.Errorf("%s: %+v", e.ID, e.Withdrawn)
		}
	}
	if err := s.Remove(ctx, first); err != nil {
		t.Fatal(err)
	}
	if x, _ := chain(t, s); len(x.Snapshots) != 3 || x.Snapshots[0].Withdrawn == nil || !x.Snapshots[0].Removed {
		t.Errorf("the withdrawal went with the directory: %+v", x.Snapshots)
	}
	if id := publish(t, s, "d"); id != "2026-11-20.4" {
		t.Errorf("the next is %s", id)
	}
}

// TestKilledWhileWithdrawing: what is noted is not served, and doing it again ends it.
func TestKilledWhileWithdrawing(t *testing.T) {
	s, ctx := openStore(t, t.TempDir()), context.Background()
	why := Withdrawal{At: asOfTest, By: "A. Analyst", Reason: "wrong"}
	first, second := publish(t, s, "a"), publish(t, s, "b")
	killAt(s, 1)
	if _, err := s.Withdraw(ctx, second, why); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	s.fault = nil
	if id, err := s.Current(); !errors.Is(err, ErrNoCurrent) {
		t.Errorf("%s is current, %v", id, err)
	}
	if now, err := s.Withdraw(ctx, second, why); err != nil || now != first {
		t.Errorf("current is %s, %v", now, err)
	}
}
