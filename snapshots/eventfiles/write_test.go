package eventfiles_test

import (
	"errors"
	"iter"
	"os"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/store"
)

// TestEventsAreWrittenInOrderOrNotAtAll: events out of order, events that cannot be read and a table
// that cannot be written are errors that say so; what nobody may see is skipped.
func TestEventsAreWrittenInOrderOrNotAtAll(t *testing.T) {
	click := func(id, partner string) snapshots.EventsRow {
		return snapshots.EventsRow{ID: id, Type: "click.recorded", Partner: partner, OccurredAt: time.Unix(1e9, 0).UTC()}
	}
	hidden := snapshots.EventsRow{ID: "e-0", Type: "application.created", OccurredAt: time.Unix(1e9, 0).UTC()}
	broken := errors.New("broken feed")
	sorted := []snapshots.EventsRow{hidden, click("e-1", ""), click("e-2", ""), click("e-3", "North")}
	backwards := []snapshots.EventsRow{click("e-1", "South"), click("e-2", "North")}
	for name, c := range map[string]struct {
		events []snapshots.EventsRow
		ends   error // after the events
		spoil  bool  // a directory stands where the table belongs
		rows   int64
		says   string
	}{
		"in order":  {sorted, nil, false, 2, ""},
		"none":      {nil, nil, false, 0, ""},
		"backwards": {backwards, nil, false, 0, `partner "North" are out of order`},
		"broken":    {[]snapshots.EventsRow{click("e-1", "")}, broken, false, 0, "write events: broken feed"},
		"no room":   {nil, nil, true, 0, "events.parquet"},
	} {
		w := begun(t)
		if c.spoil {
			if err := os.Mkdir(w.TablePath("events"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		rows, err := eventfiles.Write(w, time.Unix(1e9, 0).UTC(), nil, then(c.events, c.ends))
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || rows != c.rows {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
	}
}

// begun is a writer of a snapshot in a store of its own.
func begun(t *testing.T) *store.Writer {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Begin(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	w.ManifestKey = snapshots.ManifestKey("of the tests")
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// then yields rows and then the error, if there is one.
func then(rows []snapshots.EventsRow, err error) iter.Seq2[snapshots.EventsRow, error] {
	return func(yield func(snapshots.EventsRow, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(snapshots.EventsRow{}, err)
		}
	}
}
