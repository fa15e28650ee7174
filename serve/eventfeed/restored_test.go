package eventfeed

import (
	"bytes"
	"os"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// build builds and promotes a snapshot that is sealed so many hours after noon.
func (w *world) build(hour int, rows ...snapshots.EventsRow) snapshots.ID {
	w.t.Helper()
	c := snaptest.DefaultContent(w.t, "2026-11-20")
	c.Events, c.SealedAt = rows, noon.Add(time.Duration(hour)*time.Hour)
	return snaptest.BuildSnapshot(w.t, w.data, "2026-11-20", c)
}

// useData makes another directory the data directory.
func (w *world) useData(dir string) {
	w.t.Helper()
	snaptest.MakeRemovable(w.t, dir)
	opened, err := store.Open(dir)
	if err != nil {
		w.t.Fatal(err)
	}
	w.data, w.Store = dir, opened
}

// The data directory is restored from a backup, and the state database is not. New snapshots then
// have the ids of lost ones. Their events are published all the same, from the first one on.
func TestEventsAfterARestoreArePublished(t *testing.T) {
	w := newWorld(t)
	first := w.build(0, event(1))
	w.announce(first, 0)
	backup := t.TempDir()
	if err := os.CopyFS(backup, os.DirFS(w.data)); err != nil {
		t.Fatal(err)
	}
	w.announce(w.build(1, event(1), event(2)), 1)
	w.announce(w.build(2, event(1), event(2), event(3)), 1)
	w.useData(backup)
	w.announce(first, 0)
	known := []snapshots.EventsRow{event(1), event(2), event(3)}
	for n := range 3 { // with the ids of the two lost snapshots, and with the next one
		known = append(known, event(10+n))
		w.announce(w.build(10+n, known...), 1)
	}
	if len(w.sent.events) != 5 {
		t.Errorf("published %v", w.sent.events)
	}
	if !bytes.Contains(w.log.Bytes(), []byte("is not in the data directory")) {
		t.Errorf("the log says %s", &w.log)
	}
}

// A data directory that begins again has no snapshot from before: the events since the first
// announced snapshot are published.
func TestEventsOfANewDataDirectoryArePublished(t *testing.T) {
	w := newWorld(t)
	w.announce(w.build(0, event(1), event(2)), 0)
	w.announce(w.build(1, event(1), event(2), event(3)), 1)
	w.useData(t.TempDir())
	w.announce(w.build(2, event(1), event(2), event(3), event(4)), 1)
	w.announce(w.build(3, event(1), event(2), event(3), event(4), event(5)), 1)
	if len(w.sent.events) != 3 {
		t.Errorf("published %v", w.sent.events)
	}
}
