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

// Protection is the method of protecting counts of people in published tables. It is
// ProtectionRounded or ProtectionUnrounded.
type Protection string

// The two methods of protecting counts of people, from which the operator chooses.
const (
	// ProtectionRounded publishes counts of people as 0, "<5" and multiples of 5. It suppresses
	// counts within small groups.
	ProtectionRounded Protection = "rounded"
	// ProtectionUnrounded publishes exact counts of people. Only counts of 1 to 4 are published as
	// "<5".
	ProtectionUnrounded Protection = "plain"
)

// TrueCount is an unrounded count of people. Key is the sum of the people's random keys. It decides
// whether the count is rounded up or down.
type TrueCount struct {
	People int64
	Key    RoundingKey
}

// Add adds the people of o to c. No person may be in both counts.
func (c *TrueCount) Add(o TrueCount) {
	c.People += o.People
	c.Key += o.Key
}

// fifth is one fifth of the range of RoundingKey. A count that is n above a multiple of 5 is
// rounded up if its key is less than n fifths.
const fifth = ^RoundingKey(0) / figure.RoundingStep

// PublishedCount returns the published value of a count of people (rule P1). 0 stays 0, and 1 to 4
// become "<5". The key decides whether another count is rounded up or down to a multiple of 5. With
// ProtectionUnrounded, counts of 5 or more are exact.
func (p Protection) PublishedCount(c TrueCount) figure.Count {
	if p == ProtectionUnrounded {
		return figure.CountOf(c.People)
	}
	above := RoundingKey(c.People % figure.RoundingStep)
	return figure.RoundedCount(c.People, c.Key < above*fifth)
}

// The limits of rule P2: the parts of a small group of people are not published.
const (
	// MinDividedTotal is the smallest published number of people that may be broken down further.
	MinDividedTotal = 10
	// minFreeTotal is the smallest published number of people for which the counts of all groups
	// within it may be published, however small.
	minFreeTotal = 20
)

// IsSmallGroup reports whether a published count is "<5" or from 1 to 9. A group of this size is
// not broken down further (rule P2).
func IsSmallGroup(c figure.Count) bool {
	n, ok := c.Number()
	isBelowTen := ok && n > 0 && n < MinDividedTotal
	return c.Status() == figure.StatusUnderFive || isBelowTen
}

// MayPublishPart reports whether the count of a part of a total may be published (rule P2). Both
// arguments are published counts. If the total is a small group (IsSmallGroup), it returns false.
// If the total is 10 or 15, it returns true only for parts of 10 or more. Any other total allows
// every part.
func MayPublishPart(part, total figure.Count) bool {
	if n, _ := total.Number(); n >= MinDividedTotal && n < minFreeTotal {
		of, _ := part.Number()
		return of >= MinDividedTotal
	}
	return !IsSmallGroup(total)
}

// PublishedCounts returns the published values of counts, in the same order (rules P1 and P2).
// totals returns the indices of the totals that contain count i. If a total does not allow a count
// to be published (MayPublishPart), the count is null. With ProtectionUnrounded, rule P2 does not
// apply.
func (p Protection) PublishedCounts(counts []TrueCount, totals func(i int) []int32) []figure.Count {
	alone := make([]figure.Count, len(counts))
	for i, c := range counts {
		alone[i] = p.PublishedCount(c)
	}
	if p == ProtectionUnrounded {
		return alone
	}
	printed := make([]figure.Count, len(counts))
	for i, part := range alone {
		forbids := func(total int32) bool { return !MayPublishPart(part, alone[total]) }
		if !slices.ContainsFunc(totals(i), forbids) {
			printed[i] = part
		}
	}
	return printed
}

// The limits of published shares of people (rules P3 and P4).
const (
	// smallestBase is the smallest published number of people that may be the base of a published
	// share.
	smallestBase = 20
	// tenthsBase is the smallest published number of residents whose shares have one decimal.
	tenthsBase = 1000
	// everybody is a share of 100 per cent. It is 1000, in tenths of a per cent.
	everybody = figure.Tenths(1000)
	// wholePerCents is the rounding step of most shares. It is 10 tenths of a per cent, which is 1
	// per cent.
	wholePerCents = 10
	// NearlyAll is the smallest true share of residents that may be published as 100 per cent. It
	// is in per cent.
	NearlyAll = 97
)

// PublishedShare returns part as a percentage of total, in whole per cent up to 100 (rule P3). Both
// arguments are published counts, and "<5" counts as 2.5. It returns nil if total is less than 20
// or part is not published.
func PublishedShare(part, total figure.Count) *figure.Tenths {
	return share(part, total, wholePerCents)
}

// ResidentShare returns part as a percentage of total, a number of residents (rule P4). It differs
// from PublishedShare in two ways. If total is 1,000 or more, the share has one decimal. If total
// is less than 265, the share is never 100, because equal published counts may have different true
// counts. With ProtectionUnrounded, it may be 100.
func (p Protection) ResidentShare(part, total figure.Count) *figure.Tenths {
	of, _ := total.Number()
	if of >= tenthsBase {
		return share(part, total, 1)
	}
	s := PublishedShare(part, total)
	isEverybody := s != nil && *s >= everybody
	if p == ProtectionUnrounded || !isEverybody || provesNearlyAll(of) {
		return s
	}
	highest := figure.ShareInSteps(2*of-figure.SmallestShown, 2*of, wholePerCents)
	return &highest
}

// provesNearlyAll reports whether a part is at least 97 % of its total if both are published as the
// same number. In the worst case, the part was rounded up by 4 and the total down by 4. The result
// is true from 265 on.
func provesNearlyAll(number int64) bool {
	const hidden = figure.RoundingStep - 1
	return 100*(number-hidden) >= NearlyAll*(number+hidden)
}

// SmallestBaseOfAll returns the smallest published number of residents from which a share may be
// published as 100 per cent (rule P4).
func SmallestBaseOfAll() int64 {
	number := int64(smallestBase)
	for !provesNearlyAll(number) {
		number += figure.RoundingStep
	}
	return number
}

// share returns part as a percentage of total, up to 100. It rounds to multiples of step, in tenths
// of a per cent. It returns nil if total is less than 20 or part is not published.
func share(part, total figure.Count, step int64) *figure.Tenths {
	of, _ := total.Number()
	if part.Status() == figure.StatusNotPublished || of < smallestBase {
		return nil
	}
	s := min(figure.ShareInSteps(inHalves(part), 2*of, step), everybody)
	return &s
}

// inHalves returns a published count times 2. "<5" counts as 2.5 and gives 5.
func inHalves(c figure.Count) int64 {
	if c.Status() == figure.StatusUnderFive {
		return figure.SmallestShown
	}
	n, _ := c.Number()
	return 2 * n
}
