package snapshots

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestPredecessorOfDamage holds that damage to CURRENT, to a manifest or to the index never spares a
// snapshot the check against one that was published.
func TestPredecessorOfDamage(t *testing.T) {
	current := func(text string) func(*testing.T, *Store, []ID) {
		return func(t *testing.T, s *Store, _ []ID) { overwrite(t, filepath.Join(s.root, CurrentName), text) }
	}
	without := func(names ...string) func(*testing.T, *Store, []ID) {
		return func(t *testing.T, s *Store, _ []ID) {
			for _, name := range names {
				if err := os.Remove(filepath.Join(s.root, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	torn := func(n int) func(*testing.T, *Store, []ID) {
		return func(t *testing.T, s *Store, ids []ID) {
			for _, id := range ids[:n] {
				spoil(t, Within(s.Dir(id), ManifestName), func(text string) string { return text[:len(text)/2] })
			}
		}
	}
	for _, c := range []struct {
		name            string
		damage          []func(*testing.T, *Store, []ID)
		current, before int // of the snapshots, the first is 1; 0 = none
		refused         bool
	}{
		{"nothing", nil, 2, 2, false},
		{"an empty CURRENT", []func(*testing.T, *Store, []ID){current("")}, 0, 2, false},
		{"a wrong CURRENT", []func(*testing.T, *Store, []ID){current("today\n")}, 0, 2, false},
		{"no CURRENT", []func(*testing.T, *Store, []ID){without(CurrentName)}, 0, 2, false},
		{"no CURRENT and no index", []func(*testing.T, *Store, []ID){without(CurrentName, IndexName)}, 0, 2, false},
		{"an empty CURRENT and no index", []func(*testing.T, *Store, []ID){current(""), without(IndexName)}, 0, 2, false},
		{"an empty CURRENT and an index made again", []func(*testing.T, *Store, []ID){current(""), without(IndexName),
			func(t *testing.T, s *Store, _ []ID) {
				if err := s.RebuildIndex(t.Context()); err != nil {
					t.Fatal(err)
				}
			}}, 0, 2, false},
		{"a CURRENT of a snapshot that is not there", []func(*testing.T, *Store, []ID){current("2026-11-20.9\n")}, 9, 2,
			false},
		{"a torn manifest of the first", []func(*testing.T, *Store, []ID){torn(1)}, 2, 2, false},
		{"torn manifests of all published", []func(*testing.T, *Store, []ID){torn(2)}, 0, 0, true},
		{"torn manifests, and an empty CURRENT", []func(*testing.T, *Store, []ID){torn(2), current("")}, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openStore(t, t.TempDir())
			if current, before, err := s.Predecessor(); current != "" || before != "" || err != nil {
				t.Fatalf("of an empty store: %q, %q, %v", current, before, err)
			}
			ids := []ID{publish(t, s, "a"), publish(t, s, "b"), sealOne(t, s, "c")}
			for _, damage := range c.damage {
				damage(t, s, ids)
			}
			named := map[int]ID{0: "", 1: ids[0], 2: ids[1], 9: "2026-11-20.9"}
			current, before, err := s.Predecessor()
			if current != named[c.current] || before != named[c.before] || errors.Is(err, ErrNoPredecessor) != c.refused ||
				err != nil && !c.refused {
				t.Errorf("%q, %q, %v", current, before, err)
			}
		})
	}
}

// TestPredecessorOfATornManifest is the one published before, which has the place of the current one until
// another one is promoted.
func TestPredecessorOfATornManifest(t *testing.T) {
	s := openStore(t, t.TempDir())
	first, second := publish(t, s, "a"), publish(t, s, "b")
	spoil(t, Within(s.Dir(second), ManifestName), func(string) string { return "{" })
	current, before, err := s.Predecessor()
	if current != second || before != first || err != nil {
		t.Fatalf("%q, %q, %v", current, before, err)
	}
	if err := s.Promote(t.Context(), first, current); err != nil {
		t.Fatal(err)
	}
	if current, before, err := s.Predecessor(); current != first || before != first || err != nil {
		t.Errorf("mended: %q, %q, %v", current, before, err)
	}
}

// TestPromoteMendsCurrent holds that a CURRENT which names no snapshot is replaced, and only by one who
// expects no other.
func TestPromoteMendsCurrent(t *testing.T) {
	for _, text := range []string{"", "\n", "today\n", "2026-11-20.1 2026-11-20.2\n"} {
		s := openStore(t, t.TempDir())
		id := publish(t, s, "a")
		overwrite(t, filepath.Join(s.root, CurrentName), text)
		if _, err := s.Current(); !errors.Is(err, ErrUnreadableCurrent) {
			t.Errorf("%q: %v", text, err)
		}
		if _, links := chain(t, s); !found(links, "", true, "labour promote ID makes one current") {
			t.Errorf("%q: %v", text, links)
		}
		if err := s.Promote(t.Context(), id, id); !errors.Is(err, ErrConflict) {
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
