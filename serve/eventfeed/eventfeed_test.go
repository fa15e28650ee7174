package eventfeed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/serve/state/statetest"
	"labour/serve/webhooks"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// published takes events as the service of webhooks does: each id once.
type published struct {
	events map[string]webhooks.Event
	calls  int
	fails  int // this many calls from now is one that fails; 0 = none
}

func (p *published) Publish(_ context.Context, events []webhooks.Event) (int, error) {
	p.calls++
	if p.fails--; p.fails == 0 {
		return 0, errors.New("no")
	}
	fresh := 0
	for _, e := range events {
		if _, there := p.events[e.ID]; !there {
			fresh++
			p.events[e.ID] = e
		}
	}
	return fresh, nil
}

// world is a store, and an announcer on it.
type world struct {
	t    *testing.T
	data string
	sent *published
	log  bytes.Buffer
	*Announcer
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, data: t.TempDir(), sent: &published{events: map[string]webhooks.Event{}}}
	snaptest.MakeRemovable(t, w.data)
	store, err := store.Open(w.data)
	if err != nil {
		t.Fatal(err)
	}
	w.Announcer = &Announcer{Store: store, Settings: statetest.Open(t, statetest.SQLitePath(t)), Publisher: w.sent,
		CurrentSnapshot: func() (snapshots.ID, bool) {
			id, err := store.Current()
			return id, err == nil
		}, Log: slog.New(slog.NewTextHandler(&w.log, nil))}
	return w
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// event is the n-th: they happen an hour after each other.
func event(n int) snapshots.EventsRow {
	return snapshots.EventsRow{ID: fmt.Sprintf("ev-%03d", n), Type: "click.recorded",
		OccurredAt: noon.Add(time.Duration(n-1000) * time.Hour)}
}

func (w *world) promote(rows ...snapshots.EventsRow) snapshots.ID {
	w.t.Helper()
	c := snaptest.DefaultContent(w.t, "2026-11-20")
	c.Events = rows
	return snaptest.BuildSnapshot(w.t, w.data, "2026-11-20", c)
}

func (w *world) announce(id snapshots.ID, want int) {
	w.t.Helper()
	if got, err := w.Announce(context.Background(), id); err != nil || got != want {
		w.t.Errorf("announced %d events of %s, %v; want %d", got, id, err, want)
	}
}

// The rule, from the first start on.
func TestWhatIsNewIsPublished(t *testing.T) {
	w := newWorld(t)
	first := w.promote(event(1), event(2))
	w.announce(first, 0) // history is not pushed
	late := event(0)     // happened before all, and was heard of later
	late.Partner, late.Advert = "South Works", new(string)
	*late.Advert = "ad-1"
	second := w.promote(late, event(1), event(2), event(3))
	w.announce(second, 2)
	w.announce(second, 0)
	w.announce(first, 0) // gone back
	third := w.promote(event(3), event(4))
	w.announce(third, 1)
	want := webhooks.Event{ID: "ev-000", Type: webhooks.ClickRecorded, Partner: "South Works", At: late.OccurredAt,
		Data: api.EventData{Advert: new("ad-1")}}
	if got := w.sent.events["ev-000"]; !cmp.Equal(got, want) {
		t.Errorf("published %+v, want %+v", got, want)
	}
	if len(w.sent.events) != 3 {
		t.Errorf("published %v", w.sent.events)
	}
}

// A server that is stopped half-way publishes the rest later, whether it is killed
// before an event or between the events and the position.
func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	w.announce(w.promote(event(1)), 0)
	id := w.promote(event(1), event(2))
	w.sent.fails = 1
	if _, err := w.Announce(context.Background(), id); err == nil {
		t.Fatal("no error")
	}
	w.announce(id, 1)
	kept := w.Settings
	w.Settings = forgetful{kept}
	id = w.promote(event(1), event(2), event(3))
	w.announce(id, 1)
	w.Settings = kept
	w.announce(id, 0) // again, and nobody hears of it twice
	if w.sent.calls != 4 || len(w.sent.events) != 2 {
		t.Errorf("%d calls, %d events", w.sent.calls, len(w.sent.events))
	}
}

// forgetful loses what is written, like a server that is killed before.
type forgetful struct{ Settings }

func (forgetful) ReplaceSetting(context.Context, string, string, string) (bool, error) {
	return false, nil
}

// If the announced snapshot was pruned, time decides.
func TestTheSnapshotBeforeIsGone(t *testing.T) {
	w := newWorld(t)
	first := w.promote(event(1), event(2))
	w.announce(first, 0)
	second := w.promote(event(1), event(2), event(3))
	if err := w.Store.Remove(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	w.announce(second, 2) // the last one known and what came after
	if _, old := w.sent.events["ev-001"]; old {
		t.Error("history was published")
	}
}

// An event that cannot be sent keeps nothing back, and a single event that was published is logged.
func TestAnEventThatCannotBeSent(t *testing.T) {
	w := newWorld(t)
	w.announce(w.promote(), 0)
	bad := event(1)
	bad.ID = "ev 001"
	w.announce(w.promote(bad, event(2)), 1)
	if !bytes.Contains(w.log.Bytes(), []byte("visible ASCII")) ||
		!bytes.Contains(w.log.Bytes(), []byte("events=1\n")) {
		t.Errorf("the log says %s", &w.log)
	}
}

// Run announces each snapshot once, and tries again after a fault, which it logs
// once.
func TestRun(t *testing.T) {
	w := newWorld(t)
	w.announce(w.promote(event(1)), 0)
	ctx, stop := context.WithCancel(context.Background())
	w.promote(event(1), event(2))
	asked, current := 0, w.CurrentSnapshot
	w.CurrentSnapshot = func() (snapshots.ID, bool) {
		if asked++; asked == 5 {
			stop()
		}
		return current()
	}
	w.sent.fails = 1
	w.Run(ctx, time.Millisecond)
	if w.sent.calls != 2 || len(w.sent.events) != 1 {
		t.Errorf("%d calls, %d events", w.sent.calls, len(w.sent.events))
	}
	if n := bytes.Count(w.log.Bytes(), []byte("could not be published")); n != 1 {
		t.Errorf("%d lines: %s", n, &w.log)
	}
}

// Against sets in memory, with lists longer than a chunk of the reader.
func TestDifferenceAgainstSets(t *testing.T) {
	dir, table, files := t.TempDir(), eventsTable(t), 0
	rapid.Check(t, func(t *rapid.T) {
		write := func() (string, []snapshots.EventsRow) {
			var rows []snapshots.EventsRow
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 60), 0, 40, rapid.ID[int]).Draw(t, "events") {
				row := event(n / 3) // some at the same time
				row.ID = event(n).ID
				rows = append(rows, row)
			}
			rows = snapshots.SortedRows(table, rows)
			files++
			file := filepath.Join(dir, fmt.Sprint(files))
			if err := parquetio.WriteTable(file, table, nil, noon, rows); err != nil {
				t.Fatal(err)
			}
			return file, rows
		}
		file, rows := write()
		older, had := write()
		var got, want []string
		err := difference(file, older, func(r snapshots.EventsRow, fresh bool) error {
			got = append(got, fmt.Sprint(r.ID, fresh))
			return nil
		})
		for _, r := range rows {
			there := slices.ContainsFunc(had, func(o snapshots.EventsRow) bool { return o.ID == r.ID })
			want = append(want, fmt.Sprint(r.ID, !there))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("got %v, %v\nwant %v", got, err, want)
		}
	})
}

func eventsTable(t *testing.T) snapshots.Table {
	t.Helper()
	table, ok := snapshots.FindTable("events")
	if !ok {
		t.Fatal("no table of events")
	}
	return table
}

// A file that cannot be read is an error, not an empty one: all would be new.
func TestDamagedFileOfTheSnapshotBefore(t *testing.T) {
	w := newWorld(t)
	id := w.promote(event(1))
	bad := filepath.Join(t.TempDir(), "bad.parquet")
	if err := os.WriteFile(bad, []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := w.events(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := difference(files[0], bad, func(snapshots.EventsRow, bool) error { return nil }); err == nil {
		t.Error("no error")
	}
}

func TestPosition(t *testing.T) {
	for _, m := range []position{{id: "2026-11-20.3", last: noon}, {id: "2026-11-20.3"}} {
		if got, err := parsePosition(m.String()); err != nil || got.id != m.id || !got.last.Equal(m.last) {
			t.Errorf("%s is read as %v, %v", m, got, err)
		}
	}
	for _, text := range []string{"", "2026-11-20.1", "x 2026-11-20T12:00:00Z"} {
		if _, err := parsePosition(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// BenchmarkDifference compares a day's events with those of a minute before.
func BenchmarkDifference(b *testing.B) {
	table, _ := snapshots.FindTable("events")
	rows := make([]snapshots.EventsRow, 100_000)
	for i := range rows {
		rows[i] = event(0)
		rows[i].ID = fmt.Sprintf("ev-%08d", i)
	}
	var files []string
	for i, n := range []int{len(rows), len(rows) - 100} {
		files = append(files, filepath.Join(b.TempDir(), fmt.Sprint(i)))
		if err := parquetio.WriteTable(files[i], table, nil, noon, rows[:n]); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		err := difference(files[0], files[1], func(snapshots.EventsRow, bool) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds(), "events/s")
}

// TestNoStatementFailsUnseen lets each statement fail in turn: the events are published again once
// the state database answers, and the position goes on only then.
func TestNoStatementFailsUnseen(t *testing.T) {
	w := newWorld(t)
	db, faults := statetest.OpenWithFaultInjector(t)
	w.Settings = db
	first, second := w.promote(event(1)), w.promote(event(1), event(2))
	for _, id := range []snapshots.ID{first, second} {
		faults.FailEachStatement(t, "Announce", func() error {
			_, err := w.Announce(t.Context(), id)
			return err
		})
	}
	w.announce(second, 0)
	if len(w.sent.events) != 1 {
		t.Errorf("published %v", w.sent.events)
	}
}
