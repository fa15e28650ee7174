package calendar

import "fmt"

// Cadence is how often a part of a snapshot is rebuilt: every minute, every day or every quarter. A
// smaller value means more often.
type Cadence int

// The cadences (how often a part of a snapshot is rebuilt), most frequent first.
const (
	// rebuilt in every run, including runs that read only the platform's feed
	EveryMinute Cadence = iota + 1
	EveryDay            // rebuilt in every run that reads all sources
	// rebuilt in a run of all sources, unless a published snapshot has the counts of the quarter
	EveryQuarter
)

// IsDueAt reports whether a part with cadence c is rebuilt in a run of the given level. A run of
// level EveryDay, for example, rebuilds the parts with the cadences EveryMinute and EveryDay.
func (c Cadence) IsDueAt(level Cadence) bool { return c <= level }

// LevelOf returns the level of a run, which determines the parts that are due. A whole run (one
// that reads all sources) that copies the counts of people has level EveryDay. One that must make
// them has level EveryQuarter.
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

// String returns the name of the cadence: minute, day or quarter.
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
