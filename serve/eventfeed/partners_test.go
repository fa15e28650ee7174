package eventfeed

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/store"
)

// A server that lacks the events of partners tells of nothing and leaves the position where
// it is, for one that has them; where the older ones are gone, time decides.
func TestEventsOfPartnersAreMissing(t *testing.T) {
	w := newWorld(t)
	own := func(n int) snapshots.EventsRow {
		e := event(n)
		e.Partner = "South Works"
		return e
	}
	first := w.promote(event(1), own(2))
	w.announce(first, 0)
	second := w.promote(event(1), own(2), own(3))
	kept, moved := filepath.Join(w.data, store.PartnersDirName), filepath.Join(w.data, "elsewhere")
	if err := os.Rename(kept, moved); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Announce(context.Background(), second); !errors.Is(err, store.ErrNoPartnerFiles) || n != 0 {
		t.Errorf("announced %d, %v", n, err)
	}
	if err := errors.Join(os.Rename(moved, kept), os.RemoveAll(filepath.Join(kept, string(first)))); err != nil {
		t.Fatal(err)
	}
	w.announce(second, 2) // the last one known and what came after
	if _, old := w.sent.events["ev-001"]; old {
		t.Error("history was published")
	}
}

// An application or an outcome of no partner is sent to nobody, one of a partner to it.
func TestEventsAboutPeople(t *testing.T) {
	w := newWorld(t)
	w.announce(w.promote(), 0)
	var rows []snapshots.EventsRow
	for i, kind := range []string{"application.created", "outcome.recorded"} {
		for j, partner := range []string{"", "South Works"} {
			row := event(2*i + j)
			row.Type, row.Partner = kind, partner
			rows = append(rows, row)
		}
	}
	w.announce(w.promote(rows...), 2)
	for _, e := range w.sent.events {
		if e.Partner != "South Works" {
			t.Errorf("%s of %q was published", e.ID, e.Partner)
		}
	}
}
