// Package disclosure prints counts of people: true counts in, printed values out.
// It is the only place where a true count of people becomes something that may be
// seen. README.md has the rules P1 to P9, the guarantees and what is not promised.
//
// Everything that is withdrawn is decided from what would be printed and from the
// released advert cells, never from a count that is hidden, so that moving a person
// between two values of a small group changes nothing that is released.
package disclosure

import "labour/snapshots/figure"

// Protection is how counts of people are protected.
type Protection string

// The two protections that an operator can choose.
const (
	// Rounded prints 0, "<5" and multiples of 5, and withdraws what could be worked out.
	Rounded Protection = "rounded"
	// Plain prints exact numbers from 5 and withdraws nothing: "exact numbers from 5,
	// "<5" below, no P2, no rounding". The audit still counts what can be worked out.
	Plain Protection = "plain"
)

// Count prints a true count (P1): "0 is `0`. 1 to 4 is `"<5"`. 5 or more is the
// nearest multiple of 5".
func (p Protection) Count(n int64) figure.Count {
	if p == Plain {
		return figure.CountOf(n)
	}
	return figure.Rounded(n)
}

// The bases of shares, in printed people (P3 and P4).
const (
	smallestBase = 20   // no share of fewer
	tenthsBase   = 1000 // residents from which a share has one decimal
)

// Share prints a share (P3): "numerator and denominator both as printed, `"<5"` standing as 2.5,
// whole per cent, and only where the printed denominator is at least 20; else null".
func Share(part, whole figure.Count) *figure.Tenths { return share(part, whole, 10) }

// ResidentShare prints a share of residents (P4), which has "one decimal where the
// printed denominator is at least 1,000".
func ResidentShare(part, whole figure.Count) *figure.Tenths {
	if n, _ := whole.Number(); n >= tenthsBase {
		return share(part, whole, 1)
	}
	return Share(part, whole)
}

// share prints a share in steps of so many tenths of a per cent.
func share(part, whole figure.Count, step int64) *figure.Tenths {
	of, _ := whole.Number()
	if part.Status() == figure.NotPublished || of < smallestBase {
		return nil
	}
	s := figure.ShareStep(inHalves(part), 2*of, step)
	return &s
}

// inHalves returns twice a printed count, with "<5" standing as 2.5 and null as 0.
func inHalves(c figure.Count) int64 {
	if c.Status() == figure.Small {
		return figure.SmallestShown
	}
	n, _ := c.Number()
	return 2 * n
}
