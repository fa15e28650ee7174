package pipeline

import (
	"testing"
	"time"

	"labour/sources"
)

// TestPeopleAreReadWeekly: once the figures of a quarter are published, residents and applications are
// read by the first whole run of a week only, which reports what is wrong in them. The figures, and the
// snapshot that a rebuild makes, do not depend on it.
func TestPeopleAreReadWeekly(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	first := s.run() // Thursday
	want := s.peopleFiles(first)
	s.feed["residents.ndjson"] += "no JSON\n"
	for _, day := range []struct {
		date   time.Time
		faults int64
	}{
		{time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC), 0}, // Sunday
		{time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC), 1},
		{time.Date(2026, 11, 24, 6, 0, 0, 0, time.UTC), 0},
		{time.Date(2026, 12, 2, 6, 0, 0, 0, time.UTC), 1}, // there was no run on Monday
		{time.Date(2027, 1, 1, 6, 0, 0, 0, time.UTC), 1},
		{time.Date(2027, 1, 3, 6, 0, 0, 0, time.UTC), 1}, // the figures to December are made
		{time.Date(2027, 1, 3, 7, 0, 0, 0, time.UTC), 0},
	} {
		s.clock = day.date
		r := s.run()
		entry := sourceReport(t, r, "platform")
		if n := entry.Faults[sources.FaultNotJSON]; n != day.faults || entry.Adverts.Counted != 9 {
			t.Errorf("%s: %d faults, %d adverts; want %d and 9", day.date, n, entry.Adverts.Counted, day.faults)
		}
		if day.date.Year() == 2026 && s.peopleFiles(r) != want {
			t.Errorf("%s: other figures of people", day.date)
		}
		if day.date.Day() == 24 {
			s.notMade(r.ID)
		}
	}
}
