package calendar

import "fmt"

// Cadence is how often tables of a snapshot are rebuilt: every minute, day or quarter. A smaller
// value means more often.
type Cadence int

// Cadences of the tables in a snapshot, most frequent first.
const (
	// rebuilt in every run, also in light runs, which read only the platform's feed
	EveryMinute Cadence = iota + 1
	EveryDay            // rebuilt in every run that reads all sources
	// rebuilt in a run of all sources if no published snapshot has the quarter's counts
	EveryQuarter
)

// IsDueAt reports whether tables with cadence c are rebuilt in a run of the given level. For
// example, a run of level EveryDay rebuilds tables with the cadences EveryMinute and EveryDay.
func (c Cadence) IsDueAt(level Cadence) bool { return c <= level }

// LevelOf returns the level of a run, which is the least frequent cadence that it rebuilds. A light
// run has level EveryMinute. A whole run that copies the counts of people has level EveryDay. A
// whole run that calculates them has level EveryQuarter.
func LevelOf(isWhole, copiesPeople bool) Cadence {
	switch {
	case !isWhole:
		return EveryMinute
	case copiesPeople:
		return EveryDay
	default:
		return EveryQuarter
	}
}

// String returns the name of the cadence: "minute", "day" or "quarter".
func (c Cadence) String() string {
	switch c {
	case EveryMinute:
		return "minute"
	case EveryDay:
		return "day"
	case EveryQuarter:
		return "quarter"
	}
	return fmt.Sprintf("Cadence(%d)", int(c))
}
