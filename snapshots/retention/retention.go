// Package retention decides which snapshots to keep and which may be removed. It removes nothing
// itself.
package retention

import (
	"fmt"
	"slices"
	"time"

	"labour/snapshots"
)

// CursorLifetime is 24 hours. A cursor is a position in a paged response. A snapshot stays
// available to cursors for this time after a newer one replaced it.
const CursorLifetime = 24 * time.Hour

// Schedule is the number of daily, monthly and yearly snapshots to keep. A daily snapshot is the
// last one that was published on a day. Monthly and yearly snapshots are defined in the same way.
// Days, months and years without a snapshot do not count. If a number is 0, no such snapshot is
// kept.
type Schedule struct{ Daily, Monthly, Yearly int }

// Snapshot holds the facts by which Plan decides whether to keep a snapshot.
type Snapshot struct {
	ID      snapshots.ID
	Current bool
	// time at which the snapshot was sealed; zero if its manifest cannot be read
	SealedAt time.Time
	// SupersededAt is when another snapshot replaced this one as the current one. It is zero if
	// this one is current, never was, or was withdrawn.
	SupersededAt time.Time
	Withdrawn    bool
	// Damaged is true if the manifest of the snapshot cannot be read.
	Damaged bool
}

func (s Snapshot) wasPublished() bool { return s.Current || !s.SupersededAt.IsZero() }

// KeepDecision states whether to keep one snapshot, with all reasons.
type KeepDecision struct {
	ID      snapshots.ID `json:"id"`
	Keep    bool         `json:"keep"`
	Reasons []string     `json:"reasons"`
}

// Plan decides which snapshots to keep, and returns one decision for each, newest first. It keeps
// the current snapshot, newer ones, and those whose manifest cannot be read. It keeps snapshots
// that were sealed or replaced less than CursorLifetime ago, and those that the schedule selects.
// If no snapshot is current, it keeps all.
func Plan(list []Snapshot, now time.Time, schedule Schedule) []KeepDecision {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Snapshot) int { return b.ID.Compare(a.ID) })
	current := snapshots.ID("")
	if i := slices.IndexFunc(list, func(s Snapshot) bool { return s.Current }); i >= 0 {
		current = list[i].ID
	}
	scheduled := schedule.scheduleReasons(list)
	decisions := make([]KeepDecision, 0, len(list))
	for i, s := range list {
		reasons := append(fixedReasons(s, i == 0, current, now), scheduled[s.ID]...)
		d := KeepDecision{ID: s.ID, Keep: len(reasons) > 0, Reasons: reasons}
		switch {
		case d.Keep:
		case s.Withdrawn:
			d.Reasons = []string{"withdrawn"}
		case !s.wasPublished():
			d.Reasons = []string{"never promoted, and older than the current one"}
		default:
			d.Reasons = []string{"no longer in the schedule"}
		}
		decisions = append(decisions, d)
	}
	return decisions
}

// fixedReasons returns the reasons for keeping a snapshot that do not depend on the schedule, for
// example that the snapshot is current. isNewest is true for the newest of all snapshots. current
// is the ID of the current snapshot, or "" if there is none.
func fixedReasons(s Snapshot, isNewest bool, current snapshots.ID, now time.Time) []string {
	var reasons []string
	for _, r := range []struct {
		holds bool
		what  string
	}{
		{s.Current, "current"},
		{isNewest, "newest"},
		{current == "", "nothing is promoted yet"},
		{current != "" && s.ID.Compare(current) > 0, "newer than the current one"},
		{s.Damaged, "its manifest cannot be read"},
		{now.Before(s.SealedAt.Add(CursorLifetime)), "sealed less than 24 hours ago"},
		// A time in the future means that a clock was wrong; the snapshot is kept.
		{!s.SupersededAt.IsZero() && now.Before(s.SupersededAt.Add(CursorLifetime)), "superseded less than 24 hours ago"},
	} {
		if r.holds {
			reasons = append(reasons, r.what)
		}
	}
	return reasons
}

// scheduleReasons returns the reasons for keeping the snapshots that the schedule selects, by ID.
// It selects the newest published snapshot of each day, month or year. A withdrawn snapshot does not
// count as published, because it has no SupersededAt. list must be sorted, newest first.
func (s Schedule) scheduleReasons(list []Snapshot) map[snapshots.ID][]string {
	kept := map[snapshots.ID][]string{}
	for _, c := range []struct {
		name, layout string
		left         int
	}{{"day", time.DateOnly, s.Daily}, {"month", "2006-01", s.Monthly}, {"year", "2006", s.Yearly}} {
		last := ""
		for _, one := range list {
			period := one.ID.Date().Format(c.layout)
			if !one.wasPublished() || c.left <= 0 || period == last {
				continue
			}
			c.left, last = c.left-1, period
			kept[one.ID] = append(kept[one.ID], fmt.Sprintf("last of the %s %s", c.name, period))
		}
	}
	return kept
}
