package eventfeed

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestLightRunsAfterGoingBackArePublished: their snapshots have the older date, and are
// newer all the same.
func TestLightRunsAfterGoingBackArePublished(t *testing.T) {
	w := newWorld(t)
	build := func(day string, sealed time.Time, rows ...snapshots.EventsRow) snapshots.ID {
		c := snaptest.DefaultContent(t, day)
		c.Events, c.SealedAt = rows, sealed
		return snaptest.BuildSnapshot(t, w.data, day, c)
	}
	old := build("2026-11-20", noon, event(1))
	w.announce(old, 0)
	w.announce(build("2026-11-21", noon.Add(24*time.Hour), event(1), event(2)), 1)
	w.announce(old, 0) // gone back
	w.announce(build("2026-11-20", noon.Add(25*time.Hour), event(1), event(2), event(3)), 1)
	w.announce(build("2026-11-20", noon.Add(26*time.Hour), event(1), event(2), event(3), event(4)), 1)
	w.announce(build("2026-11-22", noon.Add(48*time.Hour), event(2), event(3), event(4), event(5)), 1)
	if len(w.sent.events) != 4 {
		t.Errorf("published %v", w.sent.events)
	}
}

// A run with the clock ahead silences nothing: neither when its snapshot stays current, nor
// when it is withdrawn, nor when the operator goes back.
func TestAClockThatWasAheadSilencesNothing(t *testing.T) {
	for name, goBack := range map[string]func(w *world, first, ahead snapshots.ID) error{
		"stays": func(*world, snapshots.ID, snapshots.ID) error { return nil },
		"withdrawn": func(w *world, _, ahead snapshots.ID) error {
			note := store.Withdrawal{At: noon, By: "data board", Reason: "the clock was wrong"}
			_, err := w.Store.Withdraw(t.Context(), ahead, note)
			return err
		},
		"gone back": func(w *world, first,
			ahead snapshots.ID) error {
			return w.Store.Promote(t.Context(), first, ahead)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			build := func(day string, sealed time.Time, rows ...snapshots.EventsRow) snapshots.ID {
				c := snaptest.DefaultContent(t, day)
				c.Events, c.SealedAt = rows, sealed
				return snaptest.BuildSnapshot(t, w.data, day, c)
			}
			first := build("2026-11-20", noon, event(1))
			w.announce(first, 0)
			ahead := build("2026-11-21", noon.Add(30*time.Hour), event(1), event(2))
			w.announce(ahead, 1)
			if err := goBack(w, first, ahead); err != nil {
				t.Fatal(err)
			}
			if id, _ := w.CurrentSnapshot(); id == first {
				w.announce(first, 0)
			}
			w.announce(build("2026-11-20", noon.Add(time.Hour), event(1), event(2), event(3)), 1)
			w.announce(build("2026-11-20", noon.Add(2*time.Hour), event(1), event(2), event(3), event(4)), 1)
			if len(w.sent.events) != 3 {
				t.Errorf("published %v", w.sent.events)
			}
		})
	}
}

// The withdrawn snapshot lacked the history of the platform: what comes after it is compared
// with the one before, so that nobody is flooded.
func TestAWithdrawnSnapshotIsNoPosition(t *testing.T) {
	w := newWorld(t)
	w.announce(w.promote(event(1), event(2), event(3)), 0)
	broken := w.promote(event(4))
	w.announce(broken, 1)
	note := store.Withdrawal{At: noon, By: "data board", Reason: "half of the feed"}
	if _, err := w.Store.Withdraw(t.Context(), broken, note); err != nil {
		t.Fatal(err)
	}
	w.announce(w.promote(event(1), event(2), event(3), event(4), event(5)), 1)
	if !bytes.Contains(w.log.Bytes(), []byte("was withdrawn")) {
		t.Errorf("the log says %s", &w.log)
	}
}

// Skipped snapshots are logged.
func TestGoingBackIsLogged(t *testing.T) {
	w := newWorld(t)
	first := w.promote(event(1))
	w.announce(first, 0)
	w.announce(w.promote(event(1), event(2)), 1)
	w.announce(first, 0)
	if !bytes.Contains(w.log.Bytes(), []byte("no events are published")) {
		t.Errorf("the log says %s", &w.log)
	}
}

// TestLostSnapshotOfTheSameMoment: where the announced snapshot is lost, one that was made at that moment or
// before is not newer, so none of its events is sent again.
func TestLostSnapshotOfTheSameMoment(t *testing.T) {
	made := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	lost := position{id: "2026-11-20.2", created: made}
	for after, older := range map[time.Duration]bool{-time.Second: true, 0: true, time.Second: false} {
		x := store.Index{Snapshots: []store.IndexEntry{{ID: "2026-11-20.1", CreatedAt: made.Add(after)}}}
		a := &Announcer{Log: slog.New(slog.DiscardHandler)}
		if _, got := a.findBaseByTime(x, "2026-11-20.1", lost); got != older {
			t.Errorf("made %v after the lost one: older is %t", after, got)
		}
	}
}
