// Package disclosure rounds or suppresses true counts of people, so that small groups cannot be
// recognised in the values that are published ("printed values"). README.md has its rules P1 to P9.
//
// A printed value depends on the counted people and the operator's secret. Whether it is null also
// depends on the printed values of the totals that contain it.
package disclosure

import (
	"slices"

	"labour/snapshots/figure"
)

// Protection is the method that protects counts of people: ProtectionRounded or ProtectionPlain.
type Protection string

// The two methods of protecting counts of people, from which the operator chooses.
const (
	// ProtectionRounded publishes 0, "<5" and multiples of 5. The parts of small groups are null.
	ProtectionRounded Protection = "rounded"
	// ProtectionPlain publishes exact counts of people, except that 1 to 4 is "<5".
	ProtectionPlain Protection = "plain"
)

// TrueCount is a true count of people, with the sum of their random keys. The sum decides whether the
// count is rounded up or down.
type TrueCount struct {
	People int64
	Key    RoundingKey
}

// Add adds the people of o to c. No person may be in both.
func (c *TrueCount) Add(o TrueCount) {
	c.People += o.People
	c.Key += o.Key
}

// fifth is one fifth of the range of RoundingKey. A count that is n more than a multiple of 5 is
// rounded up if its key is less than n fifths.
const fifth = ^RoundingKey(0) / figure.RoundingStep

// PublishedCount returns the published value of a count (rule P1). 0 stays 0, and 1 to 4 become
// "<5". Any other count is rounded up or down to a multiple of 5, as its key decides. With
// ProtectionPlain, a count of 5 or more is exact.
func (p Protection) PublishedCount(c TrueCount) figure.Count {
	if p == ProtectionPlain {
		return figure.CountOf(c.People)
	}
	above := RoundingKey(c.People % figure.RoundingStep)
	return figure.RoundedCount(c.People, c.Key < above*fifth)
}

// The limits of rule P2: the parts of a small group of people are not published.
const (
	// minDividedTotal is the smallest published total of people whose parts may be published.
	minDividedTotal = 10
	// minFreeTotal is the smallest published total of people that permits all of its parts to be
	// published, even small ones.
	minFreeTotal = 20
)

// IsSmallGroup reports whether a published count is "<5" or a number from 1 to 9. The parts of such a
// group of people are not published (rule P2).
func IsSmallGroup(c figure.Count) bool {
	n, ok := c.Number()
	isBelowTen := ok && n > 0 && n < minDividedTotal
	return c.Status() == figure.StatusUnderFive || isBelowTen
}

// MayPublishPart reports whether the count of a part of a total may be published (rule P2). It
// needs the published counts of the part and of the total. If the total is small (IsSmallGroup), no
// part may be published. If the total is 10 or 15, only a part of 10 or more may be published.
func MayPublishPart(part, total figure.Count) bool {
	if n, _ := total.Number(); n >= minDividedTotal && n < minFreeTotal {
		of, _ := part.Number()
		return of >= minDividedTotal
	}
	return !IsSmallGroup(total)
}

// PublishedCounts returns the published values of counts, in the same order (rules P1 and P2). The
// function totals returns the indices of the totals that contain count i. A count is null if
// MayPublishPart is false for one of its totals. With ProtectionPlain, rule P2 does not apply.
func (p Protection) PublishedCounts(counts []TrueCount, totals func(i int) []int32) []figure.Count {
	alone := make([]figure.Count, len(counts))
	for i, c := range counts {
		alone[i] = p.PublishedCount(c)
	}
	if p == ProtectionPlain {
		return alone
	}
	printed := make([]figure.Count, len(counts))
	for i, part := range alone {
		untold := func(total int32) bool { return !MayPublishPart(part, alone[total]) }
		if !slices.ContainsFunc(totals(i), untold) {
			printed[i] = part
		}
	}
	return printed
}

// The limits of published shares of people (rules P3 and P4).
const (
	// smallestBase is the smallest published number of people for which a share is published.
	smallestBase = 20
	// tenthsBase is the published number of residents from which a share of them has one decimal.
	tenthsBase = 1000
	// everybody is the share 100 per cent, in tenths of a per cent: 1000.
	everybody = figure.Tenths(1000)
	// wholePerCents is the rounding step of most shares, in tenths of a per cent. It equals one per
	// cent.
	wholePerCents = 10
	// nearlyAll is the smallest true share of residents, in per cent, that may be published as
	// 100.
	nearlyAll = 97
)

// PublishedShare returns part as a percentage of total, rounded to whole per cent and limited to
// 100 (rule P3). Both are published counts. It returns nil if total is less than 20 or part is not
// published. "<5" counts as 2.5.
func PublishedShare(part, total figure.Count) *figure.Tenths {
	return share(part, total, wholePerCents)
}

// ResidentShare returns part as a percentage of total, a number of residents (rule P4). It works as
// PublishedShare does, with two differences. If total is 1,000 or more, the share has one decimal.
// If total is less than 265, the share is never 100, because the true counts may differ although
// the published counts are equal. This second difference does not apply to ProtectionPlain.
func (p Protection) ResidentShare(part, total figure.Count) *figure.Tenths {
	of, _ := total.Number()
	if of >= tenthsBase {
		return share(part, total, 1)
	}
	s := PublishedShare(part, total)
	saysEverybody := s != nil && *s >= everybody
	if p == ProtectionPlain || !saysEverybody || provesNearlyAll(of) {
		return s
	}
	highest := figure.ShareInSteps(2*of-figure.SmallestShown, 2*of, wholePerCents)
	return &highest
}

// provesNearlyAll reports whether a part must be at least 97 % of its total if the same number is
// published for both. In the worst case, the part was rounded up by 4 and the total down by 4. The
// result is true if the number is 265 or more.
func provesNearlyAll(number int64) bool {
	const hidden = figure.RoundingStep - 1
	return 100*(number-hidden) >= nearlyAll*(number+hidden)
}

// share returns part as a percentage of total, limited to 100. It rounds the share to a multiple of
// step tenths of a per cent. It returns nil if the published total is less than 20, or if part is
// not published.
func share(part, total figure.Count, step int64) *figure.Tenths {
	of, _ := total.Number()
	if part.Status() == figure.StatusNotPublished || of < smallestBase {
		return nil
	}
	s := min(figure.ShareInSteps(inHalves(part), 2*of, step), everybody)
	return &s
}

// inHalves returns twice a published count. "<5" counts as 2.5, so its result is 5.
func inHalves(c figure.Count) int64 {
	if c.Status() == figure.StatusUnderFive {
		return figure.SmallestShown
	}
	n, _ := c.Number()
	return 2 * n
}
