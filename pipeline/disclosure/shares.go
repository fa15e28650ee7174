package disclosure

import "labour/snapshots/figure"

// The bases of R5, in people.
const (
	smallestBase    = 10  // no share on fewer
	oneDecimalBase  = 300 // whole per cents below, one decimal from here
	tenthOfAPercent = 1
	onePercent      = 10
	fivePercent     = 50
)

// applicantShare is R5 (b) and the digits: the share of with in with + without, or
// nil. Whole per cent on a base under 300, since one decimal of a small base names
// both parts.
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

// ResidentShare is R6 for one place alone: the share of residents below a level,
// or nil. Both parts must be 0 or at least 5; one decimal from 5,000 residents,
// whole per cent from 500, steps of 5 per cent from 100, nothing below.
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
