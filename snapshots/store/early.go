package store

import (
	"time"

	"labour/snapshots"
	"labour/snapshots/periods"
)

// EarlyQuarters holds quarters whose counts of people were made before the quarter had ended. It
// maps the last day of such a quarter, such as "2026-09-30", to the snapshot that made the counts,
// which was withdrawn. The counts are not made again, because two versions would reveal more than
// one.
type EarlyQuarters map[string]snapshots.ID

// Maker returns the ID of the withdrawn snapshot that made the counts of people of a quarter before
// the quarter had ended. end is the last day of the quarter. ok is false if there is no such
// snapshot.
func (e EarlyQuarters) Maker(end time.Time) (id snapshots.ID, ok bool) {
	id, ok = e[end.Format(time.DateOnly)]
	return id, ok
}

// Has reports whether the counts of people of a quarter were made before the quarter had ended. end
// is the last day of the quarter.
func (e EarlyQuarters) Has(end time.Time) bool {
	_, ok := e.Maker(end)
	return ok
}

// SettledTo returns the last day of the quarter that the next counts of people must follow. to is
// the last day of the latest counts. If the counts of the quarters directly after it were made too
// early, the result is the last day of the last of these quarters, because their counts are not made
// again. Otherwise the result is to.
func (e EarlyQuarters) SettledTo(to time.Time) time.Time {
	for e.Has(periods.QuarterEndAfter(to)) {
		to = periods.QuarterEndAfter(to)
	}
	return to
}

// EarlyQuarters returns the quarters whose counts of people were made before the quarter had ended.
// It reads them from the records of withdrawals, which stay when snapshots are removed.
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
