package snapshots

import (
	"testing"
	"time"
)

// "A part … is stale when there was never a success, or the last one is older than twice the cadence
// at the time of the call."
func TestIsPartStale(t *testing.T) {
	last := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for cadence, fresh := range map[string]time.Time{
		"daily":     time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC),
		"weekly":    time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC),
		"monthly":   time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC),
		"quarterly": time.Date(2026, 7, 31, 12, 0, 0, 0, time.UTC),
		"annual":    time.Date(2028, 1, 31, 12, 0, 0, 0, time.UTC),
		"unknown":   time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC),
	} {
		if IsPartStale(cadence, &last, fresh) || !IsPartStale(cadence, &last, fresh.Add(time.Nanosecond)) {
			t.Errorf("%s: not stale until %v", cadence, fresh)
		}
		if !IsPartStale(cadence, nil, last) {
			t.Errorf("%s: never received and not stale", cadence)
		}
	}
}

// "A source is stale when half of its parts are. `last_success_at` is the newest of its parts."
func TestFreshnessOf(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	at := func(days int) *time.Time { return new(now.AddDate(0, 0, -days)) }
	for _, c := range []struct {
		had    []*time.Time
		newest *time.Time
		stale  int
		all    bool // is stale as a whole
	}{
		{nil, nil, 0, true},
		{[]*time.Time{nil}, nil, 1, true},
		{[]*time.Time{at(1)}, at(1), 0, false},
		{[]*time.Time{at(3)}, at(3), 1, true},
		{[]*time.Time{at(3), at(0), at(1)}, at(0), 1, false},
		{[]*time.Time{at(3), at(1)}, at(1), 1, true}, // half of them
		{[]*time.Time{nil, at(9), at(2)}, at(2), 2, true},
	} {
		var parts []FreshnessRow
		for _, had := range c.had {
			parts = append(parts, FreshnessRow{LastSuccessAt: had})
		}
		f := FreshnessOf("daily", parts, now)
		if f.Parts != len(c.had) || f.Stale != c.stale || f.IsStale() != c.all ||
			(f.LastSuccessAt == nil) != (c.newest == nil) || c.newest != nil && !f.LastSuccessAt.Equal(*c.newest) {
			t.Errorf("%v: %+v, stale %t", c.had, f, f.IsStale())
		}
	}
}

// The last receipt of stale parts is that of the newest of them, in whatever order they are listed, and
// fresh parts and parts that were never received have no say in it.
func TestNewestOfTheStaleParts(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	at := func(days int) *time.Time { return new(now.AddDate(0, 0, -days)) }
	for _, c := range []struct {
		had  []*time.Time
		want *time.Time
	}{
		{nil, nil},
		{[]*time.Time{at(1), nil}, nil},
		{[]*time.Time{at(9), at(3), at(1)}, at(3)},
		{[]*time.Time{at(1), at(3), at(9)}, at(3)},
		{[]*time.Time{at(3), nil}, at(3)},
	} {
		var parts []FreshnessRow
		for _, had := range c.had {
			parts = append(parts, FreshnessRow{LastSuccessAt: had})
		}
		got := FreshnessOf("daily", parts, now).StaleReceivedAt
		if (got == nil) != (c.want == nil) || got != nil && !got.Equal(*c.want) {
			t.Errorf("%v: the newest stale part was received at %v, want %v", c.had, got, c.want)
		}
	}
}
