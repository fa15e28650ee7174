package store

import (
	"time"

	"labour/snapshots"
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
