package calendar

import "fmt"

// Cadence is how often tables of a snapshot are rebuilt: every minute, day or quarter. A smaller
// value means more often.
type Cadence int

// These are the cadences of tables, most frequent first.
const (
	// EveryMinute means that every run makes the tables, also a light run, which reads only the
	// platform's feed.
	EveryMinute Cadence = iota + 1
	// EveryDay means that every whole run makes the tables. A whole run reads all sources.
	EveryDay
	// EveryQuarter means that a whole run makes the tables if no published snapshot has the
	// quarter's counts of people.
	EveryQuarter
)

// IsDueAt reports whether a run of the given level makes tables with cadence c. For example, a run
// of level EveryDay makes tables with the cadences EveryMinute and EveryDay.
func (c Cadence) IsDueAt(level Cadence) bool { return c <= level }

// RunLevel returns the level of a run, which is the least frequent cadence of the tables that it
// makes. A light run has level EveryMinute. A whole run has level EveryDay if copiesPeople is true
// (it copies the counts of people), and EveryQuarter if it calculates them.
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
