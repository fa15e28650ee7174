package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
)

// damage is what goes wrong in a store with these snapshots.
type damage func(*testing.T, *Store, []snapshots.ID)

// TestPredecessorOfDamage holds that damage to CURRENT, to a manifest or to the index never spares a
// snapshot the check against one that was published.
func TestPredecessorOfDamage(t *testing.T) {
	current := func(text string) damage {
		return func(t *testing.T, s *Store, _ []snapshots.ID) {
			overwrite(t, filepath.Join(s.root, snapshots.CurrentFileName), text)
		}
	}
	without := func(names ...string) damage {
		return func(t *testing.T, s *Store, _ []snapshots.ID) {
			for _, name := range names {
				if err := os.Remove(filepath.Join(s.root, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	torn := func(n int) damage {
		return func(t *testing.T, s *Store, ids []snapshots.ID) {
			for _, id := range ids[:n] {
				manifest := snapshots.JoinPath(s.SnapshotDir(id), snapshots.ManifestFileName)
				spoil(t, manifest, func(text string) string { return text[:len(text)/2] })
			}
		}
	}
	for _, c := range []struct {
		name            string
		damage          []damage
		current, before int // of the snapshots, the first is 1; 0 = none
		refused         bool
	}{
		{"nothing", nil, 2, 2, false},
		{"an empty CURRENT", []damage{current("")}, 0, 2, false},
		{"a wrong CURRENT", []damage{current("today\n")}, 0, 2, false},
		{"no CURRENT", []damage{without(snapshots.CurrentFileName)}, 0, 2, false},
		{"no CURRENT and no index", []damage{without(snapshots.CurrentFileName, snapshots.IndexFileName)}, 0, 2, false},
		{"an empty CURRENT and no index", []damage{current(""), without(snapshots.IndexFileName)}, 0, 2, false},
		{"an empty CURRENT and an index made again", []damage{current(""), without(snapshots.IndexFileName),
			func(t *testing.T, s *Store, _ []snapshots.ID) {
				if err := s.RebuildIndex(t.Context()); err != nil {
					t.Fatal(err)
				}
			}}, 0, 2, false},
		{"a CURRENT of a snapshot that is not there", []damage{current("2026-11-20.9\n")}, 9, 2, false},
		{"a torn manifest of the first", []damage{torn(1)}, 2, 2, false},
		{"torn manifests of all published", []damage{torn(2)}, 0, 0, true},
		{"torn manifests, and an empty CURRENT", []damage{torn(2), current("")}, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openStore(t, t.TempDir())
			if current, before, err := s.CurrentAndPredecessor(); current != "" || before != "" || err != nil {
				t.Fatalf("of an empty store: %q, %q, %v", current, before, err)
			}
			ids := []snapshots.ID{publish(t, s, "a"), publish(t, s, "b"), sealOne(t, s, "c")}
			for _, do := range c.damage {
				do(t, s, ids)
			}
			named := map[int]snapshots.ID{0: "", 1: ids[0], 2: ids[1], 9: "2026-11-20.9"}
			current, before, err := s.CurrentAndPredecessor()
			if current != named[c.current] || before != named[c.before] || errors.Is(err, ErrNoPredecessor) != c.refused ||
				err != nil && !c.refused {
				t.Errorf("%q, %q, %v", current, before, err)
			}
		})
	}
}

// TestPredecessorOfATornManifest is the one published before, which has the place of the current
// one until another one is promoted.
func TestPredecessorOfATornManifest(t *testing.T) {
	s := openStore(t, t.TempDir())
	first, second := publish(t, s, "a"), publish(t, s, "b")
	spoil(t, snapshots.JoinPath(s.SnapshotDir(second), snapshots.ManifestFileName), func(string) string { return "{" })
	current, before, err := s.CurrentAndPredecessor()
	if current != second || before != first || err != nil {
		t.Fatalf("%q, %q, %v", current, before, err)
	}
	if err := s.Promote(t.Context(), first, current); err != nil {
		t.Fatal(err)
	}
	if current, before, err := s.CurrentAndPredecessor(); current != first || before != first || err != nil {
		t.Errorf("mended: %q, %q, %v", current, before, err)
	}
}

// TestPromoteMendsCurrent holds that a CURRENT which names no snapshot is replaced, and only by one who
// expects no other.
func TestPromoteMendsCurrent(t *testing.T) {
	for _, text := range []string{"", "\n", "today\n", "2026-11-20.1 2026-11-20.2\n"} {
		s := openStore(t, t.TempDir())
		id := publish(t, s, "a")
		overwrite(t, filepath.Join(s.root, snapshots.CurrentFileName), text)
		if _, err := s.Current(); !errors.Is(err, ErrUnreadableCurrent) {
			t.Errorf("%q: %v", text, err)
		}
		if _, links := chain(t, s); !found(links, "", true, "labour promote ID makes one current") {
			t.Errorf("%q: %v", text, links)
		}
		if err := s.Promote(t.Context(), id, id); !errors.Is(err, ErrCurrentChanged) {
			t.Errorf("%q: %v", text, err)
		}
		if err := s.Promote(t.Context(), id, ""); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if now, err := s.Current(); now != id || err != nil {
			t.Errorf("%q: current is %s, %v", text, now, err)
		}
	}
}

// overwrite writes a file of the store as a damaged disk or an editor leaves it.
func overwrite(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}
