package pipeline

import (
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestRebuildWithoutTheOneBefore: a snapshot is made again, byte for byte, from the archive and itself,
// when the one before it has been removed.
func TestRebuildWithoutTheOneBefore(t *testing.T) {
	s := newSmall(t)
	s.run()
	s.change(1)
	light := s.light()
	s.clock = s.clock.AddDate(0, 0, 1)
	whole := s.run()
	s.change(2)
	lighter := s.light()
	snaptest.Unlock(t, s.data)
	for _, c := range []struct{ id, before snapshots.ID }{{lighter.ID, ""}, {whole.ID, light.ID}} {
		if c.before != "" {
			if err := s.store().Remove(t.Context(), c.before); err != nil {
				t.Fatal(err)
			}
		}
		tables, err := Rebuild(t.Context(), *s.last, c.id)
		if err != nil {
			t.Fatalf("%s after %s was removed: %v", c.id, c.before, err)
		}
		for _, table := range tables {
			if !table.Equal() {
				t.Errorf("%s: %s differs", c.id, table.Table)
			}
		}
		if len(tables) < 20 {
			t.Errorf("%s: %d tables", c.id, len(tables))
		}
	}
}
