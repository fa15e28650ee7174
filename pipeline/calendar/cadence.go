package calendar

import "fmt"

// Cadence is how often an output of a snapshot is rebuilt. A smaller value means more often.
type Cadence int

// The cadences.
const (
	Minute  Cadence = iota + 1 // at every run, including those of the platform's feed only
	Day                        // at every whole run
	Quarter                    // at the first whole run whose feed is known to be complete for the quarter
)

// DueAt reports whether an output of this cadence is due at a run of that level: "A run has a
// level. It builds what is due at its level and ready, and takes over the rest from the snapshot
// before".
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
