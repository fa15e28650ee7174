package pipeline

import (
	"os"
	"strings"
	"testing"
	"time"

	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// A clock that is ahead over the end of a quarter makes figures of people from an extract that does not
// hold the quarter. Once the snapshot is withdrawn, no later run shows them, or makes the quarter again.
// The quarter after it is made as usual.
func TestQuarterOfAClockThatWasAhead(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	first := s.run() // 19 November: the quarter to September
	want := shownPeople(s, first)

	s.turnedDown(90)
	s.clock = time.Date(2027, 1, 2, 6, 0, 0, 0, time.UTC)
	ahead := s.run()
	if to := s.manifest(ahead).People.To.String(); to != "2026-12-31" {
		t.Fatalf("with the clock ahead, the figures are to %s, so nothing is tried", to)
	}
	s.clock = time.Date(2026, 12, 20, 6, 0, 0, 0, time.UTC)
	w := store.Withdrawal{At: s.clock, By: "operator", Reason: "The clock was ahead."}
	snaptest.MakeRemovable(t, s.data)
	if _, err := s.store().Withdraw(t.Context(), ahead.ID, w); err != nil {
		t.Fatal(err)
	}

	// The record of the withdrawal is enough: the snapshot itself is pruned after a day.
	if err := os.RemoveAll(s.store().SnapshotDir(ahead.ID)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		day     time.Time
		to      string
		remarks bool
	}{
		{time.Date(2026, 12, 20, 7, 0, 0, 0, time.UTC), "2026-09-30", false},
		{time.Date(2027, 1, 2, 7, 0, 0, 0, time.UTC), "2026-09-30", false},
		{time.Date(2027, 1, 6, 7, 0, 0, 0, time.UTC), "2026-09-30", true},
		{time.Date(2027, 4, 2, 7, 0, 0, 0, time.UTC), "2027-03-31", false},
	} {
		s.clock = c.day
		r := s.run()
		to := s.manifest(r).People.To.String()
		if to != c.to || (to == "2026-09-30") != (shownPeople(s, r) == want) {
			t.Errorf("on %s the figures are to %s, want %s:\n%s", c.day, to, c.to, shownPeople(s, r))
		}
		remarks := strings.Join(r.Report.Remarks, "\n")
		if strings.Contains(remarks, string(ahead.ID)+" made them before that day") != c.remarks {
			t.Errorf("on %s the remarks are:\n%s", c.day, remarks)
		}
	}
}
