package pipeline

import (
	"testing"

	"labour/pipeline/options"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// "The manifest names the feed's files by keyed hashes that are salted per snapshot, so that equal
// files of two days do not look equal." Each snapshot can be made again all the same.
func TestEqualFilesDoNotLookEqual(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	first := s.run()
	light := s.light()
	s.clock = s.clock.AddDate(0, 0, 1)
	second := s.run()
	bodies, names := map[string]bool{}, map[string]int{}
	files := 0
	for _, r := range []Result{first, light, second} {
		archived, own := s.named(r.ID), map[string]bool{}
		for _, in := range s.manifest(r).Inputs {
			for _, o := range in.Objects {
				if in.Source != options.OnlyPlatform {
					continue
				}
				if archived[o.NameInManifest()] == "" || o.SHA256 != "" || o.Bytes != 0 {
					t.Errorf("%s: %+v is no archived file that is named under the key", r.ID, o)
				}
				own[o.NameInManifest()] = true
				bodies[archived[o.NameInManifest()]] = true
			}
		}
		for name := range own {
			names[name]++
		}
		files += len(own)
	}
	if len(names) != files || 3*len(bodies) != files || files == 0 {
		t.Errorf("%d files of three snapshots have %d names; they are %d files of an unchanged feed", files, len(names),
			len(bodies))
	}
	for _, id := range []snapshots.ID{first.ID, light.ID, second.ID} {
		tables, err := Rebuild(t.Context(), *s.last, id)
		if err != nil {
			t.Fatalf("rebuild %s: %v", id, err)
		}
		for _, table := range tables {
			if !table.Equal() {
				t.Errorf("%s: %s differs", id, table.Table)
			}
		}
	}
}
