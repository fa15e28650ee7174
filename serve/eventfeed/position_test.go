package eventfeed

import (
	"strings"
	"testing"
	"time"

	"labour/snapshots/store"
)

// A position is stored in UTC, and read as it was stored. Anything else is an error that names the setting.
func TestAPositionIsReadAsItWasStored(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 30, 5, 0, time.FixedZone("", 3600))
	const stored = "2026-11-20.1 2026-11-20T09:30:05Z"
	if got := (position{id: "2026-11-20.1", last: at}).String(); got != stored {
		t.Errorf("stored as %q, want %q", got, stored)
	}
	if m, err := parsePosition(stored); err != nil || m.id != "2026-11-20.1" || !m.last.Equal(at) {
		t.Errorf("%q is %+v, %v", stored, m, err)
	}
	made := position{id: "2026-11-20.1", last: at, created: at.Add(time.Minute)}
	if m, err := parsePosition(made.String()); err != nil || !m.created.Equal(made.created) ||
		made.String() != stored+" 2026-11-20T09:31:05Z" {
		t.Errorf("%q is %+v, %v", made, m, err)
	}
	for _, text := range []string{"", "2026-11-20.1", "2026-11-20.1 ", "2026-11-20.1 noon", "latest 2026-11-20T09:30:05Z",
		"2026-11-20.1  2026-11-20T09:30:05Z", stored + " ", stored + " noon"} {
		if m, err := parsePosition(text); err == nil || !strings.Contains(err.Error(), setting) || m != (position{}) {
			t.Errorf("%q is %+v, %v, want an error that names %s", text, m, err, setting)
		}
	}
}

// The base before a position is the newest snapshot until then that was not withdrawn.
func TestTheBaseBeforeIsNotWithdrawn(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	x := store.Index{Snapshots: []store.IndexEntry{{ID: "2026-11-18.1", CreatedAt: at.Add(-48 * time.Hour)},
		{ID: "2026-11-19.1", CreatedAt: at.Add(-24 * time.Hour), Withdrawn: &store.Withdrawal{}},
		{ID: "2026-11-21.1", CreatedAt: at.Add(24 * time.Hour)}}}
	got := position{id: "2026-11-20.1", last: at, created: at}.lastBefore(x)
	if got.id != "2026-11-18.1" || !got.last.Equal(at) {
		t.Errorf("%+v, want the snapshot of 18 November", got)
	}
}

// Events at the same time are in the order of their ids, and the time goes before the id.
func TestEventsAreInOrderOfTimeAndThenOfID(t *testing.T) {
	early := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	late := early.Add(time.Second)
	for _, c := range []struct {
		a, b name
		want int
	}{
		{name{early, "b"}, name{late, "a"}, -1}, {name{late, "a"}, name{early, "b"}, 1},
		{name{early, "a"}, name{early, "b"}, -1}, {name{early, "b"}, name{early, "a"}, 1},
		{name{early, "a"}, name{early, "a"}, 0},
	} {
		if got := c.a.compare(c.b); got != c.want {
			t.Errorf("%v against %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestTheOlderFileHasTheSameName(t *testing.T) {
	older := []string{"/old/tables/events.parquet", "/old/partners/a.parquet"}
	for file, want := range map[string]string{
		"/new/tables/events.parquet": older[0], "/new/partners/a.parquet": older[1], "/new/partners/b.parquet": "",
	} {
		if got := olderOf(file, older); got != want {
			t.Errorf("the older file of %s is %q, want %q", file, got, want)
		}
	}
}
