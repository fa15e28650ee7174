package eventfeed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// position returns the stored position.
func (w *world) position() string {
	w.t.Helper()
	text, err := w.Settings.LoadOrStoreSetting(w.t.Context(), setting, func() (string, error) { return "none", nil })
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

// If the index does not connect two snapshots, the times of their creation decide, and else their ids.
func TestTheOlderOfTwoSnapshots(t *testing.T) {
	entry := func(id snapshots.ID, hour int) store.IndexEntry {
		return store.IndexEntry{ID: id, CreatedAt: noon.Add(time.Duration(hour) * time.Hour)}
	}
	both := []store.IndexEntry{entry("2026-11-20.1", 5), entry("2026-11-20.2", 4), entry("2026-11-20.3", 4)}
	for _, c := range []struct {
		known         []store.IndexEntry
		id, announced snapshots.ID
		want          bool
	}{
		{both, "2026-11-20.1", "2026-11-20.2", false}, {both, "2026-11-20.2", "2026-11-20.1", true},
		{both, "2026-11-20.2", "2026-11-20.3", false},
		{both[:1], "2026-11-20.1", "2026-11-20.2", true}, {both[:1], "2026-11-20.2", "2026-11-20.1", false},
		{nil, "2026-11-20.9", "2026-11-20.10", true}, {nil, "2026-11-20.10", "2026-11-20.9", false},
		{nil, "2026-11-20.1", "2026-11-20.1", false},
	} {
		if got := isOlder(store.Index{Snapshots: c.known}, c.id, c.announced); got != c.want {
			t.Errorf("%s is older than %s: %v, want %v (%d known)", c.id, c.announced, got, c.want, len(c.known))
		}
	}
}

// Without an index the order of the ids decides. An index that cannot be read is an error.
func TestAnnouncingWithoutAnIndex(t *testing.T) {
	w := newWorld(t)
	first := w.promote(event(1))
	second := w.promote(event(1), event(2))
	w.announce(first, 0)
	index := filepath.Join(w.Store.RootDir(), snapshots.IndexFileName)
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	w.announce(second, 1)
	w.announce(first, 0)
	if got := w.position(); !strings.HasPrefix(got, string(second)+" ") {
		t.Errorf("the position is %s, want that of %s", got, second)
	}
	w.announce(second, 0)
	if err := os.WriteFile(index, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Announce(t.Context(), second); err == nil || n != 0 ||
		!strings.HasPrefix(err.Error(), "announce snapshot "+string(second)+": ") {
		t.Errorf("%d events with a broken index: %v", n, err)
	}
}

// The snapshot was withdrawn, and the files of the one before it are gone: the time of the position decides.
func TestTheSnapshotBeforeAWithdrawnOneIsGone(t *testing.T) {
	w := newWorld(t)
	first := w.promote(event(1))
	w.announce(first, 0)
	broken := w.promote(event(1), event(2))
	w.announce(broken, 1)
	note := store.Withdrawal{At: noon, By: "data board", Reason: "half of the feed"}
	if _, err := w.Store.Withdraw(t.Context(), broken, note); err != nil {
		t.Fatal(err)
	}
	third := w.promote(event(1), event(2), event(3))
	if err := w.Store.Remove(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	w.announce(third, 1)
	if _, old := w.sent.events["ev-001"]; old || len(w.sent.events) != 2 {
		t.Errorf("published %v, want the events 2 and 3", w.sent.events)
	}
}

// A late event has an earlier time than the last one announced. It is published although the announced
// snapshot is gone, and no event of the first snapshot is.
func TestALateEventAfterTheAnnouncedSnapshotIsGone(t *testing.T) {
	w := newWorld(t)
	first := w.promote(event(1), event(2))
	w.announce(first, 0)
	second := w.promote(event(1), event(2), event(5))
	w.announce(second, 1)
	third := w.promote(event(1), event(2), event(3), event(5), event(6))
	for _, id := range []snapshots.ID{first, second} {
		if err := w.Store.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	w.announce(third, 2)
	for id, want := range map[string]bool{"ev-001": false, "ev-002": false, "ev-003": true, "ev-005": true,
		"ev-006": true} {
		if _, sent := w.sent.events[id]; sent != want {
			t.Errorf("%s was published: %t, want %t", id, sent, want)
		}
	}
}

// A start that cannot be read is an error.
func TestABrokenStartIsAnError(t *testing.T) {
	w := newWorld(t)
	broken := func() (string, error) { return "long ago", nil }
	if _, err := w.Settings.LoadOrStoreSetting(t.Context(), startSetting, broken); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Announce(t.Context(), w.promote(event(1))); err == nil || n != 0 ||
		!strings.Contains(err.Error(), startSetting) {
		t.Errorf("%d events, %v", n, err)
	}
}

// Events are published a thousand at a time.
func TestEventsArePublishedInBatches(t *testing.T) {
	w := newWorld(t)
	w.announce(w.promote(), 0)
	var rows []snapshots.EventsRow
	for i := range 2001 {
		row := event(0)
		row.ID = fmt.Sprintf("ev-%05d", i)
		rows = append(rows, row)
	}
	id := w.promote(rows...)
	w.sent.fails = 2
	if n, err := w.Announce(t.Context(), id); err == nil || n != 1000 {
		t.Errorf("%d events and %v, want 1000 before the fault", n, err)
	}
	w.announce(id, 1001) // the others
	if w.sent.calls != 2+3 {
		t.Errorf("%d calls, want 2 and then 3", w.sent.calls)
	}
	if !bytes.Contains(w.log.Bytes(), []byte(`msg="events published"`)) ||
		!bytes.Contains(w.log.Bytes(), []byte("events=1001")) {
		t.Errorf("the log says %s", &w.log)
	}
	w.log.Reset()
	w.announce(w.promote(rows...), 0)
	if bytes.Contains(w.log.Bytes(), []byte("events published")) {
		t.Errorf("the log says %s", &w.log)
	}
	stopped, stop := context.WithCancel(t.Context())
	id = w.promote(append(rows, event(3))...)
	stop()
	if n, err := w.Announce(stopped, id); !errors.Is(err, context.Canceled) || n != 0 {
		t.Errorf("%d events and %v once it is stopped", n, err)
	}
}

// The position never goes back in time, even if a snapshot lacks the last events.
func TestThePositionKeepsItsTime(t *testing.T) {
	w := newWorld(t)
	w.announce(w.promote(event(1), event(5)), 0)
	second := w.promote(event(1), event(2))
	w.announce(second, 1)
	want := position{id: second, last: event(5).OccurredAt}.String()
	if got := w.position(); !strings.HasPrefix(got, want+" ") {
		t.Errorf("the position is %s, want %s and a time", got, want)
	}
	third := w.promote(event(1), event(2), event(6))
	w.announce(third, 1)
	want = position{id: third, last: event(6).OccurredAt}.String()
	if got := w.position(); !strings.HasPrefix(got, want+" ") {
		t.Errorf("the position is %s, want %s and a time", got, want)
	}
}

// A damaged file of events is an error, whichever of the two snapshots has it, and the position stays.
func TestDamagedEvents(t *testing.T) {
	for _, damaged := range []string{"before", "new"} {
		w := newWorld(t)
		first := w.promote(event(1))
		w.announce(first, 0)
		second := w.promote(event(1), event(2))
		id := map[string]snapshots.ID{"before": first, "new": second}[damaged]
		file := filepath.Join(w.Store.SnapshotDir(id), "tables", "events.parquet")
		if err := errors.Join(os.Chmod(file, 0o600), os.WriteFile(file, []byte("PAR1 damaged PAR1"), 0o600)); err != nil {
			t.Fatal(err)
		}
		kept := w.position()
		if n, err := w.Announce(t.Context(), second); err == nil || n != 0 || w.position() != kept {
			t.Errorf("the events of the snapshot %s are damaged: %d published, %v", damaged, n, err)
		}
		w.Settings = forgotten{w.Settings}
		if _, err := w.Announce(t.Context(), id); err == nil {
			t.Errorf("the first position is made of damaged events")
		}
	}
}

// forgotten has no setting yet.
type forgotten struct{ Settings }

func (forgotten) LoadOrStoreSetting(_ context.Context, _ string, initial func() (string, error)) (string, error) {
	return initial()
}

// A position that cannot be read is an error.
func TestABrokenPositionIsAnError(t *testing.T) {
	w := newWorld(t)
	yesterday := func() (string, error) { return "yesterday", nil }
	if _, err := w.Settings.LoadOrStoreSetting(t.Context(), setting, yesterday); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Announce(t.Context(), w.promote(event(1))); err == nil || n != 0 ||
		!strings.Contains(err.Error(), setting) {
		t.Errorf("%d events, %v", n, err)
	}
}

// counted counts how often the position is read.
type counted struct {
	Settings
	reads int
}

func (c *counted) LoadOrStoreSetting(ctx context.Context, name string, initial func() (string, error)) (string, error) {
	if name == setting {
		c.reads++
	}
	return c.Settings.LoadOrStoreSetting(ctx, name, initial)
}

// A snapshot that was announced is not looked at again. A fault is logged once, and after a success again.
func TestRunLooksAtASnapshotOnce(t *testing.T) {
	w := newWorld(t)
	settings := &counted{Settings: w.Settings}
	w.Settings = settings
	ids := []snapshots.ID{w.promote(event(1)), w.promote(event(1), event(2)), w.promote(event(1), event(2), event(3))}
	ctx, stop := context.WithCancel(t.Context())
	asked := 0
	w.CurrentSnapshot = func() (snapshots.ID, bool) {
		asked++
		switch {
		case asked <= 3:
			return ids[0], true
		case asked <= 5: // fails twice
			w.sent.fails = 1
			return ids[1], true
		case asked == 6:
			return ids[1], true
		case asked == 7: // fails again
			w.sent.fails = 1
			return ids[2], true
		case asked == 9:
			stop()
			return "", false
		}
		return ids[2], true
	}
	w.Run(ctx, time.Microsecond)
	if settings.reads != 6 || len(w.sent.events) != 2 {
		t.Errorf("the position was read %d times and %d events published, want 6 and 2", settings.reads, len(w.sent.events))
	}
	if n := bytes.Count(w.log.Bytes(), []byte("could not be published")); n != 2 {
		t.Errorf("%d faults are logged, want 2: %s", n, &w.log)
	}
}
