package calendar

import "fmt"

// Cadence is how often tables of a snapshot are rebuilt: every minute, day or quarter. A smaller
// value means more often.
type Cadence int

// These are the cadences of tables, most frequent first.
const (
	// EveryMinute means that tables are rebuilt in every run, including runs of only the platform's
	// feed.
	EveryMinute Cadence = iota + 1
	// EveryDay means that tables are rebuilt in every run that reads all sources.
	EveryDay
	// EveryQuarter means that tables are rebuilt in a run of all sources, if no published snapshot
	// has the quarter's counts of people.
	EveryQuarter
)

// IsDueAt reports whether tables with cadence c are rebuilt in a run of the given level. For
// example, a run of level EveryDay rebuilds tables with the cadences EveryMinute and EveryDay.
func (c Cadence) IsDueAt(level Cadence) bool { return c <= level }

// RunLevel returns the level of a run, which is the least frequent cadence that it rebuilds. A run
// of only the platform's feed has level EveryMinute. For a run of all sources, isWhole is true. It
// has level EveryDay if copiesPeople is true (it copies the counts of people), and EveryQuarter if
// it calculates them.
func RunLevel(isWhole, copiesPeople bool) Cadence {
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
