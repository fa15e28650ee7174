package pipeline

import (
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/sources"
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
	snaptest.MakeRemovable(t, s.data)
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

// notMade returns what was taken over, or held against its hash alone, of a snapshot that is rebuilt.
func (s *small) notMade(id snapshots.ID) map[string]string {
	s.t.Helper()
	tables, err := Rebuild(s.t.Context(), *s.last, id)
	if err != nil {
		s.t.Fatalf("rebuild %s: %v", id, err)
	}
	of := map[string]string{}
	for _, table := range tables {
		switch {
		case !table.Equal():
			s.t.Errorf("%s of %s differs", table.Table, id)
		case table.ByHash:
			of[table.Table] = "by its hash"
		case table.TakenOver != "":
			of[table.Table] = string(table.TakenOver)
		}
	}
	return of
}

// TestRebuildNamesWhatWasNotMade: a file that is compared with itself is not called made again. People
// are made again by the snapshot that made them, under its secret, and nowhere else; a light snapshot
// makes what rests on the feed.
func TestRebuildNamesWhatWasNotMade(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.secret = strings.Repeat("1f", 32)
	first := s.run()
	second := s.run()
	s.change(1)
	light := s.light()
	for _, c := range []struct {
		id              snapshots.ID
		people, adverts string
	}{{first.ID, "", ""}, {second.ID, string(first.ID), ""}, {light.ID, string(first.ID), string(second.ID)}} {
		of := s.notMade(c.id)
		if of["people"] != c.people || of["s106_people"] != c.people || of["adverts"] != c.adverts ||
			of["embargoed/demand"] != c.adverts || of["events"] != "" {
			t.Errorf("%s: not made again: %v", c.id, of)
		}
	}
	s.secret = strings.Repeat("2e", 32)
	if of := s.notMade(first.ID); of["people"] != "by its hash" || len(of) != 4 {
		t.Errorf("under another secret: not made again: %v", of)
	}
}

// TestRebuildOfAPastDay: a build of an earlier day is made again byte for byte, although fetches that it
// did not know are archived: those before its seal, and later ones.
func TestRebuildOfAPastDay(t *testing.T) {
	s := newSmall(t)
	s.run()
	s.boards["bolt"] = "<html>" // the part of the first day is carried
	s.run()
	s.boards["bolt"] = `{"apiVersion":"1","jobs":[]}`
	s.run()
	o := *s.last
	o.AsOf = sources.Date{Year: 2026, Month: 11, Day: 20}
	o.Now = func() time.Time { return s.clock }
	built, err := Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	m := s.manifest(Result{ID: built.ID})
	if got := m.FetchedUntil.Format(time.RFC3339); got != "2026-11-21T00:00:00Z" {
		t.Errorf("fetches were known until %s", got)
	}
	s.notMade(built.ID)
	s.run()
	s.notMade(built.ID)
}
