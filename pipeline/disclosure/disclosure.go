// Package disclosure protects counts of people: true counts in, printed values out. A printed value
// is the rounded or suppressed value that is published. No other package turns a true count of people
// into one. README.md has the rules P1 to P9 and lists what they do not promise.
//
// A printed value depends on the people who are counted and on the operator's secret. Whether it is
// null depends on its own printed value and the printed values of its totals. No value is changed
// after it was printed.
package disclosure

import (
	"slices"

	"labour/snapshots/figure"
)

// Protection is the method that protects counts of people.
type Protection string

// The two protections that an operator can choose.
const (
	// Rounded prints 0, "<5" and multiples of 5, and does not divide small groups.
	Rounded Protection = "rounded"
	// Plain "prints exactly what the specification's small-number rule says and no more: exact
	// numbers from 5, "<5" below".
	Plain Protection = "plain"
)

// Count is a true count of people, with the sum of their keys.
type Count struct {
	People int64
	Key    Key
}

// Add adds people who are not yet in the count.
func (c *Count) Add(o Count) {
	c.People += o.People
	c.Key += o.Key
}

// fifth is a fifth of the range of keys.
const fifth = ^Key(0) / figure.RoundedTo

// Print prints a count (P1): "0 is `0`. 1 to 4 is `"<5"`. 5 or more is one of the two multiples of
// 5 around it (a multiple of 5 is itself), drawn without bias by the cell's key: the fraction of
// the way up decides."
func (p Protection) Print(c Count) figure.Count {
	if p == Plain {
		return figure.CountOf(c.People)
	}
	above := Key(c.People % figure.RoundedTo)
	return figure.Rounded(c.People, c.Key < above*fifth)
}

// The printed numbers of P2: from the first on, a group may be divided, and parts that are large
// enough are printed; from the second on, all its parts are printed.
const (
	undivided = 10
	freely    = 20
)

// IsSmall reports whether a printed count is of a group that is not divided further (P2): it
// "prints `"<5"` or less than 10". A printed 0 is not small: every part of it is 0.
func IsSmall(c figure.Count) bool {
	n, ok := c.Number()
	return c.Status() == figure.Small || ok && n > 0 && n < undivided
}

// MayPrint reports whether a part may be printed, given the printed values of the part and of a
// total (P2). No part of a small group may be printed; if a total prints less than 20, only parts
// that print 10 or more may be.
func MayPrint(part, whole figure.Count) bool {
	if n, _ := whole.Number(); n >= undivided && n < freely {
		of, _ := part.Number()
		return of >= undivided
	}
	return !IsSmall(whole)
}

// PrintAll prints counts with P1 and P2. wholes returns, for each count, the numbers of all totals
// that it is a part of. A part that one of its totals does not permit is null, even if it is zero.
func (p Protection) PrintAll(counts []Count, wholes func(i int) []int32) []figure.Count {
	alone := make([]figure.Count, len(counts))
	for i, c := range counts {
		alone[i] = p.Print(c)
	}
	if p == Plain {
		return alone
	}
	printed := make([]figure.Count, len(counts))
	for i, part := range alone {
		untold := func(whole int32) bool { return !MayPrint(part, alone[whole]) }
		if !slices.ContainsFunc(wholes(i), untold) {
			printed[i] = part
		}
	}
	return printed
}

// The bases of shares, in printed people (P3 and P4); the largest share and the steps of shares, in
// tenths of a per cent; and the percentage of residents that must be certain for 100 to be printed.
const (
	smallestBase  = 20   // smallest base of a share
	tenthsBase    = 1000 // number of residents from which a share has one decimal
	everybody     = figure.Tenths(1000)
	wholePerCents = 10
	nearlyAll     = 97
)

// Share prints a share (P3): "From what P1 prints, whole per cent, never above 100 (both are drawn
// by themselves), only where the printed denominator is at least 20", else nil. "<5" counts as 2.5.
func Share(part, whole figure.Count) *figure.Tenths { return share(part, whole, wholePerCents) }

// ResidentShare prints a share of residents (P4): "Share never above 100, with one decimal where
// the printed denominator is at least 1,000". It prints 100 only if at least 97 % of the residents
// are certainly included. For fewer than 265 residents, equal printed counts may differ in truth,
// so the largest share is that of all but 2.5.
func (p Protection) ResidentShare(part, whole figure.Count) *figure.Tenths {
	of, _ := whole.Number()
	if of >= tenthsBase {
		return share(part, whole, 1)
	}
	s := Share(part, whole)
	if p == Plain || s == nil || *s < everybody || provesNearlyAll(of) {
		return s
	}
	most := figure.ShareInSteps(2*of-figure.SmallestShown, 2*of, wholePerCents)
	return &most
}

// provesNearlyAll reports whether a part and its total that both print as the number printed must be
// nearly the same people: the part is at least nearlyAll per cent of the total, even if the part was
// rounded up by 4 and the total down by 4. It is true for 265 and more.
func provesNearlyAll(printed int64) bool {
	const hidden = figure.RoundedTo - 1
	return 100*(printed-hidden) >= nearlyAll*(printed+hidden)
}

// share prints a share in steps of the given number of tenths of a per cent.
func share(part, whole figure.Count, step int64) *figure.Tenths {
	of, _ := whole.Number()
	if part.Status() == figure.NotPublished || of < smallestBase {
		return nil
	}
	s := min(figure.ShareInSteps(inHalves(part), 2*of, step), everybody)
	return &s
}

// inHalves returns twice a printed count; "<5" counts as 2.5.
func inHalves(c figure.Count) int64 {
	if c.Status() == figure.Small {
		return figure.SmallestShown
	}
	n, _ := c.Number()
	return 2 * n
}
