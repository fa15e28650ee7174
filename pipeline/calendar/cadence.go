package calendar

import "fmt"

// Cadence is how often a part of a snapshot is rebuilt: every minute, every day or every quarter. A
// smaller value means more often.
type Cadence int

// The cadences, in increasing order.
const (
	Minute  Cadence = iota + 1 // at every run, including those of the platform's feed only
	Day                        // at every whole run
	Quarter                    // at the first whole run whose feed is known to be complete for the quarter
)

// DueAt reports whether a part with this cadence is rebuilt in a run of the given level. A run
// rebuilds every part whose cadence is not above its level.
func (c Cadence) DueAt(level Cadence) bool { return c <= level }

// String returns the name of the cadence.
func (c Cadence) String() string {
	switch c {
	case Minute:
		return "minute"
	case Day:
		return "day"
	case Quarter:
		return "quarter"
	}
	return fmt.Sprintf("Cadence(%d)", int(c))
}
