// Package disclosure prints counts of people: true counts in, printed tokens out.
// It is the one place where a true count of people becomes something that may be
// seen, and nothing downstream holds a number that must not be printed.
//
// Mask works on all cells of one skill at once, since what may be shown of one
// cell depends on the others. The rules are numbered as in the package's
// documentation of disclosure control:
//
//	R1  a count from 1 to 4 is "<5"; below a parent that is "<5" or not published,
//	    nothing is published
//	R5  shares of applicants: minimum base, both parts 0 or at least 5, digits by
//	    the size of the base
//	R6  share of residents: the same, with steps by the number of residents
//
// What is outside the published lattice never reaches this package: the cells
// that arrive are the cells that may be asked.
package disclosure

import (
	"labour/snapshots"
	"labour/snapshots/figure"
)

// Cell is one cell of the published lattice for one skill.
type Cell struct {
	Signature string // snapshots.SigNone and so on
	Place     string // place slug; "" when the signature has none
	Value     string // the other filter's value; "" when the signature has none
	Window    int    // months up to people_as_of; 1 for a month
}

// Truth is the true counts of people in one cell.
type Truth struct {
	Cell
	TurnedDownFor     int64 // people turned down for the skill
	HiredWith         int64 // hired applicants who had it at the level the role asked
	HiredWithout      int64
	TurnedDownWith    int64 // turned-down applicants who had it at that level
	TurnedDownWithout int64
}

// Printed is what is shown of one cell. The zero value shows nothing.
type Printed struct {
	Cell
	TurnedDown     figure.Count
	HiredWith      *figure.Tenths // nil = not published
	TurnedDownWith *figure.Tenths // nil = not published
}

// Mask prints the cells of one skill, in their order. It is deterministic, and
// the skills are independent of each other.
func Mask(cells []Truth) []Printed {
	counts := printCounts(cells)
	out := make([]Printed, len(cells))
	for i := range cells {
		t := &cells[i]
		out[i] = Printed{Cell: t.Cell, TurnedDown: counts[t.Cell], HiredWith: applicantShare(t.HiredWith, t.HiredWithout)}
		// R5 (c): the turned-down share only beside a number (0 included), since share
		// and count together name the base exactly.
		if _, number := out[i].TurnedDown.Number(); number {
			out[i].TurnedDownWith = applicantShare(t.TurnedDownWith, t.TurnedDownWithout)
		}
	}
	return out
}

// printCounts applies R1: parents first, so that a child knows theirs.
func printCounts(cells []Truth) map[Cell]figure.Count {
	truth := make(map[Cell]int64, len(cells))
	for _, t := range cells {
		truth[t.Cell] = t.TurnedDownFor
	}
	printed := make(map[Cell]figure.Count, len(cells))
	var show func(Cell) figure.Count
	show = func(c Cell) figure.Count {
		if done, ok := printed[c]; ok {
			return done
		}
		count := figure.Count{}
		n, known := truth[c]
		if known && allNumbers(parents(c), show) {
			count = figure.CountOf(n)
		}
		printed[c] = count
		return count
	}
	for _, t := range cells {
		show(t.Cell)
	}
	return printed
}

func allNumbers(cells []Cell, show func(Cell) figure.Count) bool {
	for _, c := range cells {
		if _, number := show(c).Number(); !number {
			return false
		}
	}
	return true
}

// parents are the cells with one filter dropped, in the same window. A month
// hangs under the longest window that holds it: 24 months, or 12 within a place.
func parents(c Cell) []Cell {
	switch c.Signature {
	case snapshots.SigNone:
		return nil
	case snapshots.SigMonth:
		return []Cell{{Signature: snapshots.SigNone, Window: 24}}
	case snapshots.SigPlaceMonth:
		return []Cell{{Signature: snapshots.SigPlace, Place: c.Place, Window: 12}, {Signature: snapshots.SigMonth, Value: c.Value, Window: 1}}
	case snapshots.SigPlace, snapshots.SigSector, snapshots.SigSOC, snapshots.SigLevel, snapshots.SigSource:
		return []Cell{{Signature: snapshots.SigNone, Window: c.Window}}
	}
	other := c.Signature[len("place_"):]
	return []Cell{
		{Signature: snapshots.SigPlace, Place: c.Place, Window: c.Window},
		{Signature: other, Value: c.Value, Window: c.Window},
	}
}

// The bases of R5, in people.
const (
	smallestBase    = 10  // no share on fewer
	oneDecimalBase  = 300 // whole per cents below, one decimal from here
	tenthOfAPercent = 1
	onePercent      = 10
	fivePercent     = 50
)

// applicantShare is R5: the share of with in with + without, or nil. Both parts
// must be 0 or at least 5; whole per cent on a base under 300, since one decimal
// of a small base names both parts.
func applicantShare(with, without int64) *figure.Tenths {
	base := with + without
	if base < smallestBase || small(with) || small(without) {
		return nil
	}
	step := int64(onePercent)
	if base >= oneDecimalBase {
		step = tenthOfAPercent
	}
	share := figure.ShareStep(with, base, step)
	return &share
}

// The populations of R6, in residents.
const (
	residentsForTenths  = 5000 // 0.1 % is at least 5 people
	residentsForPercent = 500
	residentsForSteps   = 100
)

// ResidentShare is R6: the share of residents below a level, or nil. Both parts
// must be 0 or at least 5; one decimal from 5,000 residents, whole per cent from
// 500, steps of 5 per cent from 100, nothing below.
func ResidentShare(below, residents int64) *figure.Tenths {
	if residents < residentsForSteps || small(below) || small(residents-below) {
		return nil
	}
	step := int64(fivePercent)
	switch {
	case residents >= residentsForTenths:
		step = tenthOfAPercent
	case residents >= residentsForPercent:
		step = onePercent
	}
	share := figure.ShareStep(below, residents, step)
	return &share
}

// small says that n people are 1 to 4, or that n is no count.
func small(n int64) bool { return n < 0 || n > 0 && n < figure.SmallestShown }
