package pipeline

import (
	"testing"

	"labour/pipeline/options"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// "The manifest names the feed's files by keyed hashes that are salted per snapshot, so that equal
// files of two days do not look equal." Nor do those of two fetches in one manifest, or of two files
// in one fetch. Each snapshot can be made again all the same.
func TestEqualFilesDoNotLookEqual(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	s.feed["s106.ndjson"], s.feed["events.ndjson"] = "", "" // equal to applications.ndjson
	first := s.run()
	light := s.light()
	next := s.light()
	s.clock = s.clock.AddDate(0, 0, 1)
	second := s.run()
	bodies, names := map[string]bool{}, map[string]bool{}
	files := 0
	for _, r := range []Result{first, light, next, second} {
		m := s.manifest(r)
		archived := s.named(m)
		for _, in := range m.Inputs {
			for _, o := range in.Objects {
				if in.Source != options.OnlyPlatform {
					continue
				}
				if archived[o.HashInManifest()] == "" || o.SHA256 != "" || o.Bytes != 0 {
					t.Errorf("%s: %+v is no archived file that is named under the key", r.ID, o)
				}
				files++
				names[o.HashInManifest()] = true
				bodies[archived[o.HashInManifest()]] = true
			}
		}
	}
	if len(names) != files || files != 6*7 || len(bodies) != 5 {
		t.Errorf("%d files of six fetches have %d names and %d bodies; the feed has 7 files, and 3 of them are equal",
			files, len(names), len(bodies))
	}
	for _, id := range []snapshots.ID{first.ID, light.ID, next.ID, second.ID} {
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
