package store

import (
	"time"

	"labour/snapshots"
	"labour/snapshots/periods"
)

// EarlyQuarters maps the last day of a quarter, such as "2026-09-30", to the snapshot that made
// counts of people of the quarter before it had ended, and was withdrawn. The counts of such a
// quarter are not made again, because two versions would reveal more than one.
type EarlyQuarters map[string]snapshots.ID

// Maker returns the ID of the withdrawn snapshot that made the counts of a quarter too early. end is
// the last day of the quarter. ok is false if there is no such snapshot.
func (e EarlyQuarters) Maker(end time.Time) (id snapshots.ID, ok bool) {
	id, ok = e[end.Format(time.DateOnly)]
	return id, ok
}

// Has reports whether a snapshot made the counts of the quarter that ends on the day end too early.
func (e EarlyQuarters) Has(end time.Time) bool {
	_, ok := e.Maker(end)
	return ok
}

// SettledTo returns the last day of the latest quarter after which the next counts of people follow. It
// is the day to, with which the latest counts end, or the last day of a quarter directly after it whose
// counts are not made again.
func (e EarlyQuarters) SettledTo(to time.Time) time.Time {
	for e.Has(periods.QuarterEndAfter(to)) {
		to = periods.QuarterEndAfter(to)
	}
	return to
}

// EarlyQuarters finds the early quarters in the records of withdrawals. A record stays when its
// snapshot is removed.
func (s *Store) EarlyQuarters() (EarlyQuarters, error) {
	withdrawals, err := s.Withdrawals()
	if err != nil {
		return nil, err
	}
	early := EarlyQuarters{}
	for id, w := range withdrawals {
		if w.wasTooEarly() {
			early[w.PeopleTo.Format(time.DateOnly)] = id
		}
	}
	return early, nil
}
