package api

import (
	"testing"
	"time"
)

// "stale is true when there was never a success, or the last one is older than
// twice the cadence at the time of the call."
func TestStale(t *testing.T) {
	last := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for cadence, fresh := range map[Cadence]time.Time{
		Daily:     time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC),
		Weekly:    time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC),
		Monthly:   time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC),
		Quarterly: time.Date(2026, 7, 31, 12, 0, 0, 0, time.UTC),
		Annual:    time.Date(2028, 1, 31, 12, 0, 0, 0, time.UTC),
		"unknown": time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC),
	} {
		r := SourcesRow{Cadence: cadence, LastSuccessAt: MaybeTimestamp{&last}}
		if r.StaleAt(fresh) || !r.StaleAt(fresh.Add(time.Nanosecond)) {
			t.Errorf("%s: stale %v at %v and %v just after", cadence, r.StaleAt(fresh), fresh, r.StaleAt(fresh.Add(time.Nanosecond)))
		}
		if r.LastSuccessAt.T = nil; !r.StaleAt(last) {
			t.Errorf("%s: never received and not stale", cadence)
		}
	}
}
